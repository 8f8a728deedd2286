"""Events as text and back, whatever the text."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import notation
from companion.rules.chance import shuffled
from companion.rules.events import (
    BellRang,
    CubeDropped,
    CubesSeen,
    DiceExpected,
    DiceRolled,
    DieFace,
    Event,
    Seat,
    Seconds,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything(Event):
    """One field of each type."""

    words: tuple[str, ...]
    text: str
    number: int
    share: float
    yes: bool
    die: DieFace
    maybe: str | None = None
    many: tuple[int, ...] = ()


texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=20)
times = st.floats(0, 1e6, allow_nan=False).map(Seconds)
seats = st.none() | st.from_regex(r"[a-z]{1,8}", fullmatch=True).filter(lambda s: s != "table").map(Seat)
dice = st.builds(DieFace, st.sampled_from(["white", "coloured"]), st.sampled_from("123456"))
events = st.one_of(
    st.builds(DiceRolled, at=times, by=seats, roll=texts, dice=st.lists(dice).map(tuple)),
    st.builds(CubeDropped, at=times, by=seats, drop=texts, colour=texts),
    st.builds(CubesSeen, at=times, by=seats, cubes=st.lists(texts.filter(bool)).map(tuple)),
    st.builds(BellRang, at=times, by=st.none(), timer=texts),
    st.builds(
        Everything,
        at=times,
        by=seats,
        words=st.lists(texts.filter(bool)).map(tuple),
        text=texts,
        number=st.integers(),
        share=st.floats(allow_nan=False),
        yes=st.booleans(),
        die=dice,
        maybe=st.none() | texts,
        many=st.lists(st.integers()).map(tuple),
    ),
)


@given(events)
def test_every_event_comes_back_from_its_line(event):
    line = notation.write(event)
    assert "\n" not in line
    assert notation.read(line, [Everything]) == event


@given(events)
def test_every_event_comes_back_from_its_arguments(event):
    again = notation.event_from(
        notation.word_of(event), notation.arguments(event), at=event.at, by=event.by, events=[Everything]
    )
    assert again == event


@given(st.text(max_size=80))
def test_any_other_text_is_refused_by_name_or_read(text):
    try:
        event = notation.read(text)
    except ValueError:
        return
    assert notation.read(notation.write(event)) == event


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "is not an event"),
        ("x anna dice_rolled", "'x' is not a number of seconds"),
        ("1.0 anna flew", "'flew' is not an event of this game"),
        ("1.0 anna dice_rolled roll=r dice=white:4 size=3", "has no 'size'; it takes roll, dice"),
        ("1.0 anna dice_rolled roll=r", "not complete"),
        ("1.0 anna dice_rolled roll=r dice=white4", "'white4' is not a die"),
        ("1.0 anna dice_rolled what", "'what' is not name=value"),
        ("1.0 anna everything yes=perhaps", "say yes or no"),
    ],
)
def test_a_bad_line_is_named(line, why):
    with pytest.raises(ValueError, match=why):
        notation.read(line, [Everything])


@given(st.text(min_size=1), st.lists(st.integers()))
def test_a_shuffle_keeps_every_item_and_follows_from_its_text(deal, items):
    order = shuffled(deal, "pile", items)
    assert sorted(order) == sorted(items)
    assert order == shuffled(deal, "pile", items)


def test_shuffles_are_even():
    firsts = [shuffled(str(n), "p", "abcd")[0] for n in range(4000)]
    assert all(900 < firsts.count(letter) < 1100 for letter in "abcd")


def test_dice_expected_takes_all_or_only_the_thrown_and_says_what_is_wrong():
    held = (DieFace("white", "4"),)
    wanted = DiceExpected(kinds=(("white", 2), ("coloured", 1)), held=held)
    white, coloured = DieFace("white", "1"), DieFace("coloured", "6")
    assert wanted.count == 3
    assert wanted.mismatch((white, white, coloured)) is None
    assert wanted.mismatch((white, coloured)) is None
    assert wanted.mismatch((white, white)) == "2 white + 1 coloured expected, 2 white seen"
    assert wanted.mismatch(()) == "2 white + 1 coloured expected, none seen"
    assert wanted.mismatch((DieFace("white", "7"), white, coloured)) == "7 is not on these dice"


@pytest.mark.parametrize("at", ["nan", "inf", "-1.0", "1e300", "soon"])
def test_what_is_no_table_time_is_refused(at):
    with pytest.raises(ValueError, match="is not a number of seconds"):
        notation.read(f"{at} table bell_rang timer=t")


@pytest.mark.parametrize("text", ["\0", "\ud800", '"\\ud83d"'])
def test_what_no_database_keeps_is_refused(text):
    with pytest.raises(ValueError, match="no database keeps"):
        notation.event_from("bell_rang", {"timer": text}, at=Seconds(0.0), by=None)
