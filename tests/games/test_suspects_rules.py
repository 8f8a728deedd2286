"""U1 to U10, by number."""

from collections import Counter

import pytest

from companion.games.suspects.cases import flaws
from companion.games.suspects.pieces import COLOURS, DECK, UNSEEN, same
from companion.games.suspects.rules import GAME
from companion.games.suspects.state import Phase
from companion.rules.chance import shuffled
from companion.rules.game import OutOfPlace, Setup
from games.suspects_kit import (
    ANNA,
    BEN,
    CLEO,
    EXAMPLE,
    NAMES,
    PHONES,
    cards_in_play,
    do,
    exchange,
    roll,
    seen,
    solvable,
    solve,
    start,
    state,
    tamper,
    words,
)


def test_u1_the_table_is_asked_who_deals():
    before = start(options={"dealer": "ask", **PHONES})
    assert before.phase is Phase.DEALER
    assert words(before) == {"dealer_named"}
    assert "mystery film" in seen(before).headline
    assert "youngest" in seen(before).headline
    after = do(before, "dealer_named", ANNA, player="cleo")
    assert after.dealer == 2
    with pytest.raises(OutOfPlace, match="Mallory does not play"):
        do(before, "dealer_named", player="mallory")


def test_u1_the_first_seat_deals_if_so_chosen():
    assert start().dealer == 0
    assert start(options=PHONES).phase is Phase.SCENE


def test_u2_everybody_gets_an_identity_from_a_shuffled_deck():
    dealt = [start(4, PHONES, deal=f"deal {n}") for n in range(40)]
    assert len({before.identity for before in dealt}) > 30
    assert {colour for before in dealt for colour in before.identity} == set(COLOURS)
    for before in dealt:
        cards = [
            *before.identity,
            *(c for file in before.file for c in file),
            *before.pile,
            *before.discard,
        ]
        assert Counter(cards) == Counter(DECK)


def test_u2_the_deal_follows_from_its_text():
    assert start(options=PHONES, deal="one") == start(options=PHONES, deal="one")
    assert start(options=PHONES, deal="one").file != start(options=PHONES, deal="two").file


def test_u3_six_cards_one_at_a_time_from_the_dealers_left():
    before = start(3, PHONES)
    order = (1, 2, 0)
    dealt = [before.identity[p] for p in order]
    dealt += [before.file[p][n] for n in range(6) for p in order]
    assert [len(file) for file in before.file] == [6, 6, 6]
    deck = shuffled("a deal for tests", "case 1", DECK)
    assert (*dealt, *before.discard, *before.pile) == deck
    other = do(start(3, {"dealer": "ask", **PHONES}), "dealer_named", player="ben")
    order = (2, 0, 1)
    assert [other.identity[p] for p in order] + [other.file[p][n] for n in range(6) for p in order] == dealt


@pytest.mark.parametrize("players", [2, 3, 4])
def test_u4_the_rest_is_the_pile_and_its_top_card_lies_open(players):
    on_phones = start(players, PHONES)
    assert (len(on_phones.pile), len(on_phones.discard)) == (53 - 7 * players, 1)
    assert cards_in_play(on_phones) == 54
    on_cards = start(players)
    assert on_cards.phase is Phase.FLIP
    assert words(on_cards) == {"first_card_turned"}
    flipped = do(on_cards, "first_card_turned", colour="purple")
    assert flipped.discard == ("purple",)
    assert (len(flipped.pile), cards_in_play(flipped)) == (53 - 7 * players, 54)
    assert set(flipped.pile) == {UNSEEN}
    with pytest.raises(OutOfPlace, match="there is none in pink"):
        do(on_cards, "first_card_turned", colour="pink")


def test_u5_the_dealer_rolls_six_dice_and_moves_them_as_they_lie():
    before = start(options=PHONES)
    expected = GAME.expects(before).dice
    assert expected is not None
    assert (expected.kinds, expected.faces) == ((("fingerprint", 6),), COLOURS)
    assert words(before) == set()
    after = roll(before, "p n b y r g")
    assert after.locker == ("purple", "brown", "blue", "yellow", "red", "green")
    assert words(after) == {"locker_compared"}
    assert GAME.expects(after).dice is None
    with pytest.raises(OutOfPlace, match="Orange is not on these dice"):
        roll(before, "orange g g g g g")


def test_u6_the_player_left_of_the_dealer_begins_and_play_goes_left():
    before = state()
    assert (before.dealer, before.active) == (0, 1)
    for who in (2, 0, 1):
        seat = before.seats[before.active]
        before = tamper(before, 1, "green", seat)
        assert before.active == who
    by_cleo = do(start(options={"dealer": "ask", **PHONES}), "dealer_named", player="cleo")
    assert do(roll(by_cleo, EXAMPLE), "locker_compared").active == 0


def test_u7_a_turn_is_a_card_or_a_die():
    before = state()
    assert words(before) == {"card_drawn", "die_taken", "case_declared"}
    with pytest.raises(OutOfPlace, match="It is Ben's turn"):
        do(before, "card_drawn", CLEO, source="pile")
    with pytest.raises(OutOfPlace, match="It is Ben's turn"):
        do(before, "die_taken", CLEO, die="1")


