"""One seat's screen. Everybody sees the same but for who may act, and the own board large."""

from companion.games.teatime import words
from companion.games.teatime.offers import offers
from companion.games.teatime.panels import everybody, own
from companion.games.teatime.pieces import DICE, IDS, KIND, SPARE, TOKENS
from companion.games.teatime.pool import acting
from companion.games.teatime.prompts import prompts, warnings
from companion.games.teatime.rolling import THROWS
from companion.games.teatime.rounds import by_detective, outcome, placed, timer, total
from companion.games.teatime.state import NOBODY, Phase, State
from companion.games.teatime.steps import demand
from companion.rules.events import Seat
from companion.rules.view import Dice, DieShown, Panel, Standing, Standings, Text, View

_PLAYED = frozenset({Phase.ROLL, Phase.CHOOSE, Phase.OTHERS})


def seen_by(title: str, state: State, seat: Seat | None) -> View:
    """The screen of ``seat``; with None, what everybody may see."""
    ended = outcome(state)
    panels: list[Panel] = []
    for name, lines, tone in (("Now", prompts(state), "prompt"), ("Mind", warnings(state), "warning")):
        panels += [Text(name, lines, tone)] if lines else []
    panels += [_dice(state, seat)] if state.phase in _PLAYED else []
    panels += _boards(state, seat)
    panels += [_score(state, seat) if ended else _standings(state, seat)]
    panels += _sheets(state, seat) if ended and state.rules.picture else []
    return View(
        title=title,
        phase=_phase(state),
        headline=ended.text if ended else demand(state),
        panels=tuple(panels),
        actions=offers(state, seat),
        timer=timer(state),
        face="teatime",
    )


def _phase(state: State) -> str:
    if state.phase is Phase.END:
        return "Tea is over"
    last = ", the last" if state.over else ""
    return f"Round {state.round}{last}" if state.round else "Before the first round"


def _dice(state: State, seat: Seat | None) -> Dice:
    """The dice; their keeper holds some of them by tapping. Those taken lie aside."""
    faces = state.dice or ("",) * DICE
    dice = tuple(
        DieShown(die, KIND, face, _die_state(state, die, face))
        for die, face in zip(IDS, faces, strict=True)
    )
    mine = seat == state.seats[state.active]
    again = state.phase is Phase.ROLL and state.throws and mine
    return Dice("Dice", dice, tap="dice_held" if again else "", note=_note(state))


def _die_state(state: State, die: str, face: str) -> str:
    if not face:
        return "unknown"
    if state.phase is Phase.OTHERS:
        return "used" if face == str(state.taken) or state.special else "loose"
    return "held" if die in state.held and state.phase is Phase.ROLL else "loose"


def _note(state: State) -> str:
    if state.phase is Phase.OTHERS:
        return "Nobody else uses these" if state.special else "The bright ones are the pool"
    if state.special:
        return state.special.value
    if not state.throws:
        return "Not thrown yet"
    return f"Throw {state.throws} of {THROWS}" if state.phase is Phase.ROLL else "These stay"


def _boards(state: State, seat: Seat | None) -> list[Panel]:
    """The own board to be tapped, once there is something to choose; and all boards small."""
    panels: list[Panel] = []
    if not state.round:
        return panels
    place = state.seats.index(Seat(str(seat))) if seat in state.seats else NOBODY
    if place != NOBODY and (state.rules.picture or state.phase in _PLAYED):
        panels.append(own(state, place))
    if state.rules.picture:
        panels.append(everybody(state, but=place))
    return panels


def _standings(state: State, seat: Seat | None) -> Standings:
    now = acting(state)
    rows = []
    for place, who in enumerate(state.seats):
        player = state.players[place]
        marks = ["dice"] if place == state.active and state.phase in _PLAYED else []
        marks += ["to act"] if place in now else []
        cells = [f"{placed(state, place)} of {TOKENS}", str(sum(player.right)), str(sum(player.discard))]
        cells += [str(total(state, place))] if state.rules.picture else []
        rows.append(Standing(state.called(place), "", tuple(cells), seat == who, ", ".join(marks)))
    columns = ("Tokens", "Dice tiles", "Discards", *(("Now",) if state.rules.picture else ()))
    note = f"Now: what it would count, with {SPARE} for each token left." if state.rules.picture else ""
    return Standings("Everybody", columns, tuple(rows), note)


def _score(state: State, seat: Seat | None) -> Standings:
    """The score sheet."""
    rows = []
    for place, who in enumerate(state.seats):
        left = SPARE * (TOKENS - placed(state, place))
        lit = total(state, place) - left
        cells = (str(placed(state, place)), str(lit), str(left), str(total(state, place)))
        rows.append(Standing(state.called(place), "", cells, seat == who))
    return Standings("Score", ("Tokens", "Lit", "Spare", "Points"), tuple(rows))


def _sheets(state: State, seat: Seat | None) -> list[Panel]:
    """Detective by detective: at length on phones, in a line for each player on the table screen."""
    if seat is None:
        lines = tuple(
            f"{name}: {'; '.join(' + '.join(map(str, values)) for _, values in by_detective(state, place))}"
            for place, name in enumerate(state.names)
            if placed(state, place)
        )
        return [Text("What their detectives light", lines)] if lines else []
    return [_sheet(state, place) for place in range(len(state.seats))]


def _sheet(state: State, place: int) -> Text:
    lines = [
        f"{words.begun(words.place(cell))}: {' + '.join(map(str, values))} = {sum(values)}"
        for cell, values in by_detective(state, place)
    ]
    left = TOKENS - placed(state, place)
    lines.append(f"{words.begun(words.counted(left, 'token'))} left over: {SPARE * left}")
    return Text(f"{state.called(place)}: {total(state, place)} points", tuple(lines))
