"""What a known number of dice changes: which are taken, how sure they are, what is still doubted."""

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.events import DiceExpected, DieFace
from vision.dice import dice_of
from vision.faceheads import COLOURS, EMBEDDING, STATES, SYMBOLS
from vision.judgement import RollStatus, judge
from vision.looks import Looks
from vision.places import Places, weighed
from vision.taught import Taught

NOTHING = Taught()


def places(
    *chances: float,
    symbols: str = "pips4",
    inside: float = 1.0,
    state: str = "flat",
    leaning: tuple[int, ...] = (),
) -> Places:
    """Clear fours at these chances, side by side; those numbered in ``leaning`` lean."""
    count = len(chances)
    said = np.full((count, len(SYMBOLS)), 1e-5, np.float32)
    said[:, SYMBOLS.index(symbols)] = 1
    states = np.full((count, len(STATES)), 0.01, np.float32)
    states[:, STATES.index(state)] = 0.96
    square = np.array(((0, 0), (40, 0), (40, 40), (0, 40)), np.float32)
    looks = Looks(
        symbols=said,
        colours=np.full((count, len(COLOURS)), 1 / 6, np.float32),
        white=np.full(count, 0.999, np.float32),
        tint=np.full(count, 0.1, np.float32),
        light=np.full((count, 3), np.nan, np.float32),
        blur=np.full(count, 0.12, np.float32),
        states=states,
        corners=np.array([square + np.float32((60 * n + 10, 10)) for n in range(count)], np.float32),
        embeddings=np.eye(count, EMBEDDING, dtype=np.float32),
    )
    values = np.array(chances, np.float32)
    return Places(
        values,
        values,
        looks,
        np.full(count, inside, np.float32),
        np.zeros((count, 1), np.float32),
        np.array([n in leaning for n in range(count)]),
    )


def white(count: int, held: int = 0, *, partial: bool = False) -> DiceExpected:
    return DiceExpected((("white", count),), held=(DieFace("white", "4"),) * held, partial=partial)


def test_the_known_count_makes_a_roll_sure_that_is_else_doubtful() -> None:
    found = places(0.9999, 0.9999, 0.9999, 0.8, 0.002)
    assert judge(dice_of(found, None, NOTHING), None).status is RollStatus.DOUBTFUL
    assert judge(dice_of(found, white(4), NOTHING), white(4)).status is RollStatus.SURE


def test_a_rival_as_likely_as_the_last_die_keeps_the_doubt() -> None:
    judged = judge(dice_of(places(0.999, 0.999, 0.7, 0.68), white(3), NOTHING), white(3))
    assert judged.status is RollStatus.DOUBTFUL
    assert judged.confidence < 0.6


def test_a_die_that_leans_is_named_and_its_roll_is_asked_about() -> None:
    dice = dice_of(places(0.9999, 0.9999, 0.9999, 0.9999, leaning=(2,)), white(4), NOTHING)
    assert [die.state for die in dice] == ["flat", "flat", "cocked", "flat"]
    judged = judge(dice, white(4))
    assert judged.status is RollStatus.DOUBTFUL
    assert judged.reason == "The white die read as 4 leans on something: lay it flat."
    (die,) = dice_of(places(0.9999, leaning=(0,), inside=0.6), white(1), NOTHING)
    assert die.state == "cut"


def test_more_clear_dice_than_expected_are_said_and_not_swallowed() -> None:
    found = places(0.9999, 0.9999, 0.9999, 0.9999)
    dice = dice_of(found, white(3), NOTHING)
    assert len(dice) == 4
    assert judge(dice, white(3)).status is RollStatus.WRONG_COUNT


def test_too_few_dice_are_shown_with_the_less_likely_ones() -> None:
    dice = dice_of(places(0.45, 0.4, 0.3, 0.01), white(7), NOTHING)
    assert len(dice) == 3
    assert judge(dice, white(7)).status is RollStatus.WRONG_COUNT
    assert dice_of(places(0.45, 0.4), None, NOTHING) == []


def test_only_the_thrown_ones_may_lie_there_where_that_is_allowed() -> None:
    found = places(*[0.9999] * 5)
    expected = white(8, held=3, partial=True)
    assert judge(dice_of(found, expected, NOTHING), expected).status is RollStatus.SURE


def test_what_may_have_been_overlooked_costs_every_roll_of_unknown_number() -> None:
    clear = judge(dice_of(places(0.9999, 0.9999), None, NOTHING), None)
    rival = judge(dice_of(places(0.9999, 0.9999, 0.4), None, NOTHING), None)
    assert clear.status is RollStatus.SURE
    assert rival.status is RollStatus.DOUBTFUL
    assert rival.confidence == pytest.approx(0.6 * clear.confidence, rel=0.01)


