"""How the game ends and who is what (A20 to A22)."""

from companion.games.arosa import words
from companion.games.arosa.pieces import TEN, points
from companion.games.arosa.state import Phase, State
from companion.rules.copies import replace
from companion.rules.game import Outcome


def with_end(state: State) -> State:
    """``state``, over if a player has ten clues on the sheet or an empty supply (A20, C14)."""
    if any(sum(sheet) >= TEN for sheet in state.sheet):
        return replace(state, phase=Phase.END, ended="ten_clues")
    if 0 in state.supply:
        return replace(state, phase=Phase.END, ended="empty_supply")
    return state


def scores(state: State) -> tuple[int, ...]:
    """Suspicion points of each player (A21)."""
    return tuple(points(sheet, state.scenes) for sheet in state.sheet)


def culprits(state: State) -> tuple[int, ...]:
    """The players with the most points (A22)."""
    counted = scores(state)
    return tuple(p for p, n in enumerate(counted) if n == max(counted))


def winners(state: State) -> tuple[int, ...]:
    """The players with the fewest points (A22)."""
    counted = scores(state)
    return tuple(p for p, n in enumerate(counted) if n == min(counted))


def why(state: State) -> str:
    """What ended the game, as a sentence."""
    if state.ended == "ten_clues":
        full = [state.called(s) for p, s in enumerate(state.seats) if state.on_sheet(p) >= TEN]
        return f"{words.listed(full)} {_has(full)} ten clues on the sheet."
    empty = [state.called(s) for s, left in zip(state.seats, state.supply, strict=True) if not left]
    return f"{words.listed(empty)} {_has(empty)} no clue left in the supply."


def outcome(state: State) -> Outcome | None:
    """How it ended; None while it is played."""
    if state.phase is not Phase.END:
        return None
    counted = scores(state)
    best = tuple(state.seats[p] for p in winners(state))
    if min(counted) == max(counted):
        every = f"All have {counted[0]} suspicion points: all are culprits, and all have won (C22)."
        return Outcome(state.ended, every.replace(" (C22)", ""), best)
    guilty = words.listed(state.name(p) for p in culprits(state))
    clever = words.listed(state.called(seat) for seat in best)
    are = "are the culprits" if len(culprits(state)) > 1 else "is the culprit"
    win = "win" if len(best) > 1 else "wins"
    text = f"{guilty} {are} with {max(counted)} suspicion points; {clever} {win} with {min(counted)}."
    return Outcome(state.ended, text, best)


def _has(names: list[str]) -> str:
    return "have" if len(names) > 1 else "has"
