"""The actions of a turn: shift, kill, arrest, disguise, exonerate, collapse (N4 to N11)."""

from companion.games.noir import events as ev
from companion.games.noir import notebook, words
from companion.games.noir.dealing import four_drawn, known
from companion.games.noir.grid import OPPOSITE, WAYS, Line
from companion.games.noir.pieces import ALL, NAMES, UNSEEN, bit
from companion.games.noir.state import INSPECTOR, KILLER, End, Phase, Shift, State
from companion.games.noir.steps import ended, next_turn
from companion.rules.copies import replace
from companion.rules.events import Seconds
from companion.rules.game import OutOfPlace

NO_EVIDENCE = "The evidence deck is empty: nobody disguises or exonerates any more."


def shifted(state: State, event: ev.LineShifted) -> State:
    """Any line moves by one; what falls off comes in at the other end (N6, N7)."""
    why = why_not_shifted(state, event.line, event.way)
    if why:
        raise OutOfPlace(why)
    state = replace(state, grid=state.grid.shifted(event.line, event.way), gone=(), taken=())
    return next_turn(state, event.at, Shift(event.line, event.way))


def why_not_shifted(state: State, line: Line, way: str) -> str:
    """Why this line must not move this way; empty if it may (N7, C1 to C4)."""
    if way not in WAYS[line.kind]:
        return f"A {line.kind} moves {words.listed(WAYS[line.kind], 'or')}."
    if line.number > state.grid.count(line.kind):
        return f"There is no {words.line(line)} any more."
    length = len(state.grid.along(line))
    if length == 1:
        return f"{words.begun(words.line(line))} is a single card: moving it would be a pass."
    last = state.last_shift
    if last is None or last.line != line or (way != OPPOSITE[last.way] and length > 2):
        return ""
    who = state.name_of(1 - state.role)
    same = " With two cards both ways come to the same." if length == 2 else ""
    return (
        f"{who} has just moved {words.line(line)} {words.toward(last.way)}: "
        f"that must not be undone at once.{same}"
    )


def killed(state: State, event: ev.SuspectKilled) -> State:
    """A living suspect next to the killer is turned to the deceased side (N1, N2, N8)."""
    card = known(event.name)
    if not state.lives(card):
        raise OutOfPlace(f"{event.name} is deceased already.")
    if state.rules.phones and not within_reach(state) & bit(card):
        raise OutOfPlace(f"{event.name} is not next to you now, and the grid does not go round its edges.")
    state = replace(state, alive=state.alive & ~bit(card), asked=card, gone=(), taken=())
    if not state.rules.phones and state.chosen and not state.innocent & bit(card):
        return replace(state, phase=Phase.VICTIM)
    if state.rules.phones and card == state.identity[INSPECTOR]:
        return ended(state, End.KILLED)
    return spared(state, event.at)


def spared(state: State, at: Seconds) -> State:
    """The victim was not the inspector (N16, N13, C24)."""
    card, marked = state.asked, bool(state.innocent & bit(state.asked))
    state = notebook.after_kill(replace(state, innocent=state.innocent & ~bit(card)), card)
    if state.dead >= state.rules.target:
        return ended(state, End.SPREE)
    if marked and state.rules.canvass:
        return replace(state, phase=Phase.CANVASS)
    if state.rules.draws_after and not state.chosen:
        state = four_drawn(state)
    return next_turn(state, at)


def arrested(state: State, event: ev.SuspectArrested) -> State:
    """A suspect next to the inspector, or the inspector's own identity, is asked (N9, C18)."""
    card = known(event.name)
    if not state.lives(card):
        raise OutOfPlace(f"{event.name} is deceased, and so is not the killer.")
    if state.rules.phones and not within_reach(state) & bit(card):
        raise OutOfPlace(
            f"{event.name} is not next to you now, and the grid does not go round its edges. "
            "You may arrest your own identity."
        )
    state = replace(state, asked=card, gone=(), taken=())
    if not state.rules.phones:
        return replace(state, phase=Phase.ARREST)
    if card == state.identity[KILLER]:
        return ended(state, End.ARRESTED)
    return missed(state, event.at)


def missed(state: State, at: Seconds) -> State:
    """The suspect was not the killer: play goes on (N9)."""
    return next_turn(notebook.after_arrest(state, state.asked), at)


