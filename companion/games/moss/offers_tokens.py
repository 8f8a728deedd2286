"""Offers of the assistance tokens, and private notes."""

from collections.abc import Iterator
from itertools import combinations

from companion.games.moss import events as ev
from companion.games.moss import words
from companion.games.moss.cost import face_of, loose
from companion.games.moss.desk import AT, Choice, Desk, draft, flips, parted, place, reveal_risk
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
        yield draft(f"drop-{kind}", f"Drop {words.the(kind)} here", event, group=GROUP, lead=True)


def lucky(desk: Desk) -> Iterator[Action]:
    """The Lucky Break turns one white die that is not used."""
    state = desk.state
    tokens = state.carried.count("lucky_break")
    if not tokens:
        return
    white = sorted(
        (die for die in loose(state) if kind_of(die) == WHITE_KIND), key=lambda die: die in state.turn.held
    )
    event = ev.LuckyBreakUsed(at=AT, die=white[0] if white else "w1", face=1)
    label = "Lucky Break: set a white die"
    if state.turn.lucky >= tokens or not white:
        why = "The Lucky Break has been used in this turn." if white else "No white die is left to turn."
        yield draft("lucky", label, event, group=GROUP, refused=why)
        return
    by_face: dict[int, str] = {}
    for die in white:
        by_face.setdefault(face_of(state, die), die)
    dice = tuple((die, f"a {face}") for face, die in sorted(by_face.items()))
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
    choices = [
        Choice(
            str(cell),
            place(state, cell),
            ev.PassagewayPlaced(at=AT, cell=cell),
            reveal_risk(state, (cell,)),
        )
        for cell in sorted(CELLS, key=lambda cell: (cell != state.moss, state.rooms[cell] is None))
    ]
    label = "Put the Secret Passageway on a tile"
    yield from parted(desk, "passageway", label, "cell", choices, group=GROUP, asked="Where")


def _switch(desk: Desk) -> Iterator[Action]:
    """Pairs of evidence tokens, those first that turn somebody over."""
    state = desk.state
    label = "Switch 2: two evidence tokens change places"
    telling: list[Choice] = []
    silent: list[Choice] = []
    for one, other in combinations(state.clues, 2):
        event = ev.EvidenceSwitched(at=AT, cells=(one.home, other.home))
        changes = flips(state, desk.apply(state, event))
        what = f"{_clue(one)} and {_clue(other)} — {changes or 'changes nobody'}"
        (telling if changes else silent).append(Choice(f"{one.home},{other.home}", what, event))
    choices = telling + silent
    if choices:
        yield from parted(desk, "switch", label, "cells", choices, group=GROUP, asked="Which two")
        return
    refused = ev.EvidenceSwitched(at=AT, cells=())
    why = "Switch 2 needs two evidence tokens that have come out."
    yield draft("switch", label, refused, group=GROUP, refused=why)


def _bomb(desk: Desk) -> Iterator[Action]:
    """Walls that a bomb would open, each beside a face-up tile, those beside Moss first."""
    state = desk.state
    walls = [
        (cell, there)
        for cell in CELLS
        for side in (1, 2)
        if (there := NEIGHBOURS[cell][side]) is not None
        and (state.rooms[cell] is not None or state.rooms[there] is not None)
        and edge(cell, there) not in state.bombs
        and crossing(state, cell, side) != 0
    ]
    choices = [
        Choice(
            f"{cell},{there}",
            f"{place(state, cell)} and {place(state, there)}",
            ev.BombPlaced(at=AT, between=(cell, there)),
            reveal_risk(state, (cell, there) if state.moss in {cell, there} else ()),
        )
        for cell, there in sorted(walls, key=lambda wall: state.moss not in wall)
    ]
    label = "Bomb a doorway between two tiles"
    yield from parted(desk, "bomb", label, "between", choices, group=GROUP, asked="Between")


def _clue(clue: Clue) -> str:
    return f"{KINDS[clue.kind] if clue.shown else 'hidden evidence'} of {clue.home}"
