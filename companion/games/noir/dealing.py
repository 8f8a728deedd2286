"""Who is the killer, how the suspects lie, and the evidence cards (N0, N3)."""

from companion.games.noir import words
from companion.games.noir.events import GridCompleted, IdentityChosen, KillerNamed, SuspectLaid
from companion.games.noir.grid import Grid
from companion.games.noir.options import Rules
from companion.games.noir.pieces import CARDS, FOUR, NAMES, UNSEEN, card_of
from companion.games.noir.state import KILLER, Phase, State
from companion.games.noir.steps import next_turn
from companion.rules.chance import shuffled
from companion.rules.copies import replace
from companion.rules.events import Seconds
from companion.rules.game import OutOfPlace, Setup

ENTERED = "entered"


def fresh(rules: Rules, setup: Setup) -> State:
    """The table before anything has happened."""
    state = State(
        rules=rules,
        seats=setup.seats,
        names=tuple(setup.called(seat) for seat in setup.seats),
        deal=setup.deal,
        grid=_laid(rules, setup.deal),
    )
    if rules.killer == "ask":
        return state
    order = shuffled(setup.deal, "killer", (0, 1)) if rules.killer == "lot" else (0, 1)
    return _cast(state, order[0], Seconds(0.0))


def killer_named(state: State, event: KillerNamed) -> State:
    """The roles are known."""
    if event.player not in state.seats:
        raise OutOfPlace(f"{event.player or 'Nobody'} does not play in this game.")
    return _cast(state, state.seats.index(event.player), event.at)


def suspect_laid(state: State, event: SuspectLaid) -> State:
    """One more suspect lies on the grid."""
    card = known(event.name)
    if card in state.grid.cards:
        raise OutOfPlace(f"{event.name} lies there already.")
    state = replace(state, grid=Grid((*state.grid.cards, card)))
    return _dealt(state, event.at) if len(state.grid.cards) == CARDS else state


def grid_completed(state: State, event: GridCompleted) -> State:
    """The suspects not yet laid follow in alphabetical order."""
    rest = tuple(card for card in range(CARDS) if card not in state.grid.cards)
    return _dealt(replace(state, grid=Grid((*state.grid.cards, *rest))), event.at)


def four_drawn(state: State) -> State:
    """The inspector takes four evidence cards (C22)."""
    return replace(state, hand=state.deck[:FOUR], deck=state.deck[FOUR:])


def identity_chosen(state: State, event: IdentityChosen) -> State:
    """One of the four becomes the inspector's identity, the others the hand (N3, C16)."""
    place = 0 if event.card is None else event.card
    if state.rules.phones and event.card is None:
        raise OutOfPlace("Say which of the four cards.")
    if not 0 <= place < len(state.hand):
        raise OutOfPlace(f"There are {words.number(FOUR)} cards to choose from.")
    card = state.hand[place]
    if card != UNSEEN and not state.lives(card):
        raise OutOfPlace(f"{NAMES[card]} is deceased: choose somebody who lives.")
    state = replace(
        state,
        identity=(state.identity[KILLER], card),
        hand=(*state.hand[:place], *state.hand[place + 1 :]),
        chosen=True,
        could=(state.could[KILLER], state.alive),
    )
    return next_turn(state, event.at)


def known(name: str) -> int:
    """The card with this name. Raises OutOfPlace if there is none."""
    card = card_of(name)
    if card is None:
        raise OutOfPlace(f"No suspect is called {name or 'nothing'}.")
    return card


def _laid(rules: Rules, deal: str) -> Grid:
    if rules.layout == ENTERED:
        return Grid(())
    everybody = tuple(range(CARDS))
    return Grid(shuffled(deal, "grid", everybody) if rules.layout == "shuffled" else everybody)


def _cast(state: State, killer: int, at: Seconds) -> State:
    state = replace(state, killer=killer)
    if state.rules.layout == ENTERED:
        return replace(state, phase=Phase.LAYOUT)
    return _dealt(state, at)


def _dealt(state: State, at: Seconds) -> State:
    """The killer has an identity, the inspector four cards, unless they are drawn later (N0)."""
    cards = shuffled(state.deal, "evidence", range(CARDS)) if state.rules.phones else (UNSEEN,) * CARDS
    state = replace(state, phase=Phase.FIRST, identity=(cards[0], UNSEEN), deck=cards[1:], turn=1, began=at)
    return state if state.rules.draws_after else four_drawn(state)
