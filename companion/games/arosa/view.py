"""One seat's screen. All see the same, but for private notes and what leads whose phone."""

from collections import Counter

from companion.games.arosa import asked, words
from companion.games.arosa.ending import culprits, outcome, scores, why, winners
from companion.games.arosa.offers import label, offers
from companion.games.arosa.pieces import FLOORS, TEN, VICTIM, points, worth
from companion.games.arosa.prompts import near_the_end, prompts, warnings
from companion.games.arosa.state import Phase, State
from companion.games.arosa.steps import THROWS, Step, demand, pending, step, thrower
from companion.rules.events import Seat
from companion.rules.timer import Timer
from companion.rules.view import Panel, Pieces, Standing, Standings, Storey, Storeys, Text, Throws, View

PHASES = {
    Phase.PROLOG: "Prolog",
    Phase.ACT1: "Act I: searching for victims",
    Phase.ACT2: "Act II: suspecting and covering",
    Phase.END: "Finale",
}
TRAINING = "Training: ears against sensors. What the tower senses is open."


def seen_by(title: str, state: State, seat: Seat | None) -> View:
    """The screen of ``seat``; with None, what everybody may see."""
    ended = outcome(state)
    panels: list[Panel] = []
    if ended is not None:
        panels.append(Text("Culprit and winner", _reckoning(state)))
    else:
        texts = (
            ("Now", prompts(state), "prompt"),
            ("Mind", warnings(state), "warning"),
            ("Near the end", near_the_end(state), "prompt"),
        )
        panels += [Text(head, lines, tone) for head, lines, tone in texts if lines]
    if step(state) in THROWS or state.throwing.waiting:
        panels.append(_throws(state, seat))
    panels += [_sheet(state), _standings(state, seat), *_own(state, seat), *_notes(state, seat)]
    return View(
        title=title,
        phase=PHASES[state.phase],
        headline=f"The game ends now: {why(state)}" if ended else demand(state),
        panels=tuple(panels),
        actions=offers(state, seat),
        timer=_timer(state),
        face="arosa",
        banner=TRAINING if state.rules.training else "",
    )


def _timer(state: State) -> Timer | None:
    running = state.rules.turn_s and state.turn.number and not state.turn.rung
    return asked.turn_timer(state) if running and step(state) is not Step.OVER else None


def _throws(state: State, seat: Seat | None) -> Throws:
    throwing = state.throwing
    fresh = not throwing.done
    done = Counter(cube.colour for cube in throwing.named) if fresh else Counter()
    heard = sum(bool(cube.drop) for cube in throwing.named) + len(throwing.waiting) if fresh else 0
    notes = []
    if throwing.waiting:
        waits = words.counted(len(throwing.waiting), "cube")
        notes.append(f"{words.begun(waits)} heard and not yet named.")
    if step(state) is Step.RETURN and state.turn.penalty:
        notes.append(f"After these the penalty: {state.turn.penalty} {state.colours[state.active]}.")
    throws_now = step(state) in THROWS
    return Throws(
        title="Into the shaft",
        thrower=thrower(state),
        left=tuple(Pieces(colour, label(state, colour), n) for colour, n in pending(state)),
        done=tuple(Pieces(colour, label(state, colour), n) for colour, n in done.items()),
        heard=heard if state.tower_hears or throwing.waiting else None,
        tap="cube_thrown" if throws_now and seat == state.seats[state.active] else "",
        hush=throws_now,
        note=" ".join(notes),
    )


