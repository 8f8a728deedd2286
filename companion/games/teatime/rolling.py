"""Throwing and holding the dice (T3, T17, T18)."""

from collections.abc import Sequence

from companion.games.teatime import words
from companion.games.teatime.events import DiceHeld, RollingStopped
from companion.games.teatime.pieces import ALL_DICE, FACES, IDS, JACKPOT, KIND, NUMBERS
from companion.games.teatime.state import Phase, Player, Special, State
from companion.rules.copies import replace
from companion.rules.events import DiceExpected, DiceRolled, DieFace
from companion.rules.game import OutOfPlace

THROWS = 3
"""A throw and up to two more of any dice."""


def awaited(state: State) -> DiceExpected | None:
    """All five dice, those held among them; None while none is thrown."""
    if state.phase is not Phase.ROLL:
        return None
    if not state.held:
        return ALL_DICE
    held = tuple(
        DieFace(KIND, face) for die, face in zip(IDS, state.dice, strict=True) if die in state.held
    )
    return DiceExpected(ALL_DICE.kinds, held, FACES)


def rolled(state: State, event: DiceRolled) -> State:
    """The dice after a throw. The third one is the last."""
    if event.roll in state.rolls:
        raise OutOfPlace("That throw is noted.")
    waiting = awaited(state)
    why = waiting.mismatch(event.dice) if waiting else "no throw is waited for now"
    if why:
        raise OutOfPlace(f"{words.begun(why)}.")
    if not event.dice:
        raise OutOfPlace("All five dice are kept. Let go of those to throw, or stop.")
    dice = _faces(state, [die.face for die in event.dice])
    throws = state.throws + 1
    return replace(
        state,
        rolls=state.rolls | {event.roll},
        throws=throws,
        dice=dice,
        special=special(dice),
        phase=Phase.CHOOSE if throws == THROWS else Phase.ROLL,
        players=state.players if state.throws else tuple(_settled(player) for player in state.players),
    )


def special(dice: tuple[str, ...]) -> Special | None:
    """What these five dice are, if they are anything special (AC-T9 to AC-T11)."""
    if dice == JACKPOT:
        return Special.JACKPOT
    return Special.STREAK if len(set(dice)) == len(dice) and set(dice) == set(NUMBERS) else None


def held(state: State, event: DiceHeld) -> State:
    """These dice are marked as staying."""
    _thrower(state, event)
    odd = [die for die in event.dice if die not in IDS]
    if odd:
        raise OutOfPlace(f"There is no die {odd[0]!r}; the dice are {words.listed(IDS)}.")
    return replace(state, held=frozenset(event.dice))


def stopped(state: State, event: RollingStopped) -> State:
    """No more throws: a tile is activated, or the round is passed."""
    _thrower(state, event)
    return replace(state, phase=Phase.CHOOSE)


def _faces(state: State, seen: Sequence[str]) -> tuple[str, ...]:
    """Give the faces seen to the dice by name; those that may lie as they lay keep their names.

    With fewer than five the kept ones lie aside. With all five in view a mark is only a hint: if its
    face is missing, that die was thrown too.
    """
    loose, faces = list(seen), list(state.dice)
    if not faces:
        return tuple(loose)
    aside = len(loose) < len(IDS)
    stays = [place for place, die in enumerate(IDS) if die in state.held]
    others = [place for place in range(len(IDS)) if place not in stays]
    fixed = set()
    for place in (*stays, *others):
        if aside and place in stays:
            fixed.add(place)
        elif faces[place] in loose:
            loose.remove(faces[place])
            fixed.add(place)
    return tuple(face if place in fixed else loose.pop(0) for place, face in enumerate(faces))


def _thrower(state: State, event: DiceHeld | RollingStopped) -> None:
    """Only who throws the dice keeps some, once they were thrown."""
    if event.by != state.seats[state.active]:
        raise OutOfPlace(f"{state.called(state.active)} has the dice.")
    if not state.throws:
        raise OutOfPlace("The first throw is of all five dice.")


def _settled(player: Player) -> Player:
    """Tokens put and taken back in the round before are no news any more."""
    return replace(player, gained=(), lost=()) if player.gained or player.lost else player
