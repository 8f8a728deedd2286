"""In the middle of each demand: taken back and let stand, the power cut, exported and imported, amended."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from companion.games.moss.cost import turn_minutes
from companion.games.moss.rules import GAME
from companion.games.moss.state import State
from companion.games.moss.steps import Step, step
from companion.rules.events import DiceRolled, DieFace, Event
from companion.rules.game import Setup
from companion.rules.notation import write
from games.detective import Detective, Hoarder, WithTheBox
from games.kit import ANNA
from games.midway import opened, reached, survives

GAMES = {"moss": GAME}
EVENINGS: tuple[tuple[type[Detective], str, int], ...] = (
    (Hoarder, "dealt", 1),
    (WithTheBox, "mine", 3),
)
DEMANDS = [now for now in Step if now not in {Step.OVER, Step.SCENE}]


@cache
def evening(player: type[Detective], pieces: str, seed: int) -> tuple[Setup, list[tuple[State, Event]]]:
    setup = Setup((ANNA,), options={"level": "60", "pieces": pieces}, deal=f"pockets {seed}")
    return setup, list(player(seed).play(setup))


def midway(wanted: Step, *, clock_die_loose: bool = False) -> tuple[Setup, list[Event]]:
    """The facts of an evening up to where the table is first at ``wanted``."""
    return reached(
        (evening(*which) for which in EVENINGS),
        lambda state: step(state) is wanted and not (clock_die_loose and "c" in state.turn.used),
    )


@pytest.mark.parametrize("wanted", DEMANDS, ids=lambda now: now.name.lower())
def test_a_demand_survives_undo_a_power_cut_and_a_copy(make_table, wanted):
    survives(make_table, GAME, *midway(wanted), ANNA)


def amended(thrown: DiceRolled, die: int, face: str) -> str:
    """The line of the throw with another face on its die number ``die``."""
    dice = list(thrown.dice)
    dice[die] = DieFace(dice[die].kind, face)
    return write(replace(thrown, dice=tuple(dice)))


def last_throw_of(kind: str, facts: Sequence[Event]) -> tuple[int, DiceRolled]:
    """The place of the last throw that shows dice of ``kind``, and the throw."""
    return max(
        (place, fact)
        for place, fact in enumerate(facts)
        if isinstance(fact, DiceRolled) and any(die.kind == kind for die in fact.dice)
    )


def test_the_clock_die_may_be_amended_while_an_arrow_waits(make_table):
    setup, facts = midway(Step.POINT, clock_die_loose=True)
    table = make_table(GAMES)
    opened(table, GAME, setup, facts)
    before = table.snapshot().state
    place, thrown = last_throw_of("coloured", facts)
    (die,) = (i for i, die in enumerate(thrown.dice) if die.kind == "coloured")
    was = int(thrown.dice[die].face)
    now = was % 5 + 1
    line = amended(thrown, die, str(now))
    assert table.amend(id="a", seq=place + 1, line=line, seat=ANNA).status == "kept"
    after = table.snapshot().state
    assert step(after) is Step.POINT
    assert turn_minutes(after) - turn_minutes(before) == now - was
    assert (after.clues, after.due) == (before.clues, before.due)
    assert make_table(GAMES).snapshot().state == after


def test_an_amendment_that_strands_the_gathering_is_refused_and_says_so(make_table):
    setup, facts = midway(Step.POINT)
    table = make_table(GAMES)
    opened(table, GAME, setup, facts)
    before = table.snapshot().state
    place, thrown = last_throw_of("white", facts)
    line = write(replace(thrown, dice=tuple(DieFace(die.kind, "1") for die in thrown.dice)))
    answer = table.amend(id="a", seq=place + 1, line=line, seat=ANNA)
    assert answer.status == "refused"
    assert answer.text.startswith("Then this could not stand: ")
    assert answer.text.endswith(".")
    assert table.snapshot().state == before
