"""The history in sentences. Nothing here tells what lies face down."""

from typing import Final

from companion.games.suspects import events as ev
from companion.games.suspects import words
from companion.games.suspects.cases import TURN
from companion.games.suspects.pieces import CASES
from companion.games.suspects.state import DISCARD, Phase, State
from companion.games.suspects.steps import callers, player, solvers
from companion.rules.events import BellRang, DiceRolled, Event

_TRIED: Final[dict[type[Event], str]] = {
    DiceRolled: "Rolling dice",
    BellRang: "A bell",
    ev.DealerNamed: "Naming the dealer",
    ev.FirstCardTurned: "Turning up the first card",
    ev.LockerCompared: "Comparing the locker",
    ev.CardDrawn: "Drawing a card",
    ev.CardDiscarded: "Discarding",
    ev.DieTaken: "Taking a die",
    ev.CaseDeclared: "Declaring a case solved",
    ev.CardsCompared: "Comparing cards",
    ev.FalselyCalled: "A false call",
    ev.CaseOpened: "A new case",
}


def refusal(kind: type[Event], state: State, demand: str) -> str:
    """Why an event of this kind is not what comes now."""
    if state.phase is Phase.DRAWN and kind in {ev.CardDrawn, ev.DieTaken}:
        return f"A turn is one card or one die, never both. {demand}"
    if state.phase is Phase.ROLL and kind in {ev.CardDrawn, ev.DieTaken}:
        return f"A turn is one card or one die, never both and never two dice. {demand}"
    return f"{_TRIED.get(kind, 'This')} does not come now. {demand}"


def line(before: State, event: Event, after: State) -> str:
    """One line for the shared history."""
    who = player(before, before.active)
    match event:
        case ev.DealerNamed(player=seat):
            return f"{words.name(seat)} deals."
        case ev.FirstCardTurned(colour=colour):
            return f"{player(after, after.dealer)} dealt; {colour} lies open."
        case ev.LockerCompared():
            return f"The dice lie in the locker as rolled. {player(after, after.active)} begins."
        case ev.CardDrawn(source=source):
            return _drew(before, after, who, source)
        case ev.CardDiscarded(colour=colour):
            return f"{who} discards {colour}.{_forfeited(before, after)}"
        case ev.DieTaken(die=die):
            return f"{who} takes die {die}, which shows {before.locker[die - 1]}."
        case DiceRolled() if before.phase is Phase.SCENE:
            return f"{player(before, before.dealer)} rolls {words.colours(after.locker)}."
        case DiceRolled():
            return f"{_tampered(after, who)}{_forfeited(before, after)}"
        case ev.CaseOpened():
            return f"Case {after.case} begins; {player(after, after.dealer)} deals."
    return _declared(before, event, after)


def _declared(before: State, event: Event, after: State) -> str:
    match event:
        case ev.CaseDeclared():
            return f"{player(after, after.claims[-1])} calls: case solved!"
        case ev.CardsCompared(match=True):
            return f"{player(before, before.claims[0])}'s cards solve the case.{_won(before, after)}"
        case ev.CardsCompared():
            name = player(before, before.claims[0])
            cost = " It costs the next turn." if before.rules.forfeit else " It costs nothing."
            return f"{name}'s cards do not solve the case.{cost}{_won(before, after)}"
        case ev.FalselyCalled(player=seat):
            return f"{words.name(seat)} called out falsely and forfeits the next turn."
        case BellRang(timer=name) if name == TURN:
            return "The time for this turn is up."
        case BellRang() if after.phase is Phase.SHOWN:
            several = after.rules.all_score and len(after.claims) > 1
            who = callers(after) if several else player(after, after.claims[0])
            return f"Now {who} {'lay' if several else 'lays'} the cards open."
    return f"The case is closed.{_won(before, after)}"


def _drew(before: State, after: State, who: str, source: str) -> str:
    if source == DISCARD:
        return f"{who} takes the open {before.discard[-1]} card."
    again = "" if before.pile else "The draw pile was empty: the discards were shuffled. "
    return f"{again}{who} draws from the pile: {len(after.pile)} left."


def _tampered(after: State, who: str) -> str:
    tamper = after.tampers[-1]
    if tamper.was == tamper.now:
        return f"{who} rolls die {tamper.die + 1}: {tamper.now} again, so nothing changes."
    return f"{who} tampers with the evidence: die {tamper.die + 1} turns from {tamper.was} to {tamper.now}."


def _forfeited(before: State, after: State) -> str:
    out = [place for place, was in enumerate(before.forfeits) if was and not after.forfeits[place]]
    if not out:
        return ""
    names = words.listed(player(before, place) for place in out)
    return f" {names} {'forfeit' if len(out) > 1 else 'forfeits'} this turn."


def _won(before: State, after: State) -> str:
    if len(after.solved) == len(before.solved):
        return ""
    solved = after.solved[-1]
    parts = []
    identities = [colour for colour in solved.identities if colour]
    if identities:
        cards, secret = words.colours(solved.locker), words.listed(identities)
        parts.append(f"{solvers(after)} held {cards}, with {secret} as secret identity.")
    for place in solved.players:
        count = words.number(after.cases[place])
        parts.append(f"{player(after, place)} has solved {count} of {words.number(CASES)} cases.")
    return " " + " ".join(parts)
