"""Throwing, holding and using the dice (M10 to M13, M41)."""

from collections.abc import Sequence

from companion.games.moss import words
from companion.games.moss.cost import Need, face_of
from companion.games.moss.events import DiceHeld, LuckyBreakUsed, RollingStopped
from companion.games.moss.state import COLOURED, DICE, PLACE, THROWS, USE_LIMIT, Phase, State, Turn
from companion.rules.copies import replace
from companion.rules.events import DiceExpected, DiceRolled, DieFace
from companion.rules.game import OutOfPlace

WHITE_KIND, COLOURED_KIND = "white", "coloured"
KINDS = ((WHITE_KIND, COLOURED), (COLOURED_KIND, 1))


def kind_of(die: str) -> str:
    """``white`` or ``coloured``."""
    return COLOURED_KIND if die == DICE[COLOURED] else WHITE_KIND


def expected(turn: Turn) -> DiceExpected:
    """All eight dice; those held should lie as they lay."""
    held = tuple(DieFace(kind_of(d), str(turn.faces[PLACE[d]])) for d in DICE if d in turn.held)
    return DiceExpected(KINDS, held)


def thrown(state: State, event: DiceRolled) -> State:
    """The dice after a throw. The third one ends the rolling (M10)."""
    turn = state.turn
    if event.roll in state.rolls:
        raise OutOfPlace(f"This throw ({event.roll}) has been counted already.")
    waiting = expected(turn)
    mismatch = waiting.mismatch(event.dice)
    if mismatch:
        raise OutOfPlace(f"{mismatch}.")
    if not event.dice:
        raise OutOfPlace("All eight dice are held. Let go of the dice to throw, or stop rolling.")
    throws = turn.throws + 1
    return replace(
        state,
        rolls=state.rolls | {event.roll},
        turn=replace(turn, throws=throws, faces=_faces(turn, event.dice)),
        phase=Phase.ACT if throws == THROWS else Phase.ROLL,
    )


def _faces(turn: Turn, seen: Sequence[DieFace]) -> tuple[int, ...]:
    """Give the faces seen to the dice by name; dice that may lie as they lay keep their names.

    With fewer than eight the held ones lie aside. With all eight in view a held mark is only a hint: if
    its face is missing, that die was thrown too.
    """
    pools = {kind: [int(d.face) for d in seen if d.kind == kind] for kind, _ in KINDS}
    faces: dict[str, int] = {}
    if turn.faces:
        aside = len(seen) < len(DICE)
        held = [die for die in DICE if die in turn.held]
        for die in (*held, *(die for die in DICE if die not in turn.held)):
            pool, face = pools[kind_of(die)], turn.faces[PLACE[die]]
            if aside and die in turn.held:
                faces[die] = face
            elif face in pool:
                pool.remove(face)
                faces[die] = face
    return tuple(faces[die] if die in faces else pools[kind_of(die)].pop(0) for die in DICE)


def held(state: State, event: DiceHeld) -> State:
    """These dice are marked as staying."""
    for die in event.dice:
        _known(die)
    return replace(state, turn=replace(state.turn, held=frozenset(event.dice)))


def stopped(state: State, _event: RollingStopped) -> State:
    """No more throws: the actions begin."""
    return acting(state)


def acting(state: State) -> State:
    """An action that uses dice stops the rolling (M9)."""
    return state if state.phase is Phase.ACT else replace(state, phase=Phase.ACT)


def lucky_break(state: State, event: LuckyBreakUsed) -> State:
    """One white die shows another face, once a turn for each token carried (M41, C29)."""
    tokens = state.carried.count("lucky_break")
    if not tokens:
        raise OutOfPlace("You carry no Lucky Break.")
    if state.turn.lucky >= tokens:
        raise OutOfPlace("The Lucky Break has been used in this turn; it works again in the next.")
    place = _known(event.die)
    if place == COLOURED:
        raise OutOfPlace("Lucky Break turns a white die only, not the coloured one.")
    if event.die in state.turn.used:
        raise OutOfPlace("This die has been used already; Lucky Break turns a die that has not.")
    if event.face not in range(1, 7):
        raise OutOfPlace(f"A die shows 1 to 6, not {event.face}.")
    faces = (*state.turn.faces[:place], event.face, *state.turn.faces[place + 1 :])
    return replace(state, turn=replace(state.turn, faces=faces, lucky=state.turn.lucky + 1))


def paid(state: State, dice: Sequence[str], *needs: Need) -> State:
    """The state with these dice used for one of ``needs`` (the cheapest first); it is then ACT.

    Raises OutOfPlace saying what is needed and what was given. No needs: no dice.
    """
    _usable(state, dice)
    faces = [face_of(state, die) for die in dice]
    if not any(need.met_by(faces) for need in needs) and (needs or dice):
        given = words.listed(faces) if faces else "none"
        asked = f"{needs[0].what} needs {needs[0]}" if needs else "This step needs no dice"
        raise OutOfPlace(f"{asked}; you gave {given}.")
    turn = replace(state.turn, used=(*state.turn.used, *dice)) if dice else state.turn
    return replace(state, turn=turn, phase=Phase.ACT)


def _usable(state: State, dice: Sequence[str]) -> None:
    for die in dice:
        _known(die)
    if len(set(dice)) < len(dice):
        raise OutOfPlace("The same die was given twice; each die counts once.")
    for die in dice:
        if die in state.turn.used:
            raise OutOfPlace(
                f"The die showing {face_of(state, die)} lies on the player board already: "
                "each die is used once a turn."
            )
    if len(state.turn.used) + len(dice) > USE_LIMIT:
        raise OutOfPlace(
            f"Six dice may be used in a turn; {words.number(len(state.turn.used))} lie on the player board "
            f"and this would add {words.number(len(dice))}."
        )


def _known(die: str) -> int:
    if die not in PLACE:
        raise OutOfPlace(f"There is no die {die!r}; the dice are {words.listed(DICE)}.")
    return PLACE[die]