def within_reach(state: State) -> int:
    """Whom the player whose turn it is may kill or arrest; with cards on the table everybody alive."""
    mine = state.identity[state.role]
    if mine == UNSEEN:
        return state.alive
    own = bit(mine) if state.role == INSPECTOR else 0
    return (state.grid.next_to(mine) | own) & state.alive


def disguise_drawn(state: State, event: ev.DisguiseDrawn) -> State:
    """The killer looks at the top card; on cards the table says what became of it (N10, N14)."""
    card, state = _top(state)
    if not state.rules.phones:
        return replace(state, phase=Phase.DISGUISE)
    if not state.lives(card):
        return kept_identity(state, card, event.at)
    old = state.identity[KILLER]
    return disguised(replace(state, identity=(card, state.identity[INSPECTOR])), old, event.at)


def identity_discarded(state: State, event: ev.IdentityDiscarded) -> State:
    """On cards: the old identity lies open (N10)."""
    card = known(event.name)
    if not state.lives(card):
        raise OutOfPlace(f"{event.name} is deceased, and so was not the killer.")
    _unseen(state, card)
    return disguised(state, card, event.at)


def dead_card_discarded(state: State, event: ev.DeadCardDiscarded) -> State:
    """On cards: the drawn card was of somebody deceased (N10)."""
    card = known(event.name)
    if state.lives(card):
        raise OutOfPlace(
            f"{event.name} lives: then the card becomes the new identity, and the old one is shown."
        )
    _unseen(state, card)
    return kept_identity(state, card, event.at)


def disguised(state: State, old: int, at: Seconds) -> State:
    """The old identity is turned to its deceased side, or marked innocent (N10c, N10s, C12, C13)."""
    state = replace(state, shown=(*state.shown, old))
    if state.rules.old_dies:
        state = replace(state, alive=state.alive & ~bit(old))
    else:
        state = replace(state, innocent=state.innocent | bit(old))
    state = notebook.after_disguise(state)
    if state.dead >= state.rules.target:
        return ended(state, End.SPREE)
    return next_turn(state, at)


def kept_identity(state: State, card: int, at: Seconds) -> State:
    """The card drawn is of somebody deceased: it is laid open, nothing else changes (N10)."""
    state = replace(state, shown=(*state.shown, card))
    return next_turn(notebook.after_discard(state, card), at)


def evidence_drawn(state: State, _event: ev.EvidenceDrawn) -> State:
    """Exonerating begins: the hand has four cards (N11)."""
    card, state = _top(state)
    return replace(state, hand=(*state.hand, card), phase=Phase.EXONERATE)


def exonerated(state: State, event: ev.SuspectExonerated) -> State:
    """One of the four cards is laid open, on its suspect if that one lives (N11, N12, C8, C19)."""
    card = known(event.name)
    held = card if state.rules.phones else UNSEEN
    if held not in state.hand:
        raise OutOfPlace(f"You do not hold {event.name}.")
    _unseen(state, card)
    place = state.hand.index(held)
    state = replace(
        state,
        hand=(*state.hand[:place], *state.hand[place + 1 :]),
        shown=(*state.shown, card),
        innocent=state.innocent | (bit(card) & state.alive),
        asked=card,
    )
    state = notebook.after_discard(state, card)
    if state.rules.canvass and card in state.grid.cards:
        return replace(state, phase=Phase.CANVASS)
    return next_turn(state, event.at)


def collapsed(state: State, event: ev.GridCollapsed) -> State:
    """The Black Box's action: one deceased suspect of each line is taken away."""
    if event.way not in OPPOSITE:
        raise OutOfPlace(f"The grid collapses {words.listed(OPPOSITE, 'or')}.")
    taken = state.grid.nearest(ALL & ~state.alive, event.way)
    if taken is None:
        raise OutOfPlace(why_not_collapsed(event.way))
    return next_turn(replace(state, grid=state.grid.collapsed(taken, event.way), taken=taken), event.at)


def why_not_collapsed(way: str) -> str:
    """What is missing for a collapse along ``way``."""
    kind = next(kind for kind, ways in WAYS.items() if way in ways)
    return f"Every {kind} needs a deceased suspect for that."


def _top(state: State) -> tuple[int, State]:
    if not state.deck:
        raise OutOfPlace(NO_EVIDENCE)
    return state.deck[0], replace(state, deck=state.deck[1:], gone=(), taken=())


def _unseen(state: State, card: int) -> None:
    if card in state.shown:
        raise OutOfPlace(f"{NAMES[card]}'s evidence card lies open already.")
