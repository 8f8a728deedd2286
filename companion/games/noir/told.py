"""The history in sentences, with the places of suspects. Nothing here tells what lies face down."""

from typing import Final

from companion.games.noir import events as ev
from companion.games.noir import words
from companion.games.noir.pieces import NAMES, bit, card_of
from companion.games.noir.prompts import demand, where
from companion.games.noir.state import INSPECTOR, KILLER, End, Phase, State
from companion.games.noir.steps import acting
from companion.rules.events import BellRang, Event

_TRIED: Final[dict[type[Event], str]] = {
    BellRang: "A bell",
    ev.KillerNamed: "Naming the killer",
    ev.SuspectLaid: "Laying a suspect",
    ev.GridCompleted: "Laying the suspects",
    ev.SuspectKilled: "A kill",
    ev.VictimAnswered: "Such an answer",
    ev.IdentityChosen: "Choosing an identity",
    ev.LineShifted: "A shift",
    ev.SuspectArrested: "An arrest",
    ev.ArrestAnswered: "Such an answer",
    ev.DisguiseDrawn: "A disguise",
    ev.IdentityDiscarded: "Showing an identity",
    ev.DeadCardDiscarded: "Discarding a card",
    ev.EvidenceDrawn: "Exonerating",
    ev.SuspectExonerated: "Exonerating",
    ev.AreaCanvassed: "Canvassing",
    ev.GridCollapsed: "Collapsing the grid",
}


def refusal(kind: type[Event], state: State) -> str:
    """Why an event of this kind is not what comes now."""
    if kind is ev.SuspectExonerated and state.phase is Phase.TURN:
        return f"Draw an evidence card first, then lay one of the four open. {demand(state)}"
    if kind is ev.GridCollapsed and not state.rules.by_action:
        return "Deceased lines close up by themselves at this table."
    first = " That comes first." if demand(state).endswith("?") else ""
    return f"{_TRIED.get(kind, 'This')} does not come now. {demand(state)}{first}"


def line(before: State, event: Event, after: State) -> str:
    """One line for the shared history."""
    match event:
        case ev.KillerNamed():
            return f"{after.name_of(KILLER)} is the killer, {after.name_of(INSPECTOR)} the inspector."
        case ev.SuspectLaid(name=name):
            place = where(after, after.grid.cards[-1])
            return f"{name} lies in {place}."
        case ev.GridCompleted():
            return "The other suspects lie in alphabetical order."
        case BellRang():
            return "The time for this turn is up."
    return f"{_said(before, event, after)}{_closed(before, after)}"


def _said(before: State, event: Event, after: State) -> str:
    who, asked = before.name_of(before.role), NAMES[after.asked]
    match event:
        case ev.SuspectKilled(name=name):
            return f"{who} kills {name} ({_at(before, name)}).{_fate(after)}"
        case ev.VictimAnswered(inspector=found):
            return f"{asked} was {'' if found else 'not '}the inspector.{'' if found else _fate(after)}"
        case ev.IdentityChosen():
            return f"{who} has chosen a secret identity."
        case ev.LineShifted(line=moved, way=way):
            return f"{who} shifts {words.line(moved)} {words.toward(way)}."
        case ev.SuspectArrested(name=name):
            answer = "" if after.phase is Phase.ARREST else _found(after)
            return f"{who} arrests {name} ({_at(before, name)}).{answer}"
        case ev.ArrestAnswered():
            return f"{who} asked for {asked}.{_found(after)}"
        case ev.AreaCanvassed(near=near):
            answer = f"Yes, next to {asked}" if near else f"No, not next to {asked}"
            return f"{before.name_of(acting(before))}: {answer} ({where(before, before.asked)})."
    return _of_evidence(before, event, after, who)


def _of_evidence(before: State, event: Event, after: State, who: str) -> str:
    match event:
        case ev.DisguiseDrawn() if after.phase is Phase.DISGUISE:
            return f"{who} draws a card for a disguise."
        case ev.DisguiseDrawn() | ev.IdentityDiscarded() | ev.DeadCardDiscarded():
            return _disguise(before, after, who)
        case ev.EvidenceDrawn():
            return f"{who} draws an evidence card: {words.counted(len(after.deck), 'card')} left."
        case ev.SuspectExonerated(name=name):
            there = where(before, after.asked)
            return f"{who} exonerates {name} ({there or 'no longer on the grid'}).{_area(before, after)}"
        case _:
            taken = words.suspects(after.taken)
            return f"{who} collapses the grid: {taken} are taken away."


def _at(state: State, name: str) -> str:
    card = card_of(name)
    return where(state, card) if card is not None else ""


def _fate(after: State) -> str:
    """What followed from a kill at once."""
    if after.end is End.KILLED:
        return " That was the inspector!"
    return _spree(after)


def _spree(after: State) -> str:
    return f" That makes {after.dead} deceased." if after.end is End.SPREE else ""


def _found(after: State) -> str:
    return " That is the killer!" if after.end is End.ARRESTED else " Not the killer."


def _disguise(before: State, after: State, who: str) -> str:
    card = after.shown[-1]
    there = where(before, card)
    if not before.lives(card):
        return f"{who} cannot disguise: the card drawn is {NAMES[card]}, who is deceased."
    fate = "deceased" if not after.lives(card) else "innocent"
    return f"{who} is in disguise, and was {NAMES[card]} ({there}), who is {fate} now.{_spree(after)}"


def _area(before: State, after: State) -> str:
    if before.alive & bit(after.asked):
        return ""
    if before.rules.canvass and not where(before, after.asked):
        return " Deceased and taken away: there is no area to canvass."
    return " Deceased: no innocent card."


def _closed(before: State, after: State) -> str:
    if after.turn == before.turn or not after.gone:
        return ""
    lines = words.listed(words.line(gone) for gone in after.gone)
    return f" {words.begun(lines)} {'are' if len(after.gone) > 1 else 'is'} all deceased and taken away."
