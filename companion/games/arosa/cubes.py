"""Which cube is which, after the game: the drops heard, followed through the floors that were lifted.

Cubes of one colour look alike. A drop's floor is certain when a floor held every cube of its colour
that was in the tower; else the drops that fitted best are taken to have been the ones found.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, prod

from companion.games.arosa.pieces import VICTIM
from companion.games.arosa.state import Drop, Fallen, Reveal, State
from companion.rules.events import Seconds


@dataclass
class Tracked:
    """``certain`` and ``likely``: the floor where a drop's cube was found, by the drop's id.

    ``stays``: for each colour its drops, with the time when each left the tower again.
    """

    floors: Mapping[str, tuple[float, ...]]
    certain: dict[str, int] = field(default_factory=dict)
    likely: dict[str, int] = field(default_factory=dict)
    stays: dict[str, list[tuple[Drop, float]]] = field(default_factory=dict)

    def there(self, colour: str, floor: int, at: Seconds) -> float | None:
        """The chance, by the tower, that a cube of ``colour`` lay on ``floor`` then; None if unheard."""
        inside = [drop for drop, left in self.stays.get(colour, []) if drop.at <= at <= left]
        known = [self.floors[drop.id] for drop in inside if self.floors.get(drop.id)]
        return 1.0 - prod(1.0 - chances[floor] for chances in known) if known else None


def tracked(state: State, floors: Mapping[str, tuple[float, ...]]) -> Tracked:
    """Follow every drop of ``state``; ``floors`` are the tower's chances by the drop's id."""
    track = Tracked(floors)
    for place, colour in enumerate((*state.colours, VICTIM)):
        _follow(state, track, colour, place)
    return track


def _follow(state: State, track: Tracked, colour: str, place: int) -> None:
    drops = [drop for drop in state.drops if drop.colour == colour]
    inside: list[Drop] = []
    left: dict[str, float] = {}
    mixed = False
    for fact in _in_order(state, drops):
        if isinstance(fact, Drop):
            inside.append(fact)
            continue
        out, every = _taken(fact, place)
        if isinstance(fact, Reveal):
            chosen = inside if every and out else _best(inside, track.floors, fact.floor, out)
            track.likely.update((drop.id, fact.floor) for drop in chosen)
            if every and not mixed and len(chosen) <= out:
                track.certain.update((drop.id, fact.floor) for drop in chosen)
        gone = inside if every else chosen if isinstance(fact, Reveal) else inside[:out]
        mixed = not every and (mixed or bool(out))
        left.update((drop.id, float(fact.at)) for drop in gone)
        inside = [drop for drop in inside if drop.id not in left]
    track.stays[colour] = [(drop, left.get(drop.id, inf)) for drop in drops]


def _in_order(state: State, drops: list[Drop]) -> list[Drop | Reveal | Fallen]:
    facts: list[Drop | Reveal | Fallen] = [*state.reveals, *state.fallen, *drops]
    return sorted(facts, key=lambda fact: (fact.at, isinstance(fact, Drop)))


def _taken(fact: Reveal | Fallen, place: int) -> tuple[int, bool]:
    """How many cubes of a colour left the tower, and whether none of it stayed inside."""
    if isinstance(fact, Fallen):
        return fact.cubes[place], False
    out = (*fact.found, fact.victims)[place]
    return out, out == fact.inside[place]


def _best(inside: list[Drop], floors: Mapping[str, tuple[float, ...]], floor: int, n: int) -> list[Drop]:
    """The ``n`` drops that may best have come to rest on ``floor``."""
    ranked = sorted(inside, key=lambda drop: -(floors.get(drop.id) or (0.0,) * 8)[floor])
    return ranked[:n]
