"""The five mistakes that players make most, and what catches each."""

import pytest

from companion.games.suspects.state import Phase
from companion.rules.game import OutOfPlace
from games.suspects_kit import (
    ANNA,
    BEN,
    CLEO,
    EXAMPLE,
    PHONES,
    actions,
    do,
    roll,
    seen,
    solve,
    start,
    state,
    text,
    words,
)


def test_a_die_that_turned_during_the_transfer():
    before = roll(start(options=PHONES), EXAMPLE)
    assert before.phase is Phase.TRANSFER
    assert "compare" in seen(before).headline
    assert "2 green, 1 red and 3 yellow" in text(before, "Now")[0]
    assert "turned back" in text(before, "Now")[0]
    assert words(before) == {"locker_compared"}
    after = do(before, "locker_compared", CLEO)
    assert "turned back" in text(after, "Evidence")[-1]


def test_drawing_and_rolling_in_one_turn_or_rolling_two_dice():
    drawn = do(state(), "card_drawn", BEN, source="pile")
    with pytest.raises(OutOfPlace, match=r"one card or one die, never both\. Ben discards one card\."):
        do(drawn, "die_taken", BEN, die="1")
    assert "never both" in actions(drawn, BEN)["roll-1"].refused
    rolling = do(state(), "die_taken", BEN, die="1")
    with pytest.raises(OutOfPlace, match="never two dice"):
        do(rolling, "die_taken", BEN, die="2")
    assert "never both" in actions(rolling, BEN)["draw-pile"].refused
    assert "Only this die" in text(rolling, "Now")[0]


def test_forgetting_to_discard():
    drawn = do(state(options={"secrets": "cards"}), "card_drawn", BEN, source="pile")
    assert seen(drawn, CLEO).headline == "Ben discards one card."
    assert "Seven cards" in text(drawn, "Now", None)[0]
    with pytest.raises(OutOfPlace, match=r"Ben discards one card\."):
        do(drawn, "card_drawn", CLEO, source="pile")


def test_declaring_while_the_own_identity_lies_in_the_locker():
    before = state(files={"anna": EXAMPLE}, identities={"anna": "red"})
    said = "Your secret identity, red, lies in the locker: die 3."
    assert said in text(before, "For your eyes only")
    assert "under the veil" in actions(before)["solve"].refused
    with pytest.raises(OutOfPlace):
        do(before, "case_declared", ANNA)
    on_cards = state(options={"secrets": "cards"})
    warning = actions(on_cards)["solve"].warning
    assert "exactly 2 green, 1 red and 3 yellow" in warning
    assert "with blue, brown or purple as secret identity" in warning
    every = state("g r y b n p", options={"secrets": "cards"})
    assert "All six colours" in actions(every)["solve"].refused
    with pytest.raises(OutOfPlace):
        do(every, "case_declared", ANNA)


@pytest.mark.parametrize(
    ("locker", "said"),
    [("n g g g g g", "Brown in"), ("p g g g g g", "Purple in"), ("n p g g g g", "Brown and purple in")],
)
def test_reading_brown_as_purple(locker, said):
    before = roll(start(options=PHONES), locker)
    assert text(before, "Now")[1].startswith(said)
    assert "look twice" in text(before, "Now")[1]
    after = do(before, "locker_compared")
    assert any(line.startswith(said) for line in text(after, "Evidence"))
    assert not any("look twice" in line for line in text(state(), "Evidence"))


def test_a_new_case_without_new_identities():
    won = solve(state(options={"secrets": "cards"}), ANNA)
    assert words(won) == {"case_opened"}
    again = do(won, "case_opened", BEN)
    assert text(again, "Now")[:2] == [
        "Collect all cards, the identities too.",
        "One card face down to each: the secret identity. Stand it so that only its owner sees it.",
    ]
