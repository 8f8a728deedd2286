"""What actions ask of the dice (M13 to M22, M30), which dice pay it best, and what it costs.

A 6 stands for any number. A face is 1 to 6; dice are named as in ``state.DICE``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.games.moss import words
from companion.games.moss.state import COLOURED, DICE, PLACE, USE_LIMIT, State

WILD = 6


@dataclass(frozen=True, slots=True)
class Need:
    """Dice that an action asks for: ``count`` of them, ``kind`` number, same or run.

    ``number`` belongs to the kind ``number``; ``what`` begins the sentence, ``why`` ends it.
    """

    what: str
    kind: str
    count: int
    number: int = 0
    why: str = ""

    def met_by(self, faces: Sequence[int]) -> bool:
        """Whether exactly these faces pay.

        >>> Need("Gathering", "run", 4).met_by((2, 3, 6, 5))
        True
        >>> Need("Gathering", "run", 4).met_by((1, 2, 5, 6))
        False
        """
        plain = [face for face in faces if face != WILD]
        if len(faces) != self.count:
            return False
        if self.kind == "number":
            return all(face == self.number for face in plain)
        if self.kind == "same":
            return len(set(plain)) <= 1
        return len(set(plain)) == len(plain) and (not plain or max(plain) - min(plain) < self.count)

    def __str__(self) -> str:
        dice = words.counted(self.count, "die", "dice")
        asked = {
            "number": f"{dice} showing {self.number}",
            "same": f"{dice} of one number",
            "run": f"{dice} in a row, such as {words.listed(range(2, 2 + self.count))}",
        }[self.kind]
        return f"{asked} ({self.why})" if self.why else asked


def loose(state: State) -> tuple[str, ...]:
    """The dice that have been thrown and are not used yet."""
    return tuple(die for die in DICE if die not in state.turn.used) if state.turn.faces else ()


def face_of(state: State, die: str) -> int:
    """The face of a thrown die."""
    return state.turn.faces[PLACE[die]]


def six_minutes(state: State, dice: Iterable[str]) -> int:
    """Extra minutes for using these dice: one for each 6 (M13, option ``coloured_six_adds``)."""
    return sum(
        face_of(state, die) == WILD and (die != DICE[COLOURED] or state.rules.coloured_six_adds)
        for die in dice
    )


def turn_minutes(state: State) -> int:
    """What this turn costs as it stands: the coloured die and the used sixes (M32); 0 before a throw."""
    if not state.turn.faces:
        return 0
    return state.turn.faces[COLOURED] + six_minutes(state, state.turn.used)


def ways(state: State, need: Need, wanted: frozenset[int] = frozenset()) -> tuple[tuple[str, ...], ...]:
    """The sets of loose dice that pay ``need``, the best first; one for every choice of numbers.

    Best is fewest minutes, then fewest sixes, then fewest faces that are ``wanted`` elsewhere. The
    coloured die goes first among equals: it counts for the time whether used or not, and Lucky Break
    can only turn white ones.
    """
    if need.count > USE_LIMIT - len(state.turn.used):
        return ()
    by_face: dict[int, list[str]] = {}
    for die in sorted(loose(state), key=lambda die: die != DICE[COLOURED]):
        by_face.setdefault(face_of(state, die), []).append(die)
    found: dict[tuple[tuple[int, int], ...], tuple[str, ...]] = {}
    for numbers in _targets(need):
        dice = _paid(numbers, by_face)
        if dice is not None:
            faces = Counter(face_of(state, die) for die in dice)
            found.setdefault(tuple(sorted(faces.items())), dice)

    def price(dice: tuple[str, ...]) -> tuple[int, int, int]:
        faces = [face_of(state, die) for die in dice]
        return (six_minutes(state, dice), faces.count(WILD), sum(face in wanted for face in faces))

    return tuple(sorted(found.values(), key=price))


def _targets(need: Need) -> tuple[tuple[int, ...], ...]:
    if need.kind == "number":
        return ((need.number,) * need.count,)
    if need.kind == "same":
        return tuple((number,) * need.count for number in range(1, 7))
    return tuple(tuple(range(first, first + need.count)) for first in range(1, 8 - need.count))


def _paid(numbers: Sequence[int], by_face: dict[int, list[str]]) -> tuple[str, ...] | None:
    """Dice for these numbers, a 6 only where its number is missing."""
    taken: Counter[int] = Counter()
    dice: list[str] = []
    sixes = 0
    for number in numbers:
        if number != WILD and taken[number] < len(by_face.get(number, ())):
            dice.append(by_face[number][taken[number]])
            taken[number] += 1
        else:
            sixes += 1
    if sixes > len(by_face.get(WILD, ())):
        return None
    return (*dice, *by_face.get(WILD, [])[:sixes])


def in_words(state: State, dice: Sequence[str]) -> str:
    """The price of using these dice, such as ``2 dice: 4 6, +1 minute``."""
    if not dice:
        return "no dice"
    faces = " ".join(str(face_of(state, die)) for die in dice)
    extra = six_minutes(state, dice)
    count = "1 die" if len(dice) == 1 else f"{len(dice)} dice"
    return f"{count}: {faces}" + (f", +{words.minutes(extra)}" if extra else "")
