"""What helps the people at the table just now, and what they must not miss."""

from companion.games.arosa import throws, words
from companion.games.arosa.pieces import TEN
from companion.games.arosa.state import SUSPICION, Phase, State
from companion.games.arosa.steps import Step, step, thrower

FEW = 3
"""So few clues in a supply, or short of ten on the sheet, are worth a warning."""

_HINTS = {
    Step.KNIFE: "Everybody lays twenty clues of one colour in front of them, beside the sheet.",
    Step.CALL: "Call it out before you touch the hotel.",
    Step.RECOVER: "Only as many as lay on the floor, and only from that floor's space.",
    Step.RETURN: "Close the hotel, then throw one after another. Name each colour aloud.",
    Step.PENALTY: "It comes from the supply, and its colour is named like any other.",
}


def prompts(state: State) -> tuple[str, ...]:
    """Sentences for this step: what has just come of a reveal first."""
    now = step(state)
    lines = [*_revealed(state)] if now in {Step.RECOVER, Step.RETURN, Step.PENALTY} else [*_last(state)]
    if now is Step.PROLOG:
        lines.append("Quiet, please: everybody listens. Name each colour aloud.")
    elif now is Step.LIFT:
        lines += _before_lifting(state)
    elif now is Step.INSPECT:
        lines.append("Count all that lies on this floor by colour. Cubes seen further down do not count.")
        lines.append("Nothing of it goes on the sheet: clues for the sheet come from the supplies.")
    elif now in _HINTS:
        lines.append(_HINTS[now])
    return tuple(lines)


def warnings(state: State) -> tuple[str, ...]:
    """What is over time, or does not match."""
    lines = []
    missing = throws.unheard(state)
    if missing and state.throwing.asked:
        lines.append(f"{words.begun(words.number(missing))} too few: did a cube stick?")
    if state.strays:
        lines.append("One more cube went in than was named: whose?")
    if state.turn.rung:
        lines.append("The time for this turn is up.")
    return tuple(lines)


def near_the_end(state: State) -> tuple[str, ...]:
    """Whose supply is nearly empty, and who is nearly at ten."""
    lines = []
    for player, seat in enumerate(state.seats):
        left, short = state.supply[player], TEN - state.on_sheet(player)
        if left <= FEW:
            lines.append(f"{state.called(seat)} has {words.counted(left, 'clue')} left in the supply.")
        if short <= FEW:
            lines.append(f"{state.called(seat)} is {words.number(short)} short of ten clues on the sheet.")
    return tuple(lines)


def outcome_of(state: State) -> list[str]:
    """What the last reveal has meant, in sentences."""
    reveal = state.reveals[-1]
    name, there = state.name(reveal.player), words.floor(reveal.floor)
    lines = []
    if reveal.victims:
        what = "Both victims" if reveal.victims == 2 else "A victim"
        lines.append(f"{what} on {there}: it is a crime scene. {name} lays no clues.")
    for player, n in reveal.laid:
        taken = reveal.inside[player] - state.tower[player] if state.phase is Phase.END else 0
        source = f"{n - taken} from the supply, {taken} from the open floor" if taken else "from the supply"
        lines.append(f"{state.name(player)} lays {n} on {there}, {source}.")
    if reveal.called == SUSPICION:
        lines += _clear(state, name)
    return lines


def _clear(state: State, name: str) -> list[str]:
    reveal = state.reveals[-1]
    if reveal.floor == 0 and not reveal.found[reveal.player]:
        suspects = words.counted(len(reveal.suspects), "clue")
        return [f"No clue of {name} lies on the ground floor: nobody lays, and {name} throws {suspects}."]
    clear = [state.name(s) for s in reveal.suspects if not reveal.found[s]]
    return [f"{words.listed(clear)} had no clue there."] if clear else []


def _revealed(state: State) -> list[str]:
    lines = outcome_of(state) if state.turn.inspected else []
    if state.turn.penalty and step(state) is not Step.PENALTY:
        own = f"{state.turn.penalty} {state.colours[state.active]}"
        lines.append(f"Sloppy investigation: {thrower(state)} throws {own} from the supply after that.")
    return lines


def _last(state: State) -> list[str]:
    """A turn that ended with its reveal has had no other moment to tell of it."""
    return outcome_of(state) if state.reveals and not state.turn.floor and _just(state) else []


def _just(state: State) -> bool:
    return state.turn.floor is None and state.reveals[-1].at == state.turn.began


def _before_lifting(state: State) -> list[str]:
    lines = ["Lift with both hands: one holds the floors below."]
    if state.turn.called == SUSPICION:
        lines.append(f"The ground floor counts only if a clue of {thrower(state)} lies there too.")
    if state.phase is Phase.ACT1:
        lines.append(f"Without a victim there, {thrower(state)} throws one clue more.")
    return lines
