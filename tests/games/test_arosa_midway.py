"""In the middle of each step: taken back and let stand, the power cut, exported and imported, corrected."""

from functools import cache

import pytest

from companion.games.arosa.rules import GAME
from companion.games.arosa.state import State
from companion.games.arosa.steps import Step, step
from companion.rules.events import CubeDropped, CubesSeen, Event, Observation, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import write
from games.arosa_kit import ANNA, BEN, CARLA, spaces
from games.guests import Guests
from games.midway import reached, survives

GAMES = {"arosa": GAME}
SEATS = (ANNA, BEN, CARLA)
STEPS = [now for now in Step if now not in {Step.OVER, Step.KNIFE}]


@cache
def evening(seed: int) -> tuple[Setup, list[tuple[State, Event]]]:
    setup = Setup(SEATS, options={}, deal=f"midway {seed}")
    return setup, list(Guests(seed, "most", ears=0.6, mishaps=0.05).play(setup))


def midway(wanted: Step) -> tuple[Setup, list[Event]]:
    """The facts of an evening up to where the table is first at ``wanted``."""
    return reached(map(evening, range(12)), lambda state: step(state) is wanted)


@pytest.mark.parametrize("wanted", STEPS, ids=lambda now: now.name.lower())
def test_a_step_survives_undo_a_power_cut_and_a_copy(make_table, wanted):
    survives(make_table, GAME, *midway(wanted), ANNA)


def played(make_table, ticks):
    """Anna and Ben at a table, up to Anna's first lifted floor."""
    table = make_table(GAMES)
    table.join("Anna")
    table.join("Ben")
    table.start_game(
        slug="arosa", title="Evening", seats=(ANNA, BEN), options={"knife": "first", "hotel": "first"}
    )
    for n in range(6):
        ticks.append(ticks[-1] + 10)
        fallen(table, f"d{n}", ticks[-1])
    return table


def fallen(table, drop: str, at: float) -> str:
    event = CubeDropped(at=Seconds(at), drop=drop)
    return table.submit(Observation(id=drop, event=event, source="tower")).status


def tap(table, word: str, seat: Seat = ANNA, **args: str):
    facts = len(table.snapshot().history)
    receipt = table.tap(id=f"tap{facts}", seat=seat, word=word, args=args)
    assert receipt.status == "kept", receipt.text
    return table.snapshot().state


def test_the_tower_plays_the_prolog_by_itself(make_table, ticks):
    table = played(make_table, ticks)
    here = table.snapshot().state
    assert step(here) is Step.LIFT
    assert (here.supply, here.inside) == ((18, 18), 2)
    assert fallen(table, "d0", ticks[-1]) == "again"


def test_a_reveal_that_was_counted_wrongly_is_corrected_and_all_is_reckoned_anew(make_table, ticks):
    table = played(make_table, ticks)
    tap(table, "floor_lifted", floor="5")
    wrong = tap(table, "cubes_seen", cubes="red,blue")
    assert spaces(wrong, "blue") == {5: 1}
    row = table.snapshot().history[-1]
    right = CubesSeen(at=row.at, by=ANNA, cubes=("red", "blue", "blue"))
    assert table.amend(id="a", seq=row.seq, line=write(right), seat=ANNA).status == "kept"
    here = table.snapshot().state
    assert spaces(here, "blue") == {5: 2}
    assert here.loose == (0, 2)


def test_a_correction_that_strands_a_throw_is_refused_and_says_so(make_table, ticks):
    table = played(make_table, ticks)
    tap(table, "floor_lifted", floor="5")
    tap(table, "cubes_seen", cubes="red,blue,yellow")
    row = table.snapshot().history[-1]
    tap(table, "cube_thrown", colour="blue")
    line = write(CubesSeen(at=row.at, by=ANNA, cubes=("red", "yellow")))
    answer = table.amend(id="a", seq=row.seq, line=line, seat=ANNA)
    assert answer.status == "refused"
    assert answer.text.startswith("Then this could not stand: Anna threw blue.")


def test_the_bell_asks_about_a_cube_that_was_not_heard(make_table, ticks):
    table = played(make_table, ticks)
    tap(table, "floor_lifted", floor="5")
    tap(table, "cubes_seen", cubes="")
    ticks.append(ticks[-1] + 20)
    here = tap(table, "cube_thrown", colour="yellow")
    assert here.throwing.listen is not None
    ticks.append(ticks[-1] + 10)
    table.tick()
    assert table.snapshot().state.throwing.asked
    assert table.snapshot().history[-1].told == "The tower has heard fewer cubes than were named."
