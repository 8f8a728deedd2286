"""The dice and the turns: draw one card, or roll one die (U5 to U8)."""

from collections import Counter

from companion.games.suspects import words
from companion.games.suspects.dealing import known, refilled
from companion.games.suspects.events import CardDiscarded, CardDrawn, DieTaken, LockerCompared
from companion.games.suspects.pieces import ALL_DICE, DICE, FILE, UNSEEN, one_die
from companion.games.suspects.state import DISCARD, NOBODY, PILE, Phase, State, Tamper, put
from companion.rules.copies import replace
from companion.rules.events import DiceExpected, DiceRolled, DieFace, Seconds
from companion.rules.game import OutOfPlace


def awaited(state: State) -> DiceExpected | None:
    """The dice in the air; None while none is."""
    if state.phase is Phase.SCENE:
        return ALL_DICE
    return one_die(state.locker, state.die) if state.phase is Phase.ROLL else None


def rolled(state: State, event: DiceRolled) -> State:
    """The crime scene is set, or one die was tampered with: what lies there stays (U5, U7b)."""
    waiting = awaited(state)
    why = waiting.mismatch(event.dice) if waiting else "no throw is waited for now"
    if why:
        raise OutOfPlace(f"{words.begun(why)}.")
    if event.roll in state.rolls:
        raise OutOfPlace("That throw is noted.")
    state = replace(state, rolls=state.rolls | {event.roll})
    if state.phase is Phase.SCENE:
        return replace(state, locker=tuple(die.face for die in event.dice), phase=Phase.TRANSFER)
    now = _face(state, event.dice)
    tamper = Tamper(state.turn, state.active, state.die, state.locker[state.die], now)
    state = replace(
        state,
        locker=put(state.locker, state.die, now),
        tampers=(*state.tampers, tamper),
        die=NOBODY,
    )
    return next_turn(state, event.at)


def compared(state: State, event: LockerCompared) -> State:
    """The dice lie in the locker as rolled: the player left of the dealer begins (U6)."""
    return replace(state, phase=Phase.TURN, active=state.left_of(state.dealer), turn=1, began=event.at)


def drawn(state: State, event: CardDrawn) -> State:
    """The first choice of a turn: a card, from either pile (U7a, C5, C7)."""
    if event.source not in {PILE, DISCARD}:
        raise OutOfPlace("A card is drawn from the pile, or the open one from the discards.")
    if event.source == PILE:
        state = refilled(state)
        card, state = state.pile[0], replace(state, pile=state.pile[1:])
        return _in_hand(state, card, "")
    why = why_not_taken(state)
    if why:
        raise OutOfPlace(why)
    card = state.discard[-1]
    return _in_hand(replace(state, discard=state.discard[:-1]), card, card)


def why_not_taken(state: State) -> str:
    """Why the open card cannot be taken; empty if it can. A secret of who holds such a file (C8, C17)."""
    top = state.discard[-1]
    if state.rules.same_allowed or any(card != top for card in state.file[state.active]):
        return ""
    return f"Your whole file is {top}: you could only put the card back, and that would be a pass."


def discarded(state: State, event: CardDiscarded) -> State:
    """One of the seven cards goes on the discard pile, and the turn is over (U7a, C9)."""
    known(event.colour)
    why = why_not_back(state, event.colour)
    if why:
        raise OutOfPlace(why)
    hand = state.file[state.active]
    card = event.colour if state.rules.phones else UNSEEN
    if card not in hand:
        raise OutOfPlace("That card is not in the file.")
    place = hand.index(card)
    file = put(state.file, state.active, (*hand[:place], *hand[place + 1 :]))
    state = replace(state, file=file, discard=(*state.discard, event.colour), taken="")
    return next_turn(state, event.at)


def why_not_back(state: State, colour: str) -> str:
    """Why a card of this colour must not be discarded; empty if it may (C8)."""
    if state.rules.same_allowed or not state.taken or colour != state.taken:
        return ""
    why = f"{words.begun(colour)} was just taken from the discards: to put it back would be a pass."
    return why if state.rules.phones else f"{why} If all seven cards are {colour}, take the drawing back."


def die_taken(state: State, event: DieTaken) -> State:
    """The other choice: one die is named, and will be rolled once (U7b, C11)."""
    if not 1 <= event.die <= DICE:
        raise OutOfPlace(f"The locker has dice 1 to {DICE}, no die {event.die}.")
    return replace(state, die=event.die - 1, phase=Phase.ROLL)


def next_turn(state: State, at: Seconds) -> State:
    """It is the turn of the next player to the left who does not forfeit it (U6, C4)."""
    last, player, forfeits = state.active, state.left_of(state.active), state.forfeits
    while forfeits[player]:
        forfeits = put(forfeits, player, False)
        player = state.left_of(player)
    return replace(
        state,
        phase=Phase.TURN,
        active=player,
        last=last,
        forfeits=forfeits,
        turn=state.turn + 1,
        began=at,
        rung=False,
    )


def _in_hand(state: State, card: str, taken: str) -> State:
    file = put(
        state.file, state.active, (*state.file[state.active], card if state.rules.phones else UNSEEN)
    )
    return replace(state, file=file, taken=taken, phase=Phase.DRAWN)


def _face(state: State, dice: tuple[DieFace, ...]) -> str:
    """What the rolled die shows. If all six lie in view, the five others must be as they were (C13)."""
    if len(dice) == 1:
        return dice[0].face
    others = Counter(face for place, face in enumerate(state.locker) if place != state.die)
    left = Counter(die.face for die in dice) - others
    if left.total() != 1:
        stored = words.colours(others.elements())
        raise OutOfPlace(f"The five dice that stay show {stored}: turn back what has turned.")
    return next(iter(left))


def full(state: State) -> bool:
    """Whether the active player holds a card too many."""
    return state.active != NOBODY and len(state.file[state.active]) > FILE
