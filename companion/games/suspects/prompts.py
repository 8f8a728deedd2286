"""What helps the people at the table just now, and what they must not miss. The same for everybody."""

from companion.games.suspects import words
from companion.games.suspects.cases import TIMED
from companion.games.suspects.pieces import absent
from companion.games.suspects.state import Phase, State
from companion.games.suspects.steps import player

_ALIKE = ("brown", "purple")
"""Fingerprints that are easily taken for each other."""
_FLIP = (
    "One card face down to each: the secret identity. Stand it so that only its owner sees it.",
    "Then six to each, face down, one at a time: the criminal file. The rest is the draw pile.",
    "Two players may have the same identity.",
)
_LOOSE = "A die on the floor, or leaning on something, is rolled again."


def prompts(state: State) -> tuple[str, ...]:
    """Sentences for what the table is at."""
    match state.phase:
        case Phase.FLIP:
            first = ("Collect all cards, the identities too.",) if state.case > 1 else ()
            return (*first, *_flip(state))
        case Phase.SCENE:
            return (_LOOSE,)
        case Phase.TRANSFER:
            return _transfer(state)
        case Phase.TURN:
            return (*_checked(state), *_empty(state))
        case Phase.DRAWN:
            return _drawn(state)
        case Phase.ROLL:
            return ("Only this die, and once: whatever comes up stays.", _LOOSE)
        case Phase.CALLED:
            return ("Whoever has solved it too and calls in the same moment taps now.",)
        case Phase.SHOWN:
            return _shown(state)
    return ()


def warnings(state: State) -> tuple[str, ...]:
    """The turn's time, and whose next turn is forfeited."""
    lines = ["The time for this turn is up."] if state.rung and state.phase in TIMED else []
    out = [player(state, place) for place, forfeits in enumerate(state.forfeits) if forfeits]
    if out and state.phase is not Phase.END:
        lines.append(f"{words.listed(out)} {'forfeit' if len(out) > 1 else 'forfeits'} the next turn.")
    return tuple(lines)


def solution(state: State) -> str:
    """What a file and an identity must be to solve the case, as anybody can read off the locker."""
    free = absent(state.locker)
    if not free:
        return "All six colours lie in the locker: nobody can solve the case now."
    return (
        f"Solved by whoever holds exactly {words.colours(state.locker)}, "
        f"with {words.listed(free, 'or')} as secret identity."
    )


def look_alike(state: State) -> str:
    """A word of care if brown or purple lies in the locker."""
    there = [colour for colour in _ALIKE if colour in state.locker]
    if not there:
        return ""
    return f"{words.begun(words.listed(there))} in the locker: brown and purple look alike, so look twice."


def _flip(state: State) -> tuple[str, ...]:
    if state.rules.identities_kept and state.case > 1:
        return ("Identities stay where they are; all other cards are collected.", *_FLIP[1:2])
    return _FLIP


def _transfer(state: State) -> tuple[str, ...]:
    stored = f"Rolled: {words.colours(state.locker)}. A die that turned on the way is turned back to that."
    care = look_alike(state)
    return (stored, care) if care else (stored,)


def _checked(state: State) -> list[str]:
    """After a die was rolled everybody is asked alike, whoever may have solved the case."""
    if state.tampers and state.tampers[-1].turn == state.turn - 1:
        return ["The locker was tampered with: everybody checks the own file."]
    return []


def _empty(state: State) -> list[str]:
    if state.pile or state.rules.phones:
        return []
    return ["The draw pile is empty: shuffle the discards, all but the top one, to make a new one."]


def _drawn(state: State) -> tuple[str, ...]:
    lines = ["Seven cards in hand: one goes on the discard pile, then the turn is over."]
    if state.taken and not state.rules.same_allowed:
        lines.append(f"It cannot be {state.taken}, which was just taken from there.")
    return tuple(lines)


def _shown(state: State) -> tuple[str, ...]:
    free = words.listed(absent(state.locker), "or")
    return (
        f"The six cards must be {words.colours(state.locker)}, in any order.",
        f"The secret identity must be {free}.",
    )
