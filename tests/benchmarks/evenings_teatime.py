"""Ten thousand evenings of Tea Time Crime: none loses a tile, none fails to end; games a second.

    python tests/benchmarks/evenings_teatime.py [how many] [first seed]

Every state is held against the boards that really lie there, with the suite's own ``sound``; any options,
any number of players. The suite plays seeds below 2,000; here they begin at 10,000, never tried before.
"""

import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from companion.games.teatime.rules import GAME
from companion.rules.notation import word_of
from games.guests_at_tea import Guests, sound
from games.walker import any_setup


def main() -> int:
    """Play, and print what happened."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    begun = time.process_time()
    happened, ends, longest = Counter[str](), Counter[str](), 0
    for seed in range(first, first + games):
        rng = random.Random(seed)
        setup = any_setup(GAME, rng)
        guests, length, touched = Guests(seed, care=rng.choice((4, 12))), 0, None
        for before, event in guests.play(setup):
            sound(before, guests.boards, touched)
            touched = event.by
            happened[word_of(event)] += 1
            length += 1
        after = GAME.apply(before, event)
        sound(after, guests.boards)
        ended = GAME.outcome(after)
        boards, keep = setup.options["boards"], setup.options["keep"]
        how = boards if boards == "phones" else f"{boards} {keep}"
        ends[f"{how} {ended.termination if ended else 'not ended'}"] += 1
        longest = max(longest, length)
    took, events = time.process_time() - begun, happened.total()
    print(
        f"{games} games, {events} events, {games / took:.0f} games/s, {1e6 * took / events:.0f} us an event"
    )
    print(f"longest {longest} events; " + ", ".join(f"{name} {n}" for name, n in sorted(ends.items())))
    print(", ".join(f"{name} {n}" for name, n in sorted(happened.items())))
    return 1 if any(name.endswith("not ended") for name in ends) else 0


if __name__ == "__main__":
    sys.exit(main())
