"""What a seat can do now: whole events, the cheapest dice filled in, priced, with warnings.

An action that cannot be paid or done yet is listed with the reason. Choices that lose stand apart
from the safe ones, behind a warning.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.games.moss.desk import Desk
from companion.games.moss.offers_dice import ending, paid, stopping
from companion.games.moss.offers_evidence import clearing, pointing, tainting, turning_down
from companion.games.moss.offers_house import attaching, laying, reveals, scene
from companion.games.moss.offers_tokens import dropping, free, lucky, naming, notes
from companion.games.moss.state import State
from companion.games.moss.steps import Step, step
from companion.games.moss.walks import steps_from
from companion.rules.events import Event, Seat
from companion.rules.view import Action

_DRAFTS: dict[Step, tuple[Callable[[Desk], Iterator[Action]], ...]] = {
    Step.SCENE: (scene,),
    Step.REVEAL: (reveals,),
    Step.LAY: (laying,),
    Step.ATTACH: (attaching,),
    Step.POINT: (pointing,),
    Step.CLEAR: (clearing,),
    Step.TAINT: (tainting,),
    Step.DROP: (dropping,),
    Step.THROW: (turning_down, free),
    Step.RETHROW: (paid, turning_down, lucky, free, stopping, ending),
    Step.ACT: (paid, turning_down, lucky, free, ending),
}


def offers(apply: Callable[[State, Event], State], state: State, seat: Seat | None) -> tuple[Action, ...]:
    """Everything meaningful now, the likely next step marked ``lead``; nothing after the outcome."""
    now = step(state)
    if now is Step.OVER:
        return ()
    wanted = frozenset(face for _, numbers in steps_from(state, state.moss) for face in numbers)
    desk = Desk(apply, state, seat, wanted)
    drafts = (*_DRAFTS[now], naming, notes)
    offered = tuple(action for drafted in drafts for action in drafted(desk))
    return _nothing_left(offered) if now is Step.ACT else offered


def _nothing_left(offered: tuple[Action, ...]) -> tuple[Action, ...]:
    """Ending the turn leads once the dice pay for nothing that is safe."""
    if any("dice" in action.args and not action.refused and not action.warning for action in offered):
        return offered
    return tuple(replace(action, lead=True) if action.id == "end" else action for action in offered)
