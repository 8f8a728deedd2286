"""What all offers share: the desk they are drafted at, prices, warnings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.games.moss import evidence, words
from companion.games.moss.cost import Need, face_of, in_words, loose, ways
from companion.games.moss.grid import Cell
from companion.games.moss.state import USE_LIMIT, Phase, State
from companion.rules.events import Event, Seat, Seconds
from companion.rules.game import OutOfPlace
from companion.rules.notation import arguments, word_of
from companion.rules.view import Action, Input

AT = Seconds(0.0)
"""Drafts are never recorded: the table gives an event its own time."""

SHOWN_WAYS = 3
"""More ways to pay than this fill a phone's screen and help nobody."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What drafting needs: the rules to try an event on, the state, who asks, and numbers worth keeping."""

    apply: Callable[[State, Event], State]
    state: State
    seat: Seat | None
    wanted: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to fill in an action: the value sent, what it says, the event that it makes, its risk."""

    value: str
    label: str
    event: Event
    risk: str = ""


def draft(
    ident: str,
    label: str,
    event: Event,
    *,
    group: str,
    inputs: tuple[Input, ...] = (),
    cost: str = "",
    refused: str = "",
    warning: str = "",
    cell: Cell | None = None,
    lead: bool = False,
) -> Action:
    """An action that sends ``event``, its inputs filled in over the event's own arguments."""
    return Action(
        id=ident,
        label=label,
        word=word_of(event),
        args=arguments(event),
        inputs=inputs,
        cost=cost,
        refused=refused,
        warning=warning,
        group=group,
        cell="" if cell is None else str(cell),
        lead=lead,
    )


def place(state: State, cell: Cell) -> str:
    """A cell with what lies there, such as ``Study (c2)``."""
    room = state.rooms[cell]
    return f"{room.tile.name} ({cell})" if room else f"{cell}, face-down"


def losing(desk: Desk, event: Event) -> str:
    """The warning for an event that loses at once; empty for one that does not, or is refused."""
    try:
        after = desk.apply(desk.state, event)
    except OutOfPlace:
        return ""
    if after.phase is Phase.LOST_TIME:
        return "This takes all the time that is left: the game is lost."
    if after.phase is Phase.LOST_NOBODY:
        return "This eliminates all ten suspects: the game is lost."
    return ""


def flips(before: State, after: State) -> str:
    """Whom a change turns face-down and up again, such as ``down: Rye Crumble``; empty for nobody."""
    was, now = evidence.out(before), evidence.out(after)
    down = [name for name in before.names if name in now and name not in was]
    up = [name for name in before.names if name in was and name not in now]
    parts = [f"down: {words.listed(down)}"] if down else []
    parts += [f"up again: {words.listed(up)}"] if up else []
    return "; ".join(parts)


def reveal_risk(state: State, cells: Iterable[Cell]) -> str:
    """A warning when suspects coming out on ``cells`` might leave nobody (C9, C10).

    It rests on what everybody sees; who comes out, and whether anybody does, is not known here.
    """
    if state.arrested:
        return ""
    down, lit = evidence.out(state), evidence.lit(state)
    left = [name for name in state.names if name not in down]
    pointed = [cell for cell in cells if state.rooms[cell] is None and cell in lit]
    if not pointed or len(left) > len(pointed) or any(name not in state.unplaced for name in left):
        return ""
    comes = "comes" if len(left) == 1 else "come"
    return (
        f"If {words.listed(left)} {comes} out on {words.listed(pointed)}, where an arrow points, "
        "all ten are eliminated and the game is lost."
    )


def parted(
    desk: Desk,
    ident: str,
    label: str,
    name: str,
    choices: Sequence[Choice],
    *,
    group: str,
    asked: str = "",
    cost: str = "",
    cell: Cell | None = None,
    lead: bool = False,
) -> Iterator[Action]:
    """One action for the choices of ``name`` that go on; others, behind a warning, for those that may not.

    Choices that may lose and choices that lose are an action each.
    """
    parts: dict[str, list[tuple[Choice, str]]] = {"": [], "-risks": [], "-loses": []}
    for choice in choices:
        lost = losing(desk, choice.event)
        parts["-loses" if lost else "-risks" if choice.risk else ""].append((choice, lost or choice.risk))
    titles = {"": label, "-risks": f"{label}, at a risk", "-loses": f"{label}, and lose"}
    for end, part in parts.items():
        if part:
            values = tuple((choice.value, choice.label) for choice, _ in part)
            yield draft(
                f"{ident}{end}",
                titles[end],
                part[0][0].event,
                group=group,
                inputs=(Input(name, asked or label, choices=values, default=part[0][0].value),),
                cost=cost,
                warning=" ".join(dict.fromkeys(warning for _, warning in part)),
                cell=cell,
                lead=lead and not end,
            )


def payable(
    desk: Desk,
    ident: str,
    label: str,
    needs: Sequence[Need],
    make: Callable[..., Event],
    *,
    group: str,
    minutes_at_once: int = 0,
    warning: str = "",
    cell: Cell | None = None,
) -> Iterator[Action]:
    """An action paid with dice, once for each way to pay; one that is refused when there is none.

    ``make`` makes the event from ``dice=``, the names of the dice.
    """
    state = desk.state
    found: tuple[tuple[str, ...], ...] = () if needs else ((),)
    for need in needs:
        found = found or ways(state, need, desk.wanted)
    if not found:
        why = shortfall(state, needs[0])
        yield draft(ident, label, make(dice=()), group=group, refused=why, cell=cell)
        return
    for number, dice in enumerate(found[:SHOWN_WAYS]):
        event = make(dice=dice)
        cost = in_words(state, dice)
        if minutes_at_once:
            cost += f", {words.minutes(minutes_at_once)} at once"
        yield draft(
            ident if number == 0 else f"{ident}-{number + 1}",
            label,
            event,
            group=group,
            cost=cost,
            warning=losing(desk, event) or warning,
            cell=cell,
        )


def shortfall(state: State, need: Need) -> str:
    """Why no dice pay ``need``: what is needed and what is there."""
    left = USE_LIMIT - len(state.turn.used)
    if need.count > left:
        more = (
            f"only {words.number(left)} more may be used in this turn" if left else "six are used already"
        )
        return f"{need.what} needs {need}; {more}."
    faces = sorted(face_of(state, die) for die in loose(state))
    there = f"is {faces[0]}" if len(faces) == 1 else f"are {words.listed(faces) or 'no dice'}"
    return f"{need.what} needs {need}; there {there}."