@pytest.mark.parametrize("expected", [None, white(3)])
def test_another_place_like_a_die_is_the_reason_and_no_die_is_blamed(expected: DiceExpected | None) -> None:
    dice = dice_of(places(0.9999, 0.9999, 0.9999, 0.5), expected, NOTHING)
    judged = judge(dice, expected)
    assert judged.reason == "Something else in the picture could be a die, too."
    assert min(die.confidence for die in dice) > 0.95
    assert judged.status is RollStatus.DOUBTFUL


def test_what_ends_at_the_border_may_be_a_die_that_is_cut() -> None:
    found = places(0.9999, 0.9999, 0.08)
    assert judge(dice_of(found, None, NOTHING), None).status is RollStatus.SURE
    at_border = replace(found, inside=np.array([1, 1, 0.7], np.float32))
    judged = judge(dice_of(at_border, None, NOTHING), None)
    assert judged.status is RollStatus.DOUBTFUL
    assert judged.reason == "Something else in the picture could be a die, too."
    assert judge(dice_of(at_border, white(2), NOTHING), white(2)).status is RollStatus.SURE


@pytest.mark.parametrize(("expected", "least"), [(None, 0.62), (white(3), 0.45)])
def test_a_place_that_may_be_no_die_is_named(expected: DiceExpected | None, least: float) -> None:
    judged = judge(dice_of(places(0.9999, 0.9999, least, 0.01), expected, NOTHING), expected)
    assert judged.reason == "What was read as 4 on a white die could be no die."
    assert judged.status is RollStatus.DOUBTFUL


@pytest.mark.parametrize(
    ("state", "words"),
    [("cocked", "leans on something"), ("stacked", "lies on another die"), ("covered", "partly covered")],
)
def test_dice_that_do_not_lie_flat_are_named_and_never_sure(state: str, words: str) -> None:
    dice = dice_of(places(0.9999, state=state), None, NOTHING)
    assert [die.state for die in dice] == [state]
    judged = judge(dice, None)
    assert judged.status is RollStatus.DOUBTFUL
    assert words in judged.reason


def test_a_die_half_out_of_the_picture_is_cut() -> None:
    (die,) = dice_of(places(0.9999, inside=0.6), None, NOTHING)
    assert die.state == "cut"
    assert "half out of the picture" in judge([die], None).reason


def test_what_was_taught_comes_before_what_the_networks_knew() -> None:
    taught = NOTHING.add("suspect", "green", np.eye(1, EMBEDDING, dtype=np.float32))
    expected = DiceExpected((("suspect", 1),), faces=("green", "red"), partial=False)
    (die,) = dice_of(places(0.9999), expected, taught)
    assert (die.kind, die.face) == ("suspect", "green")
    (plain,) = dice_of(places(0.9999), replace(expected, kinds=(("white", 1),), faces=("4",)), taught)
    assert (plain.kind, plain.face) == ("white", "4")


def test_pips_that_were_shown_are_sure_only_where_network_and_likeness_agree() -> None:
    one = np.eye(1, EMBEDDING, dtype=np.float32)
    for shown, sure in (("4", RollStatus.SURE), ("5", RollStatus.DOUBTFUL)):
        taught = NOTHING.add("white", shown, one)
        dice = dice_of(weighed(places(0.9999), white(1), taught), white(1), taught)
        assert judge(dice, white(1)).status is sure, shown


@pytest.mark.parametrize("count", [1, 6])
def test_prints_are_never_sure_before_they_were_shown(count: int) -> None:
    found = places(*[0.9999] * count, symbols="fingerprint")
    sharp = np.full((count, len(COLOURS)), 1e-9, np.float32)
    sharp[:, 0] = 1
    found = replace(found, looks=replace(found.looks, colours=sharp))
    expected = DiceExpected((("fingerprint", count),), faces=COLOURS, partial=False)
    dice = dice_of(found, expected, NOTHING)
    assert [die.face for die in dice] == ["green"] * count
    assert judge(dice, expected).status is RollStatus.DOUBTFUL


def test_what_looks_a_little_like_dice_that_were_shown_does_not_become_one() -> None:
    taught = NOTHING.add("white", "4", np.eye(3, EMBEDDING, dtype=np.float32))
    flower = np.zeros((1, EMBEDDING), np.float32)
    for alike, count in ((0.93, 3), (1.0, 4)):
        flower[0, 0], flower[0, 9] = alike, np.sqrt(1 - alike**2)
        seen = places(0.9999, 0.9999, 0.9999, 0.02)
        looks = replace(seen.looks, embeddings=np.vstack((np.eye(3, EMBEDDING, dtype=np.float32), flower)))
        seen = replace(seen, looks=looks, heat=np.full(4, 0.9, np.float32))
        assert (weighed(seen, white(3), taught).chances > 0.5).sum() == count
