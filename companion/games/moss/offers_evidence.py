"""Offers that settle evidence: where an arrow may point and whom it hits, alibis, tainted tokens."""

from collections.abc import Iterator
from dataclasses import replace

from companion.games.moss import events as ev
from companion.games.moss import evidence, words
from companion.games.moss.desk import AT, Choice, Desk, draft, flips, losing, parted, payable
from companion.games.moss.evidence import ALIBI, KINDS
from companion.games.moss.grid import DIRECTIONS
from companion.games.moss.state import Clue, State
from companion.rules.events import Event
from companion.rules.view import Action, Input

GROUP = "Evidence"


def pointing(desk: Desk) -> Iterator[Action]:
    """The arrow just gathered: every setting with whom it hits."""
    clue = _found(desk.state)
    if clue is not None:
        choices = [
            Choice(str(turn), _aimed(desk.state, clue, turn), ev.ArrowPointed(at=AT, turn=turn))
            for turn in evidence.settings(clue.kind)
        ]
        yield from parted(
            desk,
            "point",
            f"Point the {KINDS[clue.kind]}",
            "turn",
            choices,
            group=GROUP,
            lead=True,
            cell=clue.home,
        )


def clearing(desk: Desk) -> Iterator[Action]:
    """The alibi just gathered: whom it may clear, those still suspected first."""
    choices = [
        Choice(name, label, ev.AlibiGiven(at=AT, suspect=name)) for name, label in _clearable(desk.state)
    ]
    yield from parted(desk, "alibi", "Give the alibi", "suspect", choices, group=GROUP, lead=True)


def tainting(desk: Desk) -> Iterator[Action]:
    """The tainted token just gathered: which other it may take out of play."""
    state = desk.state
    here = state.due.found
    for clue in state.clues:
        if clue.home != here:
            event = ev.EvidenceTainted(at=AT, cell=clue.home)
            what = KINDS[clue.kind] if clue.shown else "hidden evidence"
            changes = flips(state, desk.apply(state, event)) or "changes nobody"
            yield draft(
                f"taint-{clue.home}",
                f"Take the {what} found on {clue.home} out of play — {changes}",
                event,
                group=GROUP,
                cell=clue.home,
                warning=losing(desk, event),
                lead=True,
            )
    if state.evidence_left:
        label = "Take evidence not yet placed out of play, unseen"
        yield draft("taint-unplaced", label, ev.EvidenceTainted(at=AT), group=GROUP, lead=True)


def reexamining(desk: Desk, clue: Clue) -> Iterator[Action]:
    """The evidence on Moss's tile may be changed, for the same dice."""
    state = desk.state
    needs = evidence.gather_needs(state, again=True)
    label = f"Re-examine the {KINDS[clue.kind]} here"

    def make(dice: tuple[str, ...]) -> Event:
        if clue.kind == ALIBI:
            return ev.EvidenceReexamined(at=AT, dice=dice, suspect=clue.on)
        return ev.EvidenceReexamined(at=AT, dice=dice, turn=clue.turn)

    for action in payable(desk, "reexamine", label, needs, make, group=GROUP, cell=clue.home):
        if action.refused:
            yield action
            continue
        dice = tuple(action.args["dice"].split(","))
        if clue.kind == ALIBI:
            name = "suspect"
            choices = [
                Choice(who, text, ev.EvidenceReexamined(at=AT, dice=dice, suspect=who))
                for who, text in _clearable(state)
                if who != clue.on
            ]
        else:
            name = "turn"
            choices = [
                Choice(
                    str(turn), _aimed(state, clue, turn), ev.EvidenceReexamined(at=AT, dice=dice, turn=turn)
                )
                for turn in evidence.settings(clue.kind)
                if set(evidence.directions(clue.kind, turn))
                != set(evidence.directions(clue.kind, clue.turn or 0))
            ]
        yield from parted(
            desk, action.id, label, name, choices, group=GROUP, cost=action.cost, cell=clue.home
        )


def turning_down(desk: Desk) -> Iterator[Action]:
    """The proof that no unplaced suspect can stay, once it holds (M29)."""
    state = desk.state
    if state.proved or not state.unplaced or not evidence.unplaced_proved(state):
        return
    if all(name in evidence.out(state) for name in state.unplaced):
        return
    event = ev.UnplacedTurnedDown(at=AT)
    label = "Turn down the suspects not yet placed: every hidden tile is pointed at"
    yield draft("proof", label, event, group=GROUP, warning=losing(desk, event))


def kind_asked(action: Action) -> Action:
    """With the table's own box somebody says what the evidence turned out to be."""
    asked = Input("kind", "What it is", choices=tuple(KINDS.items()), default=action.args["kind"])
    return action if action.refused else replace(action, inputs=(asked,))


def _aimed(state: State, clue: Clue, turn: int) -> str:
    aims = words.listed(DIRECTIONS[d] for d in evidence.directions(clue.kind, turn))
    after = evidence.changed(state, clue, replace(clue, turn=turn))
    return f"{aims} — {flips(state, after) or 'changes nobody'}"


def _clearable(state: State) -> list[tuple[str, str]]:
    down = evidence.out(state)
    names = [name for name in state.names if name != state.arrested]
    told = [(name, f"{name} (eliminated already)" if name in down else name) for name in names]
    return sorted(told, key=lambda item: item[0] in down)


def _found(state: State) -> Clue | None:
    return None if state.due.found is None else state.clue_at(state.due.found)
