"""Ten thousand random evenings of Mord im Arosa: none loses a cube, none fails to end; games a second.

    python tests/benchmarks/evenings_arosa.py [how many] [first seed]

Every event is looked at with the suite's own ``assert_sound``. The suite plays seeds 0 to 199; here the
seeds begin at 10,000, which nothing was tried on.
"""

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.test_arosa_evenings import evening


def main() -> int:
    """Play, and print what happened."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    begun = time.process_time()
    happened: Counter[str] = Counter()
    for seed in range(first, first + games):
        happened += evening(seed)
    took = time.process_time() - begun
    ends = {
        name: happened[name] for name in ("ten_clues", "empty_supply", "0 scenes", "1 scenes", "2 scenes")
    }
    events = sum(n for name, n in happened.items() if name[0].isupper())
    print(
        f"{games} games, {events} events, {games / took:.0f} games/s, {1e6 * took / events:.0f} us an event"
    )
    print(", ".join(f"{name} {n}" for name, n in ends.items()))
    print(", ".join(f"{name} {n}" for name, n in sorted(happened.items()) if name[0].isupper()))
    return 0 if ends["ten_clues"] + ends["empty_supply"] == games else 1


if __name__ == "__main__":
    sys.exit(main())
