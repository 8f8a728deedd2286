"""Rounds: who goes first, who acts, when it is over (T2, T16, T19), and what it came to (T20)."""

from companion.games.teatime import words
from companion.games.teatime.events import BeginnerNamed, PointsCounted, TokensCounted
from companion.games.teatime.lighting import points
from companion.games.teatime.pieces import SPARE, TOKENS
from companion.games.teatime.pool import able
from companion.games.teatime.state import Phase, Player, State, put
from companion.rules.copies import replace
from companion.rules.events import BellRang, Seconds
from companion.rules.game import Outcome, OutOfPlace
from companion.rules.timer import Timer

EXPLORE = "explore"
"""The name of the timer."""
MOST = 999
"""More points than any board can give."""


def beginner_named(state: State, event: BeginnerNamed) -> State:
    """It is known who goes first (T1)."""
    if event.player not in state.seats:
        raise OutOfPlace(f"{words.begun(str(event.player)) or 'Nobody'} does not play in this game.")
    return begun(state, state.seats.index(event.player))


def begun(state: State, player: int) -> State:
    """A new round: this player has the dice (T2, T16)."""
    return replace(
        state,
        phase=Phase.ROLL,
        round=state.round + 1,
        active=player,
        throws=0,
        dice=(),
        held=frozenset(),
        taken=0,
        special=None,
        waiting=(),
        idle=(),
        rung=False,
    )


def after_acting(state: State, place: int, player: Player, at: Seconds, taken: int) -> State:
    """Who sits at ``place`` has acted and is ``player`` now (T8, C15).

    After the active player all others act at once; when all have, the round is over.
    """
    players = put(state.players, place, player)
    if place == state.active:
        state = replace(state, players=players, taken=taken, phase=Phase.OTHERS, began=at)
        count = len(state.seats)
        others = tuple((place + step) % count for step in range(1, count))
        waiting = tuple(other for other in others if able(state, other))
        idle = tuple(other for other in others if other not in waiting)
        state = replace(state, waiting=waiting, idle=idle)
    else:
        waiting = tuple(other for other in state.waiting if other != place)
        state = replace(state, players=players, waiting=waiting)
    return state if waiting else _ended(state)


def timer(state: State) -> Timer | None:
    """The time of those who explore at once."""
    if state.phase is not Phase.OTHERS or not state.rules.timer_s or state.rung:
        return None
    return Timer(EXPLORE, Seconds(state.began + state.rules.timer_s))


def rang(state: State, event: BellRang) -> State:
    """The time is up. It says so, and takes nothing away."""
    running = timer(state)
    if running is None or event.timer != running.name:
        raise OutOfPlace("No such bell is waited for.")
    return replace(state, rung=True)


def tokens_counted(state: State, event: TokensCounted) -> State:
    """So many tokens lie on a board of which no picture is kept; the fifth ends the game (T19)."""
    place = _counter(state, event)
    if not 0 <= event.tokens <= TOKENS:
        raise OutOfPlace(f"Everybody has {TOKENS} tokens, so 0 to {TOKENS} lie on detectives.")
    player = replace(state.players[place], counted=event.tokens)
    state = replace(state, players=put(state.players, place, player))
    if event.tokens < TOKENS or place in state.over or state.phase is Phase.SCORE:
        return state
    state = replace(state, over=(*state.over, place))
    between = state.phase is Phase.ROLL and not state.throws and state.round > 1
    return _ended(state) if between else state


def points_counted(state: State, event: PointsCounted) -> State:
    """The points of a board of which no picture is kept; when all have told theirs it is over."""
    place = _counter(state, event)
    if not 0 <= event.points <= MOST:
        raise OutOfPlace(f"Points are 0 to {MOST}.")
    players = put(state.players, place, replace(state.players[place], points=event.points))
    told = all(player.points is not None for player in players)
    return replace(state, players=players, phase=Phase.END if told else Phase.SCORE)


def placed(state: State, place: int) -> int:
    """How many tokens a player has placed."""
    player = state.players[place]
    return len(player.tokens) if state.rules.picture else player.counted


def by_detective(state: State, place: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The cell of each detective with a token, and what its beams count (T20)."""
    player = state.players[place]
    return tuple((cell, points(player.cells, state.rooms, cell)) for cell in player.tokens)


def total(state: State, place: int) -> int:
    """A player's points: what detectives with a token light, and 3 for each token not placed (T20)."""
    told = state.players[place].points or 0
    lit = sum(sum(values) for _, values in by_detective(state, place)) if state.rules.picture else told
    return lit + SPARE * (TOKENS - placed(state, place))


def outcome(state: State) -> Outcome | None:
    """Who has most points; ties share (T20, C14)."""
    if state.phase is not Phase.END:
        return None
    totals = [total(state, place) for place in range(len(state.seats))]
    best = tuple(place for place, n in enumerate(totals) if n == max(totals))
    winners = tuple(state.seats[place] for place in best)
    names = words.listed(state.called(place) for place in best)
    if len(best) > 1:
        return Outcome("shared", f"{names} share the victory with {max(totals)} points each.", winners)
    return Outcome("won", f"{names} wins with {max(totals)} points.", winners)


def _ended(state: State) -> State:
    """The round is over: the next one, or the end (T16, T19, C13)."""
    if not state.over:
        return begun(state, (state.active + 1) % len(state.seats))
    return replace(state, phase=Phase.END if state.rules.picture else Phase.SCORE, waiting=())


def _counter(state: State, event: TokensCounted | PointsCounted) -> int:
    """Whose board is counted."""
    if state.rules.picture:
        raise OutOfPlace("The companion keeps a picture of each board, and counts itself.")
    if event.by not in state.seats:
        raise OutOfPlace(f"{words.begun(str(event.by or 'nobody'))} does not play in this game.")
    return state.seats.index(event.by)
