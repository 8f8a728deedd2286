"""What a seat can do now: whole events, and why not what cannot be done.

With the cards on the table any seat may tap what is said there. Where the companion holds the identities
only their owners' phones act, and what tells of an identity or a hand is veiled: drawn under the veil.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from companion.games.noir import events as ev
from companion.games.noir import words
from companion.games.noir.answers import why_untrue
from companion.games.noir.grid import DOWN, LEFT, RIGHT, UP, WAYS
from companion.games.noir.pieces import ALL, CARDS, NAMES, bit, members
from companion.games.noir.prompts import where
from companion.games.noir.state import INSPECTOR, KILLER, Phase, State
from companion.games.noir.steps import may_tap
from companion.games.noir.turns import NO_EVIDENCE, why_not_collapsed, why_not_shifted, within_reach
from companion.rules.events import Event, Seat, Seconds
from companion.rules.notation import arguments, word_of
from companion.rules.view import Action, Input

AT: Final = Seconds(0.0)
"""Drafts are never recorded: the table gives an event its own time."""
SHIFT: Final = "Shift a row or a column"
COLLAPSE: Final = "Collapse the grid"


@dataclass(frozen=True, slots=True)
class Desk:
    """Who asks. ``mine``: the own turn or answer."""

    state: State
    seat: Seat
    mine: bool

    @property
    def group(self) -> str:
        """The heading of what the player whose turn it is can do."""
        return "Your turn" if self.mine else f"For {self.state.name_of(self.state.role)}"


def offers(state: State, seat: Seat | None) -> tuple[Action, ...]:
    """Everything meaningful now; nothing for the table screen or after the end."""
    if seat not in state.seats or state.phase is Phase.END:
        return ()
    who = Seat(str(seat))
    early = state.phase in {Phase.ROLE, Phase.LAYOUT}
    desk = Desk(state, who, mine=not early and who == state.seat_of(state.role))
    return tuple(action for draw in _DRAFTS[state.phase] for action in draw(desk))


def _draft(
    ident: str,
    text: str,
    event: Event,
    group: str,
    *,
    inputs: tuple[Input, ...] = (),
    refused: str = "",
    warning: str = "",
    cell: str = "",
    lead: bool = False,
    veiled: bool = False,
) -> Action:
    return Action(
        id=ident,
        label=text,
        word=word_of(event),
        args=arguments(event),
        inputs=inputs,
        refused=refused,
        warning=warning,
        group=group,
        cell=cell,
        lead=lead,
        veiled=veiled,
    )


def _may(desk: Desk, kind: type[Event]) -> bool:
    seats = may_tap(desk.state, kind)
    return seats is None or desk.seat in seats


def _role(desk: Desk) -> Iterator[Action]:
    for seat, name in zip(desk.state.seats, desk.state.names, strict=True):
        event = ev.KillerNamed(at=AT, player=seat)
        yield _draft(f"killer-{seat}", f"{name} is the killer", event, "Who is the killer?", lead=True)


def _layout(desk: Desk) -> Iterator[Action]:
    event = ev.GridCompleted(at=AT)
    yield _draft("rest", "The rest in alphabetical order", event, "The grid", lead=True)
    for card in range(CARDS):
        if card not in desk.state.grid.cards:
            laid = ev.SuspectLaid(at=AT, name=NAMES[card])
            yield _draft(
                f"lay-{NAMES[card]}", NAMES[card], laid, "Next on the grid", cell=f"lay-{card + 1}"
            )


def _targets(desk: Desk) -> Iterator[Action]:
    """Kills and arrests; on phones only whom the own identity reaches, under the veil."""
    state = desk.state
    if state.role == KILLER and _may(desk, ev.SuspectKilled):
        for card in members(within_reach(state) & state.alive):
            kill = ev.SuspectKilled(at=AT, name=NAMES[card])
            yield _target(desk, card, "kill", kill, _doubt(state, KILLER, card))
    elif state.role == INSPECTOR and _may(desk, ev.SuspectArrested):
        for card in members(within_reach(state) & state.alive):
            arrest = ev.SuspectArrested(at=AT, name=NAMES[card])
            known = f"{NAMES[card]}'s evidence card lies open: that is not the killer."
            doubt = known if card in state.shown else _doubt(state, INSPECTOR, card)
            yield _target(desk, card, "arrest", arrest, doubt)


def _target(desk: Desk, card: int, verb: str, event: Event, doubt: str) -> Action:
    name, phones = NAMES[card], desk.state.rules.phones
    text = f"{words.begun(verb)} {name}"
    sure = doubt or (f"{text}, {where(desk.state, card)}?" if phones else "")
    group = f"{words.begun(verb)} a suspect"
    return _draft(f"{verb}-{name}", text, event, group, cell=name, warning=sure, veiled=phones)


def _doubt(state: State, role: int, card: int) -> str:
    """On cards: a word of care if, by what everybody knows, the player is not next to this suspect."""
    reach = state.grid.next_to(card) | (bit(card) if role == INSPECTOR else 0)
    if state.rules.phones or state.could[role] & reach:
        return ""
    who = "killer" if role == KILLER else "inspector"
    return f"By what was told before, the {who} is not next to {NAMES[card]}. Is it right?"


def _shifts(desk: Desk) -> Iterator[Action]:
    if not _may(desk, ev.LineShifted):
        return
    for line in desk.state.grid.lines():
        for way in WAYS[line.kind]:
            why = why_not_shifted(desk.state, line, way)
            event = ev.LineShifted(at=AT, line=line, way=way)
            text = f"{words.begun(words.line(line))} {words.toward(way)}"
            ident = f"{line}-{way}"
            yield _draft(f"shift-{ident}", text, event, SHIFT, refused=why, cell=ident)


def _evidence(desk: Desk) -> Iterator[Action]:
    state = desk.state
    why = "" if state.deck else NO_EVIDENCE
    if state.role == KILLER and _may(desk, ev.DisguiseDrawn):
        event: Event = ev.DisguiseDrawn(at=AT)
        sure = "The turn is spent, whoever the card shows." if state.rules.phones else ""
        yield _draft("disguise", "Disguise", event, desk.group, refused=why, warning=sure)
    elif state.role == INSPECTOR and _may(desk, ev.EvidenceDrawn):
        event = ev.EvidenceDrawn(at=AT)
        yield _draft("exonerate", "Exonerate: draw a card", event, desk.group, refused=why)


def _collapse(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if not state.rules.by_action or not _may(desk, ev.GridCollapsed):
        return
    for way in (LEFT, RIGHT, UP, DOWN):
        taken = state.grid.nearest(ALL & ~state.alive, way)
        why = "" if taken else why_not_collapsed(way)
        text = f"Collapse {words.toward(way)}" + (f": {words.suspects(taken)}" if taken else "")
        yield _draft(f"collapse-{way}", text, ev.GridCollapsed(at=AT, way=way), COLLAPSE, refused=why)


def _choose(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if not _may(desk, ev.IdentityChosen):
        return
    if not state.rules.phones:
        event = ev.IdentityChosen(at=AT)
        yield _draft("chosen", "The identity is chosen", event, desk.group, lead=desk.mine)
        return
    for place, card in enumerate(state.hand):
        why = "" if state.lives(card) else f"{NAMES[card]} is deceased."
        event = ev.IdentityChosen(at=AT, card=place)
        sure = f"Be {NAMES[card]} for the whole game?"
        yield _draft(
            f"be-{place}",
            f"Be {NAMES[card]}",
            event,
            "Your identity",
            refused=why,
            warning=sure,
            cell=NAMES[card],
            veiled=True,
        )


def _victim(desk: Desk) -> Iterator[Action]:
    name, who = NAMES[desk.state.asked], desk.state.name_of(INSPECTOR)
    for found, text in ((False, f"No, {who} was not {name}"), (True, f"Yes, {who} was {name}")):
        event = ev.VictimAnswered(at=AT, inspector=found)
        sure = "Then the killer has won." if found else ""
        yield _draft(f"victim-{_yes(found)}", text, event, "The victim", warning=sure, lead=True)


def _arrest(desk: Desk) -> Iterator[Action]:
    name, who = NAMES[desk.state.asked], desk.state.name_of(KILLER)
    for found, text in ((False, f"No, {who} is not {name}"), (True, f"Yes, {who} is {name}")):
        event = ev.ArrestAnswered(at=AT, killer=found)
        sure = "Then the inspector has won." if found else ""
        yield _draft(f"arrest-{_yes(found)}", text, event, "The arrest", warning=sure, lead=True)


def _canvass(desk: Desk) -> Iterator[Action]:
    if not _may(desk, ev.AreaCanvassed):
        return
    name = NAMES[desk.state.asked]
    for near, text in ((True, f"Yes, I am next to {name}"), (False, f"No, I am not next to {name}")):
        why = why_untrue(desk.state, near=near)
        event = ev.AreaCanvassed(at=AT, near=near)
        yield _draft(f"near-{_yes(near)}", text, event, "Answer", refused=why, lead=True)


def _disguise(desk: Desk) -> Iterator[Action]:
    """On cards: what became of the card that the killer looked at."""
    state = desk.state
    unseen = ALL & ~sum(bit(card) for card in state.shown)
    living, dead = members(unseen & state.alive), members(unseen & ~state.alive)
    event: Event = ev.IdentityDiscarded(at=AT, name=NAMES[living[0]])
    yield _draft("lives", "It lives: the old identity is", event, desk.group, inputs=_names(living))
    if dead:
        event = ev.DeadCardDiscarded(at=AT, name=NAMES[dead[0]])
        yield _draft("dead", "It is deceased: the card drawn is", event, desk.group, inputs=_names(dead))


def _exonerate(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if not _may(desk, ev.SuspectExonerated):
        return
    if state.rules.phones:
        for card in state.hand:
            event = ev.SuspectExonerated(at=AT, name=NAMES[card])
            text = f"Exonerate {NAMES[card]}"
            sure = f"Lay {NAMES[card]} open?"
            ident, group = f"exonerate-{NAMES[card]}", "Your evidence"
            yield _draft(ident, text, event, group, warning=sure, cell=NAMES[card], veiled=True)
        return
    unseen = members(ALL & ~sum(bit(card) for card in state.shown))
    event = ev.SuspectExonerated(at=AT, name=NAMES[unseen[0]])
    yield _draft("exonerated", "The card laid open is", event, desk.group, inputs=_names(unseen))


def _names(cards: tuple[int, ...]) -> tuple[Input, ...]:
    choices = tuple((NAMES[card], NAMES[card]) for card in cards)
    return (Input("name", "Suspect", choices=choices, default=choices[0][0]),)


def _yes(says: bool) -> str:
    return "yes" if says else "no"


_DRAFTS: Final[dict[Phase, tuple[Callable[[Desk], Iterator[Action]], ...]]] = {
    Phase.ROLE: (_role,),
    Phase.LAYOUT: (_layout,),
    Phase.FIRST: (_targets,),
    Phase.CHOOSE: (_choose,),
    Phase.TURN: (_evidence, _targets, _shifts, _collapse),
    Phase.VICTIM: (_victim,),
    Phase.ARREST: (_arrest,),
    Phase.DISGUISE: (_disguise,),
    Phase.EXONERATE: (_exonerate,),
    Phase.CANVASS: (_canvass,),
}
