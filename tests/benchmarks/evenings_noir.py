"""Ten thousand evenings of Noir: none loses a card, none fails to end; games a second.

    python tests/benchmarks/evenings_noir.py [how many] [first seed]

Every state is looked at with the suite's own ``sound``; any options. The suite plays seeds below 2,000;
here the seeds begin at 10,000, which nothing was tried on.
"""

import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from companion.games.noir.rules import GAME
from companion.rules.notation import word_of
from games.schemers import Schemers, sound
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
        players = Schemers(seed, keen=rng.choice((0.4, 0.9)))
        length = 0
        for before, event in players.play(setup):
            sound(before, players.truth)
            happened[word_of(event)] += 1
            length += 1
        after = GAME.apply(before, event)
        ended = GAME.outcome(after)
        ends[f"{setup.options['secrets']} {ended.termination if ended else 'not ended'}"] += 1
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
