"""Offers of the assistance tokens, and private notes."""

from collections.abc import Iterator

from companion.games.moss import events as ev
from companion.games.moss import words
from companion.games.moss.cost import face_of, loose
from companion.games.moss.desk import AT, Choice, Desk, draft, parted, reveal_risk
from companion.games.moss.dice import WHITE_KIND, kind_of
from companion.games.moss.evidence import KINDS
from companion.games.moss.grid import CELLS, NEIGHBOURS
from companion.games.moss.house import crossing, edge
from companion.games.moss.state import Clue
from companion.rules.view import Action, Input

GROUP = "Tokens"


def dropping(desk: Desk) -> Iterator[Action]:
    """Which of four tokens to leave here."""
    for kind in dict.fromkeys(desk.state.carried):
        event = ev.TokenDropped(at=AT, token=kind)
        yield draft(f"drop-{kind}", f"Drop the {words.TOKENS[kind]} here", event, group=GROUP, lead=True)


def lucky(desk: Desk) -> Iterator[Action]:
    """The Lucky Break turns one white die that is not used."""
    state = desk.state
    tokens = state.carried.count("lucky_break")
    if not tokens:
        return
    white = [die for die in loose(state) if kind_of(die) == WHITE_KIND]
    event = ev.LuckyBreakUsed(at=AT, die=white[0] if white else "w1", face=1)
    label = "Lucky Break: set a white die"
    if state.turn.lucky >= tokens or not white:
        why = "The Lucky Break has been used in this turn." if white else "No white die is left to turn."
        yield draft("lucky", label, event, group=GROUP, refused=why)
        return
    dice = tuple((die, f"the {face_of(state, die)} ({die})") for die in white)
    faces = tuple((str(face), str(face)) for face in range(1, 7))
    inputs = (
        Input("die", "Die to turn", choices=dice, default=dice[0][0]),
        Input("face", "To show", choices=faces, default="1"),
    )
    yield draft("lucky", label, event, group=GROUP, inputs=inputs)


def free(desk: Desk) -> Iterator[Action]:
    """Tokens that work at any time in a turn, for no dice."""
    carried = desk.state.carried
    if "informant" in carried:
        yield from _informant(desk)
    if "passageway" in carried:
        yield from _passageway(desk)
    if "switch" in carried:
        yield from _switch(desk)
    if "bomb" in carried:
        yield from _bomb(desk)


def notes(desk: Desk) -> Iterator[Action]:
    """A note that only its writer sees."""
    if desk.seat is not None:
        asked = Input("text", "Your note, for your eyes only", kind="note")
        yield draft(
            "note", "Write a private note", ev.NoteWritten(at=AT, text=""), group="Notes", inputs=(asked,)
        )


def naming(desk: Desk) -> Iterator[Action]:
    """The names printed on the table's own suspects."""
    state = desk.state
    if state.rules.dealt:
        return
    who = tuple((name, name) for name in state.names)
    first = next((name for name in state.names if name.startswith("Suspect ")), state.names[0])
    inputs = (
        Input("suspect", "Suspect", choices=who, default=first),
        Input("name", "Name on the token", kind="text"),
    )
    event = ev.SuspectNamed(at=AT, suspect=first, name="")
    yield draft("name", "Name a suspect", event, group="Notes", inputs=inputs)


def _informant(desk: Desk) -> Iterator[Action]:
    state = desk.state
    clue = state.clue_at(state.moss)
    hidden = clue is not None and not clue.shown
    why = "" if hidden else f"There is no hidden evidence on {state.moss} to look at."
    if desk.seat is None and hidden:
        why = "Somebody at the table has to look: tap it on your own screen."
    label = "Informant: look at the evidence here"
    yield draft("informant", label, ev.InformantUsed(at=AT), group=GROUP, refused=why, cell=state.moss)


def _passageway(desk: Desk) -> Iterator[Action]:
    state = desk.state
    for cell in CELLS:
        room = state.rooms[cell]
        where = room.tile.name if room else "still face-down, it is turned up"
        label = f"Put the Secret Passageway on {cell} ({where})"
        event = ev.PassagewayPlaced(at=AT, cell=cell)
        risk = reveal_risk(state, (cell,))
        yield draft(f"passageway-{cell}", label, event, group=GROUP, warning=risk, cell=cell)


def _switch(desk: Desk) -> Iterator[Action]:
    clues = desk.state.clues
    if len(clues) < 2:
        event = ev.EvidenceSwitched(at=AT, first=desk.state.moss, second=desk.state.moss)
        why = "Switch 2 needs two evidence tokens that have come out."
        yield draft(
            "switch", "Switch 2: two evidence tokens change places", event, group=GROUP, refused=why
        )
        return
    for number, clue in enumerate(clues[:-1]):
        choices = [
            Choice(
                str(other.home),
                _clue(other),
                ev.EvidenceSwitched(at=AT, first=clue.home, second=other.home),
            )
            for other in clues[number + 1 :]
        ]
        label = f"Switch 2: the {_clue(clue)} changes places"
        yield from parted(
            desk, f"switch-{clue.home}", label, "second", choices, group=GROUP, cell=clue.home
        )


def _bomb(desk: Desk) -> Iterator[Action]:
    """Walls that a bomb would open, each beside a face-up tile."""
    state = desk.state
    for cell in CELLS:
        for side in (1, 2):
            there = NEIGHBOURS[cell][side]
            if there is None or (state.rooms[cell] is None and state.rooms[there] is None):
                continue
            if edge(cell, there) in state.bombs or crossing(state, cell, side) == 0:
                continue
            event = ev.BombPlaced(at=AT, first=cell, second=there)
            beyond = (cell, there) if state.moss in {cell, there} else ()
            yield draft(
                f"bomb-{cell}-{there}",
                f"Bomb a doorway between {cell} and {there}",
                event,
                group=GROUP,
                warning=reveal_risk(state, beyond),
                cell=there if cell == state.moss else cell,
            )


def _clue(clue: Clue) -> str:
    return f"{KINDS[clue.kind] if clue.shown else 'hidden evidence'} of {clue.home}"