@pytest.mark.parametrize("holding", ["phones", "cards"])
def test_u7a_draw_from_the_pile_then_discard(holding):
    before = state(top="brown", options={"secrets": holding})
    top = before.pile[0]
    drawn = do(before, "card_drawn", BEN, source="pile")
    assert drawn.file[1] == (*before.file[1], top)
    assert drawn.pile == before.pile[1:]
    assert words(drawn) == {"card_discarded", "case_declared"}
    gone = drawn.file[1][2] or "yellow"
    after = do(drawn, "card_discarded", BEN, colour=gone)
    assert after.discard == (*before.discard, gone)
    assert len(after.file[1]) == 6
    assert (after.phase, after.active) == (Phase.TURN, 2)
    assert cards_in_play(after) == cards_in_play(before)


@pytest.mark.parametrize("holding", ["phones", "cards"])
def test_u7a_take_the_open_card_then_discard(holding):
    before = state(top="brown", files={"ben": "g g r y b p"}, options={"secrets": holding})
    drawn = do(before, "card_drawn", BEN, source="discard")
    assert drawn.discard == ()
    assert drawn.pile == before.pile
    after = do(drawn, "card_discarded", BEN, colour="yellow")
    assert after.discard == ("yellow",)
    assert (after.phase, after.active) == (Phase.TURN, 2)
    if holding == "phones":
        assert sorted(after.file[1]) == sorted(["green", "green", "red", "blue", "purple", "brown"])
    with pytest.raises(OutOfPlace, match="drawn from the pile"):
        do(before, "card_drawn", BEN, source="sleeve")


def test_u7a_only_cards_of_the_file_are_discarded():
    drawn = do(state(files={"ben": "g g g g g g"}), "card_drawn", BEN, source="pile")
    missing = next(colour for colour in COLOURS if colour not in drawn.file[1])
    with pytest.raises(OutOfPlace, match="not in the file"):
        do(drawn, "card_discarded", BEN, colour=missing)
    with pytest.raises(OutOfPlace, match="no colour"):
        do(drawn, "card_discarded", BEN, colour="")


@pytest.mark.parametrize("die", range(1, 7))
def test_u7b_one_die_is_rolled_and_its_face_stays(die):
    before = state("g r y b n p")
    rolling = do(before, "die_taken", BEN, die=str(die))
    expected = GAME.expects(rolling).dice
    assert expected is not None
    assert expected.thrown == (("fingerprint", 1),)
    assert [face.face for face in expected.held] == [f for n, f in enumerate(before.locker, 1) if n != die]
    after = roll(rolling, "green")
    assert after.locker == tuple("green" if n == die else f for n, f in enumerate(before.locker, 1))
    (done,) = after.tampers
    assert (done.player, done.die, done.was, done.now) == (1, die - 1, before.locker[die - 1], "green")
    assert (after.phase, after.active) == (Phase.TURN, 2)
    assert after.file == before.file


def test_u8_the_dice_are_everybodys():
    before = state(files={"anna": "g g p y y y"}, identities={"anna": "blue"})
    after = tamper(before, 3, "purple", BEN)
    assert flaws(after, 0) == ()
    assert solve(after, ANNA).cases == (1, 0, 0)


def test_u9_file_and_dice_alike_and_the_identity_in_neither():
    assert same(["red", "green", "green"], ["green", "red", "green"])
    assert not same(["red", "red", "green"], ["green", "red", "green"])
    assert flaws(solvable(), 0) == ()
    with_identity = state(files={"anna": EXAMPLE}, identities={"anna": "yellow"})
    assert flaws(with_identity, 0) == (
        "Your secret identity, yellow, lies in the locker: dice 4, 5 and 6.",
        "Your secret identity, yellow, is in your file.",
    )
    for file in ("g g r y y b", "g g g y y y"):
        with pytest.raises(OutOfPlace):
            do(state(files={"anna": file}, identities={"anna": "purple"}), "case_declared", ANNA)


def test_u10_the_first_to_three_cases():
    before = solvable(cases=(1, 2, 0))
    after = solve(before, ANNA)
    assert (after.phase, after.cases, GAME.outcome(after)) == (Phase.SOLVED, (2, 2, 0), None)
    ended = solve(solvable(cases=(2, 2, 0)), ANNA)
    assert GAME.outcome(ended) is not None
    assert words(ended) == set()
    with pytest.raises(OutOfPlace):
        do(ended, "case_opened")
    with pytest.raises(OutOfPlace):
        do(ended, "case_declared", ANNA)


@pytest.mark.parametrize("players", [0, 1, 5])
def test_two_to_four_play(players):
    seats = (*NAMES, "emil")[:players]
    with pytest.raises(ValueError, match=f"2 to 4, not {players}"):
        GAME.setup(Setup(seats))


def test_a_whole_exchange_leaves_six():
    assert len(exchange(state(), "pile", "red").file[1]) == 6
