"""What the table is asked for, what helps the people there, what they must not miss. The same for all."""

from companion.games.noir import words
from companion.games.noir.grid import COLUMN, Line
from companion.games.noir.pieces import ALL, CARDS, FOUR, HAND, NAMES, SIDE, members
from companion.games.noir.state import INSPECTOR, KILLER, Phase, State
from companion.games.noir.steps import ASKING, TIMED, acting

_EDGES = "Next to a suspect are the eight around it; the grid does not go round its edges."


def where(state: State, card: int) -> str:
    """Where a suspect lies, in words; empty once the card was taken away."""
    place = state.grid.where(card)
    return f"row {place[0]}, column {place[1]}" if place else ""


def demand(state: State) -> str:
    """What the table is asked to do now, as a sentence."""
    name = NAMES[state.asked]
    match state.phase:
        case Phase.ROLE:
            return "Who is the killer? The other player is the inspector."
        case Phase.LAYOUT:
            row, column = divmod(len(state.grid.cards), SIDE)
            return f"Lay the suspects out. Who lies in row {row + 1}, column {column + 1}?"
        case Phase.FIRST:
            return f"{state.name_of(KILLER)}, the killer, kills a suspect next to the own identity."
        case Phase.CHOOSE:
            return (
                f"{state.name_of(INSPECTOR)}, the inspector, chooses one of four cards as secret identity."
            )
        case Phase.TURN:
            return _turn(state)
        case Phase.VICTIM:
            return f"{name} is killed. {state.name_of(INSPECTOR)}: were you {name}?"
        case Phase.ARREST:
            return f"{state.name_of(INSPECTOR)} asks {state.name_of(KILLER)}: are you {name}?"
        case Phase.DISGUISE:
            return f"{state.name_of(KILLER)} looks at the card in secret: does that suspect live?"
        case Phase.EXONERATE:
            return f"{state.name_of(INSPECTOR)} holds four evidence cards and lays one of them open."
        case Phase.CANVASS:
            return (
                f"{state.name_of(acting(state))}: is your identity next to {name}? The answer must be true."
            )
        case Phase.END:
            return "The game is over."


def _turn(state: State) -> str:
    killer = state.role == KILLER
    can = ["shift a line", "kill" if killer else "arrest"]
    if state.deck:
        can.append("disguise" if killer else "exonerate")
    if state.rules.by_action:
        can.append("collapse the grid")
    role = "killer" if killer else "inspector"
    return f"{state.name_of(state.role)}, the {role}: {words.listed(can, 'or')}."


def prompts(state: State) -> tuple[str, ...]:
    """Sentences for what the table is at, after what is left to do of the last action."""
    if state.phase is Phase.END:
        return ()
    return (*_moves(state), *_step(state))


def _moves(state: State) -> tuple[str, ...]:
    """Which cards leave the grid: told until the next action."""
    lines = [f"{words.begun(words.line(line))} is all deceased: {_close(line)}" for line in state.gone]
    if state.gone:
        lines.append(f"Off the grid: {words.suspects(state.taken)}.")
    elif state.taken:
        lines.append(f"Take away {words.suspects(state.taken)}, and close the gaps.")
    return tuple(lines)


def _close(line: Line) -> str:
    beside = "from left and right" if line.kind == COLUMN else "from above and below"
    return f"take it away and close the gap {beside}."


def _step(state: State) -> tuple[str, ...]:
    phones = state.rules.phones
    match state.phase:
        case Phase.LAYOUT:
            return ("All on the living side, row by row from the top left.",)
        case Phase.FIRST:
            return _first(state)
        case Phase.CHOOSE:
            return _choose(state)
        case Phase.TURN:
            return (_veiled(state),) if phones else (_EDGES,)
        case Phase.DISGUISE:
            fate = "turn its suspect to the deceased side" if state.rules.old_dies else "on its suspect"
            return (
                f"It lives: lay the old identity open, {fate}; the drawn card lies face down before you.",
                "It is deceased: lay the drawn card open beside the grid and stay who you are.",
            )
        case Phase.EXONERATE:
            on = "on its suspect if that one lives, else beside the grid"
            return (f"The open card goes {on}. {words.begun(words.number(HAND))} cards stay in the hand.",)
        case Phase.CANVASS:
            return (f"Next to {NAMES[state.asked]}: {_area(state)}.",)
    return ()


def _veiled(state: State) -> str:
    verb = "kill" if state.role == KILLER else "arrest"
    return f"To {verb}, lift the veil on your own phone: it shows who is next to you."


def _area(state: State) -> str:
    living = state.grid.next_to(state.asked) & state.alive
    return words.suspects(members(living)) or "nobody alive"


def _first(state: State) -> tuple[str, ...]:
    if state.rules.phones:
        return ("The evidence cards are dealt to the phones, under a veil.", _veiled(state))
    killer, inspector = state.name_of(KILLER), state.name_of(INSPECTOR)
    four = f"{inspector} draws {words.number(FOUR)}"
    later = f"{four} after the first kill." if state.rules.draws_after else f"{four}."
    return (
        f"Lay the suspects as the grid shows, on the living side. Shuffle the {CARDS} evidence cards.",
        f"{killer} draws one, the secret identity, and lays it face down. {later}",
        _EDGES,
    )


def _choose(state: State) -> tuple[str, ...]:
    drawn = f"Draw {words.number(FOUR)} evidence cards. " if state.rules.draws_after else ""
    alive = "Choose somebody who lives; the other three are your hand."
    return (f"{drawn if not state.rules.phones else ''}{alive} That is the whole turn.",)


def warnings(state: State) -> tuple[str, ...]:
    """The turn's time, an empty deck, and told facts that cannot all be true."""
    lines = ["The time for this turn is up."] if state.rung and state.phase in TIMED else []
    if state.phase in {Phase.TURN, *ASKING} and not state.deck:
        lines.append("The evidence deck is empty: nobody disguises or exonerates any more.")
    for role, who in ((KILLER, "killer"), (INSPECTOR, "inspector")):
        if state.phase is not Phase.END and not state.could[role]:
            lines.append(
                f"What was told cannot all be true: nobody could be the {who}. "
                "Look again who was next to whom, and take back or correct what was wrong."
            )
    return tuple(lines)


def dead(state: State) -> tuple[int, ...]:
    """The deceased, in alphabetical order."""
    return members(ALL & ~state.alive)
