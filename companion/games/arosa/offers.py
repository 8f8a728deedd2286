"""What a seat can do now: whole events, and why not what cannot be done yet.

Any seat may tap what the table does; the likely next step leads on the phone of the player whose turn
it is, and stands under that player's name on all others.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.arosa import events as ev
from companion.games.arosa import throws, turns, words
from companion.games.arosa.pieces import COLOURS, FLOORS, VICTIM, worth
from companion.games.arosa.state import SUSPICION, State, colour_counts
from companion.games.arosa.steps import THROWS, Step, pending, step, thrower
from companion.rules.events import CubesSeen, Event, Seat, Seconds
from companion.rules.notation import arguments, word_of
from companion.rules.view import Action, Input

AT = Seconds(0.0)
"""Drafts are never recorded: the table gives an event its own time."""
AMISS = "If something went wrong"
NOTES = "Your own notes"


@dataclass(frozen=True, slots=True)
class Desk:
    """Who asks, and what stands over and before the actions of the player whose turn it is."""

    state: State
    seat: Seat | None
    lead: bool
    group: str


def offers(state: State, seat: Seat | None) -> tuple[Action, ...]:
    """Everything meaningful now; nothing after the end."""
    now = step(state)
    if now is Step.OVER:
        return ()
    asked = now in {Step.KNIFE, Step.HOTEL}
    mine = asked or seat == state.seats[state.active]
    group = "Who begins?" if asked else "Your turn" if mine else f"For {thrower(state)}"
    desk = Desk(state, seat, mine and seat is not None, group)
    drafts = [_strays, _check]
    drafts += {
        Step.KNIFE: [_begin],
        Step.HOTEL: [_begin],
        Step.CALL: [_call],
        Step.LIFT: [_lift],
        Step.INSPECT: [_inspect],
        Step.RECOVER: [_recover],
    }.get(now, [_throw])
    drafts += [_amiss, _colours, _notes]
    return tuple(action for drafted in drafts for action in drafted(desk))


def label(state: State, colour: str) -> str:
    """A cube's colour with whose it is, such as ``Anna, blue``.

    The victims' is ``Victim, red``.
    """
    player = state.player_of(colour)
    whose = "Victim" if colour == VICTIM else state.name(player)
    return f"{whose}, {colour}"


def _draft(
    ident: str,
    text: str,
    event: Event,
    group: str,
    *,
    inputs: tuple[Input, ...] = (),
    refused: str = "",
    warning: str = "",
    cost: str = "",
    cell: str = "",
    lead: bool = False,
) -> Action:
    return Action(
        ident, text, word_of(event), arguments(event), inputs, cost, refused, warning, group, cell, lead
    )


def _begin(desk: Desk) -> Iterator[Action]:
    for seat in desk.state.seats:
        event = ev.BeginnerNamed(at=AT, player=seat)
        yield _draft(f"begin-{seat}", desk.state.called(seat), event, desk.group, lead=desk.lead)


def _colours(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if not turns.colours_open(state):
        return
    player = state.seats.index(desk.seat) if desk.seat in state.seats else 0
    seat = state.seats[player]
    players = tuple((s, state.called(s)) for s in state.seats)
    colours = tuple((colour, words.begun(colour)) for colour in COLOURS)
    event = ev.ColourTaken(at=AT, player=seat, colour=state.colours[player])
    inputs = (
        Input("player", "Who", choices=players, default=event.player),
        Input("colour", "Plays", choices=colours, default=event.colour),
    )
    yield _draft("colour", "Play another colour", event, "Before the first throw", inputs=inputs)


def _call(desk: Desk) -> Iterator[Action]:
    state = desk.state
    others = tuple((s, state.called(s)) for s in state.seats if s != state.seats[state.active])
    alone = len(others) == 1
    event = ev.SuspicionVoiced(at=AT, suspects=(others[0][0],) if alone else ())
    inputs = () if alone else (Input("suspects", "Whom", "several", others),)
    text = f"Suspect {others[0][1]}" if alone else "Suspect others"
    yield _draft("suspect", text, event, desk.group, inputs=inputs, lead=desk.lead)
    bare = not state.on_sheet(state.active)
    warning = f"{thrower(state)} has no clue on the sheet: there is nothing to cover." if bare else ""
    refused = turns.why_no_cover(state)
    covering = ev.CoverCalled(at=AT)
    yield _draft(
        "cover", "Cover tracks", covering, desk.group, refused=refused, warning=warning, lead=desk.lead
    )


def _lift(desk: Desk) -> Iterator[Action]:
    state = desk.state
    for floor in reversed(FLOORS):
        warning = ""
        if floor == 0 and state.turn.called == SUSPICION:
            warning = (
                f"Without a clue of {thrower(state)} on the ground floor nobody lays anything there, and "
                f"each suspect costs a clue."
            )
        counts = f"{worth(floor, state.scenes)} a clue" if state.scenes else ""
        event = ev.FloorLifted(at=AT, floor=floor)
        text = f"Lift {words.floor(floor)}"
        yield _draft(
            f"lift-{floor}",
            text,
            event,
            desk.group,
            warning=warning,
            cost=counts,
            cell=str(floor),
            lead=desk.lead,
        )


def _inspect(desk: Desk) -> Iterator[Action]:
    there = words.floor(desk.state.turn.floor or 0)
    event = CubesSeen(at=AT, cubes=())
    if turns.visible(desk.state).most:
        asked = (_counters(desk.state, f"On {there}"),)
        yield _draft("seen", "Count what lies there", event, desk.group, inputs=asked, lead=desk.lead)
    yield _draft("seen-nothing", f"Nothing lies on {there}", event, desk.group, lead=desk.lead)


def _recover(desk: Desk) -> Iterator[Action]:
    for count in range(desk.state.turn.recoverable, -1, -1):
        event = ev.CluesRecovered(at=AT, count=count)
        text = f"Take {words.counted(count, 'clue')} back" if count else "Take none back"
        yield _draft(f"recover-{count}", text, event, desk.group, lead=desk.lead)


def _throw(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if not desk.lead:
        for colour, n in pending(state):
            event = ev.CubeThrown(at=AT, colour=colour)
            yield _draft(
                f"throw-{colour}", f"{label(state, colour)} is thrown", event, desk.group, cost=f"{n} left"
            )


def _strays(desk: Desk) -> Iterator[Action]:
    state = desk.state
    for stray in state.strays[:1]:
        for seat, colour in zip(state.seats, state.colours, strict=True):
            event = ev.StrayNamed(at=AT, drop=stray.id, colour=colour)
            text = f"{label(state, colour)}: from {state.called(seat)}'s supply"
            yield _draft(f"stray-{colour}", text, event, "One more cube went in: whose?")
        away = ev.StrayPutAway(at=AT, drop=stray.id)
        text = "No new cube: a finger, a knock, or one that had fallen out"
        yield _draft("stray-away", text, away, "One more cube went in: whose?")


def _check(desk: Desk) -> Iterator[Action]:
    if desk.state.throwing.asked and throws.unheard(desk.state):
        group = "Did a cube stick?"
        yield _draft("all-in", "All are in", ev.CubesChecked(at=AT, stuck=False), group, lead=True)
        again = ev.CubesChecked(at=AT, stuck=True)
        yield _draft("stuck", "One had stuck and went in now", again, group, lead=True)


def _amiss(desk: Desk) -> Iterator[Action]:
    state, now = desk.state, step(desk.state)
    why = throws.why_no_miss(state)
    if now in THROWS or not why:
        event = ev.ThrowMissed(at=AT)
        yield _draft("missed", "The last cube missed the shaft", event, AMISS, refused=why)
    if now not in {Step.KNIFE, Step.PROLOG, Step.HOTEL} and turns.visible(state).most:
        fallen = ev.CubesFellOut(at=AT, cubes=())
        yield _draft("fell-out", "Cubes fell out", fallen, AMISS, inputs=(_counters(state, "Fell out"),))


def _notes(desk: Desk) -> Iterator[Action]:
    state, seat = desk.state, desk.seat
    if seat not in state.seats or turns.colours_open(state):
        return
    colours = (*state.colours, VICTIM) if state.found < 2 else state.colours
    inputs = (
        Input("colour", "Cube", choices=tuple((c, label(state, c)) for c in colours), default=colours[0]),
        Input(
            "floor", "Lies on floor", choices=tuple((str(f), str(f)) for f in reversed(FLOORS)), default="7"
        ),
    )
    event = ev.GuessNoted(at=AT, colour=colours[0], floor=7)
    yield _draft("note", "Note what you heard", event, NOTES, inputs=inputs)
    own = tuple(guess for guess in state.guesses if guess.seat == seat)
    if own:
        noted = tuple((guess.note, f"{guess.colour} on {words.floor(guess.floor)}") for guess in own)
        struck = ev.GuessStruck(at=AT, note=noted[0][0])
        asked = Input("note", "Which", choices=noted, default=noted[0][0])
        yield _draft("strike", "Strike out a note", struck, NOTES, inputs=(asked,))


def _counters(state: State, asked: str) -> Input:
    most = colour_counts(state, state.tower, state.inside)
    choices = tuple((colour, label(state, colour)) for colour, _ in most)
    return Input("cubes", asked, "cubes", choices, most=tuple(n for _, n in most))
