"""Cells, tiles, dice and options as text; the stand-in catalogue; what is kept for the next evening."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.moss import catalogue, evidence
from companion.games.moss.cost import Need, face_of, six_minutes, ways
from companion.games.moss.grid import CELLS, NEIGHBOURS, RAYS, SIDES, Cell, opposite
from companion.games.moss.rules import GAME
from companion.games.moss.state import DICE, USE_LIMIT, Due, Flips
from companion.games.moss.tiles import ICONS, Tile, turned
from companion.games.moss.words import TOKENS
from companion.rules import copies
from companion.rules.game import OutOfPlace, Setup
from games.kit import ANNA, alibi, cell, do, start, state

tiles = st.builds(
    Tile,
    name=st.from_regex(r"[A-Za-z][A-Za-z ']{0,20}[a-z]", fullmatch=True),
    icon=st.sampled_from(ICONS),
    number=st.integers(1, 6),
    sides=st.text("ol.", min_size=4, max_size=4),
    passage=st.none() | st.integers(1, 9),
)


@pytest.mark.parametrize("at", CELLS)
def test_a_cell_is_text_and_back(at):
    assert Cell.parse(str(at)) == at
    assert eval(repr(at).replace("Cell(", "Cell.parse(")) == at


@pytest.mark.parametrize("text", ["", "c", "c0", "c6", "f1", "C3", "c33", "３c"])
def test_what_is_no_cell_is_named(text):
    with pytest.raises(ValueError, match="is not a cell"):
        Cell.parse(text)


def test_rows_count_from_the_top():
    assert (cell("a1").row, cell("a1").column, cell("e5").row, cell("b2")) == (0, 0, 4, 6)
    assert NEIGHBOURS[cell("a1")] == (None, cell("b1"), cell("a2"), None)
    assert [str(c) for c in RAYS[cell("b4")][1]] == ["c3", "d2", "e1"]


@given(tiles)
def test_a_tile_is_text_and_back(tile):
    assert Tile.parse(str(tile)) == tile


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Study", "is not a tile"),
        ("Study:suspect:4:o.l.", "is not a tile"),
        (":suspect:4:o.l.:-", "name"),
        ("Study:guest:4:o.l.:-", "icon"),
        ("Study:suspect:7:o.l.:-", "number"),
        ("Study:suspect:4:oxl.:-", "sides"),
        ("Study:suspect:4:ol.:-", "sides"),
        ("Study:suspect:4:o.l.:0", "passage"),
    ],
)
def test_what_is_no_tile_is_named(text, why):
    with pytest.raises(ValueError, match=why):
        Tile.parse(text)


@given(st.text("ol.", min_size=4, max_size=4), st.integers(0, 3))
def test_a_tile_turns_clockwise(sides, turn):
    after = turned(sides, turn)
    assert after == turned(after, 4)
    assert [after[(i + turn) % 4] for i in range(4)] == list(sides)
    assert (SIDES.index("N"), opposite(0)) == (0, 2)


faces = st.integers(1, 6)
hands = st.lists(faces, min_size=8, max_size=8)
needs = st.one_of(
    st.builds(Need, st.just("X"), st.just("number"), st.integers(1, 3), st.integers(1, 6)),
    st.builds(Need, st.just("X"), st.just("same"), st.sampled_from([3, 5])),
    st.builds(Need, st.just("X"), st.just("run"), st.sampled_from([3, 4])),
)


@given(hands, needs, st.integers(0, 6))
def test_the_dice_offered_pay_and_none_pay_cheaper(hand, need, used):
    before = state(dice=" ".join(map(str, hand)), used=DICE[:used])
    offered = ways(before, need)
    loose = [die for die in DICE if die not in before.turn.used]
    possible = [
        dice
        for dice in combinations(loose, need.count)
        if need.met_by([face_of(before, die) for die in dice]) and need.count + used <= USE_LIMIT
    ]
    assert bool(offered) is bool(possible)
    for dice in offered:
        assert need.met_by([face_of(before, die) for die in dice])
        assert len(set(dice)) == need.count
    if offered:
        assert six_minutes(before, offered[0]) == min(six_minutes(before, dice) for dice in possible)


def test_a_quick_copy_is_the_copy_of_the_standard_library():
    before = state(dice="1 2 3 4 5 6 1 2", suspects={"S1": "c3"})
    after = copies.replace(before, minutes=7, carried=("key",))
    assert after == replace(before, minutes=7, carried=("key",))
    assert hash(copies.replace(before.turn, throws=2)) == hash(replace(before.turn, throws=2))
    with pytest.raises(KeyError):
        copies.replace(before, no_such_field=1)


def test_the_catalogue_agrees_with_the_box():
    icons = Counter(tile.icon for tile in catalogue.ROOM_TILES)
    assert icons == {"suspect": 10, "evidence": 8, "assistance": 6}
    assert len({tile.name for tile in catalogue.ROOM_TILES}) == 24
    assert {tile.number for tile in catalogue.ROOM_TILES} == {1, 2, 3, 4, 5}
    assert all(tile.sides.count(".") <= 2 for tile in catalogue.ROOM_TILES)
    assert any("l" in tile.sides for tile in catalogue.ROOM_TILES)
    assert {tile.passage for tile in catalogue.ROOM_TILES} == {None, 1, 2, 3}
    assert catalogue.SCENE_TILE.icon == "scene"
    assert len(set(catalogue.SUSPECTS)) == 10
    assert catalogue.VICTIM not in catalogue.SUSPECTS
    assert len(catalogue.EVIDENCE) == 8
    assert set(catalogue.EVIDENCE) <= set(evidence.KINDS)
    assert {"four", "corner", "alibi", "tainted"} <= set(catalogue.EVIDENCE)
    assert len(catalogue.ASSISTANCE) == 10
    assert set(catalogue.ASSISTANCE) == set(TOKENS)


def test_the_own_boxs_tiles_and_names_are_kept():
    evening = start({"pieces": "mine"})
    evening = do(evening, "scene_laid", tile="Scene:scene:2:oo..:1", turn="1")
    evening = do(evening, "suspect_named", suspect="Suspect 3", name="Miss Muffin")
    evening = do(evening, "tile_revealed", cell="c2", tile="Study:suspect:4:o.l.:2")
    evening = do(evening, "tile_laid", turn="2", token="Miss Muffin")
    kept = GAME.keeps(evening)
    assert kept["tiles"] == "Scene:scene:2:oo..:1;Study:suspect:4:o.l.:2"
    following = start({"pieces": "mine"}, carried=kept)
    assert following.names[2] == "Miss Muffin"
    assert [tile.name for tile in following.remembered] == ["Scene", "Study"]
    between = start(carried=kept)
    assert GAME.keeps(between)["tiles"] == kept["tiles"]
    assert GAME.keeps(between)["suspects"] == kept["suspects"]


def test_tokens_to_flip_follow_a_renamed_suspect():
    before = replace(state(), flips=Flips(down=("S1",), up=("S2",)))
    after = do(before, "suspect_named", suspect="S1", name="Miss Muffin")
    assert after.flips == Flips(down=("Miss Muffin",), up=("S2",))


def test_an_alibi_follows_a_renamed_suspect():
    before = state(clues=[alibi("a1", "S1")], suspects={"S1": "c2"})
    after = do(before, "suspect_named", suspect="S1", name="Miss Muffin")
    assert after.suspect_at(cell("c2")) == "Miss Muffin"
    assert set(evidence.eliminated(after)) == {"Miss Muffin"}
    assert do(before, "suspect_named", suspect="S1", name="N" * 40).names[0] == "N" * 40
    for name, why in (("S2", "a S2 already"), ("", "1 to 40"), ("N" * 41, "1 to 40"), ("a;b", "no ;")):
        with pytest.raises(OutOfPlace, match=why):
            do(before, "suspect_named", suspect="S1", name=name)
    with pytest.raises(OutOfPlace, match="does not come now"):
        do(start(), "suspect_named", suspect=catalogue.SUSPECTS[0], name="X")


@pytest.mark.parametrize(
    ("tile", "why"),
    [
        (None, "Say what the tile on c2 shows"),
        ("X:scene:1:oooo:-", "no place among the rooms"),
        ("Study:evidence:1:oooo:-", "Study lies in the house already"),
    ],
)
def test_tiles_that_cannot_be_are_refused(tile, why):
    before = replace(state({"c4": "Study:suspect:4:o.l.:2"}), due=Due(reveal=(cell("c2"),)))
    args = {} if tile is None else {"tile": tile}
    with pytest.raises(OutOfPlace, match=why):
        do(before, "tile_revealed", cell="c2", **args)


def test_a_dealt_tile_is_not_declared():
    with pytest.raises(OutOfPlace, match="dealt this tile"):
        do(start(), "tile_revealed", cell="c2", tile="X:suspect:1:oooo:-")


def test_no_more_than_two_tokens_of_a_kind():
    before = replace(state(carried=["key", "key"]), due=Due(reveal=(cell("c2"),)))
    with pytest.raises(OutOfPlace, match="Both tokens of the kind Key"):
        do(before, "tile_revealed", cell="c2", tile="X:assistance:1:oooo:-", turn="0", token="key")
    with pytest.raises(OutOfPlace, match="Say which assistance token"):
        do(before, "tile_revealed", cell="c2", tile="X:assistance:1:oooo:-", turn="0")


def test_carried_names_must_be_ten():
    with pytest.raises(ValueError, match="10 suspects"):
        GAME.setup(Setup((ANNA,), options={"pieces": "mine"}, carried={"suspects": "A;B"}))
