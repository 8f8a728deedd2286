"""The walks that the board shows, against walking step by step."""

import random

import pytest

from companion.games.moss.cost import six_minutes, ways
from companion.games.moss.desk import reveal_risk
from companion.games.moss.grid import CELLS, NEIGHBOURS, Cell
from companion.games.moss.moves import move_needs
from companion.games.moss.rules import GAME
from companion.games.moss.state import State
from companion.games.moss.walks import walks
from companion.rules.game import OutOfPlace
from games.kit import NAMES, SCENE, alibi, arrow, cell, event, state

ROW = {
    "c3": "Scene of the Crime:scene:1:oooo:-",
    "d3": "X:suspect:2:...l:-",
    "b3": "Y:suspect:3:oooo:-",
    "b2": "Z:suspect:4:.oo.:-",
    "c2": "Q:suspect:5:..oo:-",
}


def test_a_walk_keeps_to_the_six_dice_that_are_left():
    hand = "2 2 3 3 4 4 5 5"
    assert set(walks(state(ROW, dice=hand))) == {cell(c) for c in ("b3", "b2", "c2", "d3")}
    four_used = state(ROW, dice=hand, used=["w2", "w4", "w6", "c"])
    assert cell("b2") in walks(four_used)
    assert cell("d3") not in walks(four_used)
    assert walks(state(ROW)) == {}


def test_a_walk_takes_the_key_and_the_cheapest_way():
    assert walks(state(ROW, dice="2 2 1 1 1 1 1 1"))[cell("d3")].numbers == (2, 2)
    assert walks(state(ROW, dice="2 1 1 1 1 1 1 1", carried=["key"]))[cell("d3")].numbers == (2,)
    around = walks(state(ROW, dice="3 4 6 1 1 1 1 1"))[cell("c2")]
    assert (around.numbers, around.sixes) == ((5,), 1)
    no_six = walks(state(ROW, dice="3 4 5 6 1 1 1 1"))[cell("b2")]
    assert (no_six.numbers, no_six.sixes) in {((3, 4), 0), ((5, 4), 0)}
    dear = walks(state(ROW, dice="3 6 1 1 1 1 1 1"))[cell("b2")]
    assert (dear.numbers, dear.sixes) == ((3, 4), 1)


def some_house(rng: random.Random) -> State:
    rooms = {}
    for at in CELLS:
        sides = "".join(rng.choice("oool.") for _ in range(4))
        rooms[str(at)] = f"Room {at}:assistance:{rng.randint(1, 5)}:{sides}:-"
    hand = " ".join(str(rng.randint(1, 6)) for _ in range(8))
    used = [f"w{n}" for n in range(1, 1 + rng.randint(0, 3))]
    carried = ["key"] if rng.random() < 0.3 else []
    return state({**rooms, "c3": SCENE}, dice=hand, used=used, carried=carried)


def on_foot(before: State) -> dict[Cell, int]:
    """Every cell reached by moves that the rules accept, with the fewest minutes for sixes."""
    best: dict[Cell, int] = {}
    todo = [(before, 0, (before.moss,))]
    while todo:
        here, spent, seen = todo.pop()
        for to in NEIGHBOURS[here.moss]:
            if to is None or to in seen:
                continue
            try:
                needs = move_needs(here, to)
            except OutOfPlace:
                continue
            for dice in ways(here, needs[0])[:1]:
                after = GAME.apply(here, event("moved", to=str(to), dice=",".join(dice)))
                minutes = spent + six_minutes(here, dice)
                best[to] = min(minutes, best.get(to, minutes))
                todo.append((after, minutes, (*seen, to)))
    return best


@pytest.mark.parametrize("seed", range(25))
def test_walks_are_what_the_rules_let_moss_walk(seed):
    before = some_house(random.Random(seed))
    assert {to: walk.sixes for to, walk in walks(before).items()} == on_foot(before)


def test_a_risk_is_a_hidden_tile_in_a_ray():
    clues = [alibi("a1", name) for name in NAMES[1:]]
    before = state({"c2": "X:suspect:2:oooo:-"}, clues=[*clues, arrow("single", "c5", 0)])
    assert reveal_risk(before, (cell("c2"),)) == ""
    assert reveal_risk(before, (cell("a2"),)) == ""
    assert reveal_risk(before, (cell("c4"),)) != ""