def _sheet(state: State) -> Storeys:
    victims = Counter(floor for reveal in state.reveals for floor in [reveal.floor] * reveal.victims)
    storeys = []
    for floor in reversed(FLOORS):
        pieces = [Pieces(VICTIM, label(state, VICTIM), victims[floor])] if victims[floor] else []
        for player, colour in enumerate(state.colours):
            if state.sheet[player][floor]:
                pieces.append(Pieces(colour, label(state, colour), state.sheet[player][floor]))
        scene = floor in state.scenes
        storeys.append(
            Storey(
                ref=str(floor),
                label=f"Floor {floor}" if floor else "Floor 0, ground floor",
                pieces=tuple(pieces),
                worth=worth(floor, state.scenes) if state.scenes else 0,
                scene=scene,
                lifted=state.turn.floor == floor and step(state) is not Step.OVER,
                note="crime scene" if scene else "",
            )
        )
    return Storeys("Investigation sheet", tuple(storeys), _scenes(state))


def _scenes(state: State) -> str:
    if not state.scenes:
        return "No victim has been found."
    named = words.listed(words.floor(floor) for floor in state.scenes)
    scenes = "Crime scenes" if len(state.scenes) > 1 else "Crime scene"
    left = {0: "", 1: " One victim is still to be found."}.get(2 - state.found, "")
    return f"{scenes}: {named}.{left}"


def _standings(state: State, seat: Seat | None) -> Standings:
    counted = scores(state)
    now = step(state)
    doing = "" if now is Step.OVER else "throws" if now in THROWS else "investigates"
    rows = []
    for player, (who, colour) in enumerate(zip(state.seats, state.colours, strict=True)):
        on = state.on_sheet(player)
        numbers = (state.supply[player], on, counted[player], max(0, TEN - on), state.tower[player])
        mark = doing if player == state.active else ""
        cells = tuple(str(n) for n in numbers)
        rows.append(Standing(f"{state.called(who)}, {colour}", colour, cells, seat == who, mark))
    columns = ("Supply", "On the sheet", "Points", "To ten", "In the tower")
    return Standings("Everybody", columns, tuple(rows))


def _own(state: State, seat: Seat | None) -> list[Panel]:
    if seat not in state.seats:
        return []
    player = state.seats.index(Seat(str(seat)))
    sheet = state.sheet[player]
    lines = [
        f"{words.begun(words.floor(f))}: {words.counted(n, 'clue')} at {worth(f, state.scenes)}"
        for f, n in reversed(tuple(enumerate(sheet)))
        if n
    ]
    total = points(sheet, state.scenes)
    left = TEN - sum(sheet)
    lines.append(
        f"{total} suspicion points on the sheet; {words.number(max(0, left))} more clues make ten."
    )
    lines.append(f"{words.begun(words.counted(state.supply[player], 'clue'))} left in your supply.")
    return [Text(f"Your clues ({state.colours[player]})", tuple(lines))]


def _notes(state: State, seat: Seat | None) -> list[Panel]:
    own = [guess for guess in state.guesses if guess.seat == seat]
    lines = tuple(f"{words.begun(guess.colour)} on {words.floor(guess.floor)}" for guess in own)
    return [Text("For your eyes only", lines, "secret")] if lines else []


def _reckoning(state: State) -> tuple[str, ...]:
    """One player after another, from the fewest points to the most (A21, A22)."""
    counted = scores(state)
    lines = []
    for player in sorted(range(len(state.seats)), key=lambda p: counted[p]):
        title = []
        if player in winners(state):
            title.append("a winner" if len(winners(state)) > 1 else "the winner")
        if player in culprits(state):
            title.append("a culprit" if len(culprits(state)) > 1 else "the culprit")
        verdict = f" – {' and '.join(title)}" if title else ""
        name = state.name(player)
        lines.append(f"{name}: {_parts(state, player)}{counted[player]} suspicion points{verdict}.")
    return tuple(lines)


def _parts(state: State, player: int) -> str:
    each = Counter[int]()
    for floor, n in enumerate(state.sheet[player]):
        each[worth(floor, state.scenes)] += n
    where = {3: "at a crime scene", 2: "beside one", 1: "elsewhere"}
    parts = [f"{each[w]} {where[w]} ({each[w]} × {w})" for w in (3, 2, 1) if each[w]]
    return f"{', '.join(parts)}: " if parts else "no clues on the sheet: "
