"""Who deals, and the cards: dealt by the companion, or counted while they lie on the table (U1 to U4)."""

from companion.games.suspects import words
from companion.games.suspects.events import CaseOpened, DealerNamed, FirstCardTurned
from companion.games.suspects.pieces import COLOURS, DECK, FILE, UNSEEN
from companion.games.suspects.state import NOBODY, Phase, State
from companion.rules.chance import shuffled
from companion.rules.copies import replace
from companion.rules.game import OutOfPlace


def dealer_named(state: State, event: DealerNamed) -> State:
    """The first dealer is known: the cards are dealt (U1)."""
    if event.player not in state.seats:
        raise OutOfPlace(f"{words.name(event.player) or 'Nobody'} does not play in this game.")
    return dealt(state, state.seats.index(event.player))


def case_opened(state: State, _event: CaseOpened) -> State:
    """All cards are collected; the player to the dealer's left deals (C6)."""
    return dealt(state, state.left_of(state.dealer))


def dealt(state: State, dealer: int) -> State:
    """A new case: an identity and a file for everybody, and the piles (U2 to U4)."""
    case, players = state.case + 1, len(state.seats)
    kept = state.identity if state.rules.identities_kept else ()
    deck = _deck(state, case, kept)
    first = () if kept else deck[:players]
    files = deck[len(first) : len(first) + FILE * players]
    rest = deck[len(first) + len(files) :]
    order = sorted(range(players), key=lambda player: (player - dealer - 1) % players)
    state = replace(
        state,
        case=case,
        dealer=dealer,
        active=NOBODY,
        last=NOBODY,
        identity=kept or tuple(first[order.index(player)] for player in range(players)),
        file=tuple(files[order.index(player) :: players] for player in range(players)),
        pile=rest,
        discard=(),
        shuffles=0,
        taken="",
        rung=False,
        locker=(),
        tampers=(),
        claims=(),
        proven=(),
        phase=Phase.FLIP,
    )
    return _flipped(state, rest[0]) if state.rules.phones else state


def first_turned(state: State, event: FirstCardTurned) -> State:
    """The top card of the pile begins the discard pile (U4)."""
    known(event.colour)
    return _flipped(state, event.colour)


def refilled(state: State) -> State:
    """With a pile to draw from: an empty one is made of the discards but their top card (C7)."""
    if state.pile:
        return state
    under = state.discard[:-1]
    name = f"case {state.case} discards {state.shuffles}"
    pile = shuffled(state.deal, name, under) if state.rules.phones else (UNSEEN,) * len(under)
    return replace(state, pile=pile, discard=state.discard[-1:], shuffles=state.shuffles + 1)


def known(colour: str) -> None:
    """Raise OutOfPlace for a colour that no card has."""
    if colour not in COLOURS:
        raise OutOfPlace(f"Cards are {words.listed(COLOURS)}; there is none in {colour or 'no colour'}.")


def _flipped(state: State, colour: str) -> State:
    return replace(state, pile=state.pile[1:], discard=(colour,), phase=Phase.SCENE)


def _deck(state: State, case: int, kept: tuple[str, ...]) -> tuple[str, ...]:
    """The shuffled cards without the identities that stay with their players."""
    if not state.rules.phones:
        return (UNSEEN,) * (len(DECK) - len(kept))
    cards = list(DECK)
    for identity in kept:
        cards.remove(identity)
    return shuffled(state.deal, f"case {case}", cards)
