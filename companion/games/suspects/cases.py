"""Declaring a case solved, and what becomes of it (U9, U10, C1 to C4)."""

from companion.games.suspects import words
from companion.games.suspects.events import CardsCompared, CaseDeclared, FalselyCalled
from companion.games.suspects.pieces import CASES, absent, missing, same
from companion.games.suspects.state import NOBODY, Phase, Solved, State, put
from companion.games.suspects.turns import full
from companion.rules.copies import replace
from companion.rules.events import BellRang, Seat, Seconds
from companion.rules.game import Outcome, OutOfPlace
from companion.rules.timer import Timer

CALL, TURN = "call", "turn"
"""The names of the timers."""
MOMENT_S = 3.0
"""Who calls within so many seconds of the first has called in the same moment."""
ALL_S = 12.0
"""So long others may call where all who have solved the case score."""

UNSOLVED = "This does not solve the case. Your own cards, under the veil, say why; nobody else learns it."

OPEN = frozenset({Phase.TURN, Phase.DRAWN})
"""While the six dice lie in the locker a case may be declared."""
TIMED = OPEN | {Phase.ROLL}


def timer(state: State) -> Timer | None:
    """What runs: the moment in which others may call too, or the turn's time."""
    if state.phase is Phase.CALLED:
        return Timer(CALL, Seconds(state.began + (ALL_S if state.rules.all_score else MOMENT_S)))
    if state.rules.turn_s and not state.rung and state.phase in TIMED:
        return Timer(TURN, Seconds(state.began + state.rules.turn_s))
    return None


def callers(state: State) -> tuple[int, ...]:
    """Who may declare now. It does not depend on what anybody holds (C1)."""
    if state.phase is Phase.CALLED:
        there = _allowed(state, state.back)
        return tuple(player for player in there if player not in state.claims)
    return _allowed(state, state.phase)


def _allowed(state: State, phase: Phase) -> tuple[int, ...]:
    if phase not in OPEN:
        return ()
    if not state.rules.own_turn:
        return tuple(range(len(state.seats)))
    acting = {state.active, state.last} if phase is Phase.TURN else {state.active}
    return tuple(sorted(acting - {NOBODY}))


def flaws(state: State, player: int) -> tuple[str, ...]:
    """Why this player has not solved the case, for nobody else's eyes; empty if it is solved (U9, C3).

    Where the cards lie on the table only what everybody sees can be said.
    """
    if not state.rules.phones:
        every = "All six colours lie in the locker, and so does every identity: nobody solves the case."
        return () if absent(state.locker) else (every,)
    found = []
    file, identity = state.file[player], state.identity[player]
    if len(file) == len(state.locker) and not same(file, state.locker):
        lacks, over = missing(file, state.locker), missing(state.locker, file)
        dice, cards = words.colours(lacks.elements()), words.colours(over.elements())
        found.append(f"The file lacks {dice}, and has {cards} that no die matches.")
    places = [str(place) for place, face in enumerate(state.locker, start=1) if face == identity]
    if places:
        which = f"{'die' if len(places) == 1 else 'dice'} {words.listed(places)}"
        found.append(f"Your secret identity, {identity}, lies in the locker: {which}.")
    if identity in file:
        found.append(f"Your secret identity, {identity}, is in your file.")
    return tuple(found)


def why_no_call(state: State, player: int) -> str:
    """Why this player cannot declare now; empty if he can. For nobody else's eyes.

    What lies face down is not said here: buttons are under no veil, not even on the own phone.
    """
    if player not in callers(state):
        if player in state.claims:
            return "You have called already."
        return "The die is still in the air." if state.phase is Phase.ROLL else _not_now(state)
    if player == state.active and full(state):
        return "You hold seven cards: discard one first, then six are your file."
    found = flaws(state, player)
    return UNSOLVED if found and state.rules.phones else " ".join(found)


def declared(state: State, event: CaseDeclared) -> State:
    """A solution is called out; who calls in the same moment is heard too (C1, C2)."""
    player = _player(state, event.by)
    if why_no_call(state, player):
        raise OutOfPlace(UNSOLVED)
    if state.phase is Phase.CALLED:
        return replace(state, claims=(*state.claims, player))
    return replace(state, claims=(player,), back=state.phase, began=event.at, phase=Phase.CALLED)


def rang(state: State, event: BellRang) -> State:
    """The moment is over, and cards on the table are laid open (C2); or a turn's time is up."""
    running = timer(state)
    if running is None or event.timer != running.name:
        raise OutOfPlace("No such bell is waited for.")
    if event.timer == TURN:
        return replace(state, rung=True)
    order = state.from_active(state.claims)
    if not state.rules.phones:
        return replace(state, claims=order, phase=Phase.SHOWN)
    return _won(replace(state, proven=order if state.rules.all_score else order[:1]))


def compared(state: State, event: CardsCompared) -> State:
    """What the declarer laid open solves the case, or not (C4)."""
    player, *others = state.claims
    if _player(state, event.by) == player:
        raise OutOfPlace("Somebody else compares the cards.")
    state = replace(state, claims=tuple(others))
    if event.match:
        state = replace(state, proven=(*state.proven, player))
        if not state.rules.all_score:
            return _won(state)
    else:
        state = _punished(state, player)
    if others:
        return state
    return _won(state) if state.proven else replace(state, phase=state.back, began=event.at, rung=False)


def falsely_called(state: State, event: FalselyCalled) -> State:
    """A solution was called out that the caller's phone had not confirmed: it costs the next turn (C4)."""
    player = _player(state, event.player)
    if not state.rules.forfeit:
        raise OutOfPlace("A false call costs nothing at this table: play goes on.")
    if state.forfeits[player]:
        raise OutOfPlace(f"{words.name(event.player)} forfeits the next turn already.")
    return _punished(state, player)


def outcome(state: State) -> Outcome | None:
    """How it ended: who was first to three cases (U10, C16)."""
    if state.phase is not Phase.END:
        return None
    best = tuple(seat for seat, n in zip(state.seats, state.cases, strict=True) if n >= CASES)
    names = words.listed(words.name(seat) for seat in best)
    if len(best) > 1:
        text = f"{names} have solved three cases with the same one: they are Chief Inspectors together."
        return Outcome("shared", text, best)
    return Outcome("won", f"{names} has solved three cases and is the new Chief Inspector.", best)


def _won(state: State) -> State:
    cases = tuple(n + (player in state.proven) for player, n in enumerate(state.cases))
    identities = tuple(state.identity[player] for player in state.proven)
    record = Solved(state.case, state.proven, state.locker, identities)
    phase = Phase.END if max(cases) >= CASES else Phase.SOLVED
    return replace(state, cases=cases, claims=(), solved=(*state.solved, record), phase=phase)


def _punished(state: State, player: int) -> State:
    if not state.rules.forfeit:
        return state
    return replace(state, forfeits=put(state.forfeits, player, True))


def _not_now(state: State) -> str:
    if state.phase in OPEN and state.rules.own_turn:
        return "At this table a case is declared on the own turn only."
    return "A case is declared while the six dice lie in the locker."


def _player(state: State, seat: Seat | None) -> int:
    if seat not in state.seats:
        raise OutOfPlace(f"{words.name(Seat(str(seat or ''))) or 'Nobody'} does not play in this game.")
    return state.seats.index(seat)
