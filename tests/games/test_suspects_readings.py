"""C1 to C17 of the notes, by number, with their options."""

from collections import Counter
from dataclasses import replace

import pytest

from companion.games.suspects.cases import ALL_S, MOMENT_S, flaws
from companion.games.suspects.pieces import COLOURS, DECK
from companion.games.suspects.rules import GAME
from companion.games.suspects.state import Phase
from companion.rules.chance import shuffled
from companion.rules.events import BellRang, Seconds
from companion.rules.game import OutOfPlace
from companion.rules.view import Dice
from games.suspects_kit import (
    ANNA,
    BEN,
    CLEO,
    DAN,
    EXAMPLE,
    actions,
    bell,
    cards_in_play,
    do,
    event,
    lines,
    panel,
    possible,
    roll,
    seen,
    solvable,
    solve,
    start,
    state,
    tamper,
    text,
    words,
)

CARDS = {"secrets": "cards"}


def both(**more):
    """Anna and Cleo have both solved the case; it is Ben's turn."""
    return state(
        files={"anna": EXAMPLE, "cleo": EXAMPLE}, identities={"anna": "blue", "cleo": "brown"}, **more
    )


def test_c1_a_case_is_declared_at_any_moment():
    before = solvable()
    assert (before.active, before.turn) == (1, 1)
    assert solve(before, ANNA).cases == (1, 0, 0)
    drawn = do(before, "card_drawn", BEN, source="pile")
    assert solve(drawn, ANNA).cases == (1, 0, 0)


def test_c1_only_on_the_own_turn_if_so_chosen():
    before = solvable(options={"declare": "own_turn"})
    with pytest.raises(OutOfPlace):
        do(before, "case_declared", ANNA)
    assert "own turn only" in actions(before)["solve"].refused
    mine = replace(before, active=0, last=2)
    assert "solve" in possible(mine)
    assert solve(mine, ANNA).cases == (1, 0, 0)


def test_c1_the_own_turn_lasts_until_the_next_player_acts():
    before = state(
        files={"ben": "g g p y y y"}, identities={"ben": "blue"}, options={"declare": "own_turn"}
    )
    after = tamper(before, 3, "purple")
    assert after.active == 2
    assert solve(after, BEN).cases == (0, 1, 0)
    later = do(after, "card_drawn", CLEO, source="pile")
    with pytest.raises(OutOfPlace):
        do(later, "case_declared", BEN)


def test_c1_not_while_a_die_is_in_the_air_nor_with_seven_cards():
    rolling = do(solvable(), "die_taken", BEN, die="1")
    with pytest.raises(OutOfPlace, match="does not come now"):
        do(rolling, "case_declared", ANNA)
    assert "in the air" in actions(rolling)["solve"].refused
    before = state(files={"ben": EXAMPLE}, identities={"ben": "blue"})
    drawn = do(before, "card_drawn", BEN, source="pile")
    with pytest.raises(OutOfPlace):
        do(drawn, "case_declared", BEN)
    assert "seven cards" in actions(drawn, BEN)["solve"].refused


def test_c2_who_calls_in_the_same_moment_is_served_from_the_active_player_leftwards():
    before = both()
    called = do(before, "case_declared", ANNA, at=200.0)
    timer = GAME.expects(called).timer
    assert timer is not None
    assert (timer.name, timer.ends_at) == ("call", 200.0 + MOMENT_S)
    called = do(called, "case_declared", CLEO, at=201.0)
    after = bell(called)
    assert after.cases == (0, 0, 1)
    assert bell(do(before, "case_declared", ANNA)).cases == (1, 0, 0)
    by_anna = replace(before, active=0)
    called = do(do(by_anna, "case_declared", CLEO), "case_declared", ANNA)
    assert bell(called).cases == (1, 0, 0)


def test_c2_nobody_calls_twice_or_without_a_solution():
    called = do(both(), "case_declared", ANNA)
    for seat in (ANNA, BEN):
        with pytest.raises(OutOfPlace):
            do(called, "case_declared", seat)
    assert "called already" in actions(called)["solve"].refused


def test_c2_all_score_if_so_chosen():
    before = both(options={"together": "all"})
    called = do(before, "case_declared", ANNA, at=200.0)
    timer = GAME.expects(called).timer
    assert timer is not None
    assert timer.ends_at == 200.0 + ALL_S
    after = bell(do(called, "case_declared", CLEO, at=205.0))
    assert after.cases == (1, 0, 1)
    assert seen(after).headline == "Cleo and Anna solved case 1. Next, Ben deals."


def test_c2_on_cards_the_first_whose_cards_are_right_scores():
    called = do(do(state(options=CARDS), "case_declared", ANNA), "case_declared", CLEO)
    shown = bell(called)
    assert shown.claims == (2, 0)
    shown = do(shown, "cards_compared", BEN, match="no")
    assert (shown.phase, shown.claims) == (Phase.SHOWN, (0,))
    assert do(shown, "cards_compared", CLEO, match="yes").cases == (1, 0, 0)


def test_c2_on_cards_all_are_compared_where_all_score():
    called = do(state(options={**CARDS, "together": "all"}), "case_declared", ANNA)
    shown = bell(do(called, "case_declared", CLEO))
    shown = do(shown, "cards_compared", BEN, match="yes")
    assert (shown.phase, shown.cases) == (Phase.SHOWN, (0, 0, 0))
    assert do(shown, "cards_compared", BEN, match="yes").cases == (1, 0, 1)
    assert do(shown, "cards_compared", BEN, match="no").cases == (0, 0, 1)


def test_c3_the_phone_says_which_die_or_card_is_in_the_way():
    before = state("g g r y y b", files={"anna": "g g r y y b"}, identities={"anna": "blue"})
    assert flaws(before, 0) == (
        "Your secret identity, blue, lies in the locker: die 6.",
        "Your secret identity, blue, is in your file.",
    )
    assert flaws(before, 0) == tuple(text(before, "For your eyes only")[-2:])
    assert "under the veil" in actions(before)["solve"].refused


def test_c4_a_false_declaration_is_stopped_by_the_own_phone_and_costs_nothing():
    before = state()
    with pytest.raises(OutOfPlace, match="say why; nobody else learns it"):
        do(before, "case_declared", ANNA)
    with pytest.raises(OutOfPlace, match="costs nothing"):
        do(before, "falsely_called", BEN, player="anna")
    assert "falsely_called" not in words(before)


def test_c4_on_cards_a_false_declaration_costs_nothing():
    before = state(options=CARDS)
    after = solve(before, ANNA, match=False)
    assert (after.phase, after.cases, after.forfeits) == (Phase.TURN, (0, 0, 0), (False, False, False))
    assert after.active == before.active
    drawn = do(before, "card_drawn", ANNA, source="pile")
    assert solve(drawn, CLEO, match=False).phase is Phase.DRAWN


def test_c4_the_declarer_does_not_compare():
    shown = bell(do(state(options=CARDS), "case_declared", ANNA))
    with pytest.raises(OutOfPlace, match="Somebody else"):
        do(shown, "cards_compared", ANNA, match="yes")
    assert possible(shown) == set()
    assert possible(shown, BEN) == {"match-yes", "match-no"}
    assert "2 green, 1 red and 3 yellow" in " ".join(lines(shown))


@pytest.mark.parametrize("holding", ["phones", "cards"])
def test_c4_it_costs_the_next_turn_if_so_chosen(holding):
    before = state(options={"secrets": holding, "false_call": "forfeit"})
    if holding == "cards":
        after = solve(before, CLEO, match=False)
    else:
        after = do(before, "falsely_called", ANNA, player="cleo")
        with pytest.raises(OutOfPlace, match="forfeits the next turn already"):
            do(after, "falsely_called", ANNA, player="cleo")
        with pytest.raises(OutOfPlace, match="Mallory does not play"):
            do(after, "falsely_called", ANNA, player="mallory")
    assert after.forfeits == (False, False, True)
    assert "Cleo forfeits the next turn." in text(after, "Mind")
    later = tamper(after, 1, "green")
    assert (later.active, later.forfeits) == (0, (False, False, False))
    again = tamper(later, 1, "green", ANNA)
    assert tamper(again, 1, "green", BEN).active == 2


def test_c4_everybody_may_forfeit_and_the_turns_still_come():
    before = state(options={"false_call": "forfeit"})
    for name in ("anna", "ben", "cleo"):
        before = do(before, "falsely_called", ANNA, player=name)
    after = tamper(before, 1, "green")
    assert (after.active, after.forfeits) == (2, (False, False, False))


def test_c5_only_the_top_of_the_discards_can_be_taken():
    before = replace(state(top="brown"), discard=("red", "blue", "brown"))
    drawn = do(before, "card_drawn", BEN, source="discard")
    assert drawn.file[1][-1] == "brown"
    assert drawn.discard == ("red", "blue")
    assert actions(before, BEN)["draw-discard"].label == "Take the open brown card"


def test_c6_the_next_case_is_dealt_by_the_next_player_with_new_cards_and_dice():
    before = tamper(solvable(), 1, "green")
    won = solve(before, ANNA)
    after = do(won, "case_opened")
    assert (after.case, after.dealer, after.phase) == (2, 1, Phase.SCENE)
    assert after.cases == (1, 0, 0)
    assert after.locker == after.tampers == ()
    cards = [*after.identity, *(c for file in after.file for c in file), *after.pile, *after.discard]
    assert Counter(cards) == Counter(DECK)
    third = replace(after, phase=Phase.SOLVED)
    assert do(third, "case_opened").file != after.file
    begun = do(roll(after, "g g g g g g"), "locker_compared")
    assert begun.active == 2
    assert begun.turn == 1


def test_c6_on_cards_everything_is_collected_and_a_card_turned_up_again():
    won = solve(state(options=CARDS), ANNA)
    after = do(won, "case_opened", BEN)
    assert after.phase is Phase.FLIP
    assert "Collect all cards" in text(after, "Now")[0]
    assert cards_in_play(do(after, "first_card_turned", colour="red")) == 54


@pytest.mark.parametrize("holding", ["phones", "cards"])
def test_c6_identities_may_be_kept(holding):
    won = solve(solvable(options={"secrets": holding, "identities": "kept"}), ANNA)
    after = do(won, "case_opened")
    assert after.identity == won.identity
    assert cards_in_play(after) == 54
    if holding == "phones":
        cards = [*after.identity, *(c for file in after.file for c in file), *after.pile, *after.discard]
        assert Counter(cards) == Counter(DECK)
    else:
        assert "Identities stay" in text(after, "Now")[1]


def test_c6_identities_are_dealt_anew_else():
    renewed = do(solve(solvable(), ANNA), "case_opened")
    deck = shuffled("a deal for tests", "case 2", DECK)
    assert tuple(renewed.identity[place] for place in (2, 0, 1)) == deck[:3]


@pytest.mark.parametrize("holding", ["phones", "cards"])
def test_c7_an_empty_pile_is_made_of_the_discards_but_the_top_one(holding):
    before = state(options={"secrets": holding})
    discards = ("red", "red", "blue", "green", "brown", "purple")
    before = replace(before, pile=(), discard=discards)
    after = do(before, "card_drawn", BEN, source="pile")
    assert after.discard == ("purple",)
    assert len(after.pile) == 4
    if holding == "phones":
        assert Counter((*after.pile, after.file[1][-1])) == Counter(discards[:-1])
    else:
        assert "shuffle the discards" in " ".join(lines(before))
        assert after.file[1][-1] == ""
    assert "discards were shuffled" in GAME.told(before, event("card_drawn", BEN, source="pile"), after)
    again = do(replace(before, shuffles=3), "card_drawn", BEN, source="pile")
    orders = {(*again.pile, again.file[1][-1]), (*after.pile, after.file[1][-1])}
    assert len(orders) == (2 if holding == "phones" else 1)


@pytest.mark.parametrize("holding", ["phones", "cards"])
def test_c8_the_colour_just_taken_is_not_put_back(holding):
    before = state(top="brown", files={"ben": "g g r y n p"}, options={"secrets": holding})
    drawn = do(before, "card_drawn", BEN, source="discard")
    with pytest.raises(OutOfPlace, match="would be a pass"):
        do(drawn, "card_discarded", BEN, colour="brown")
    assert "would be a pass" in actions(drawn, BEN)["discard-same"].refused
    assert ("all seven" in actions(drawn, BEN)["discard-same"].refused) == (holding == "cards")
    assert "brown" not in dict(actions(drawn, BEN)["discard"].inputs[0].choices)
    assert "It cannot be brown" in " ".join(lines(drawn))
    after = do(drawn, "card_discarded", BEN, colour="red")
    assert after.taken == ""
    from_pile = do(before, "card_drawn", BEN, source="pile")
    assert do(from_pile, "card_discarded", BEN, colour="purple").active == 2


def test_c8_allowed_with_a_warning_if_so_chosen():
    before = state(top="brown", options={"same_card": "warned"})
    drawn = do(before, "card_drawn", BEN, source="discard")
    assert "pass" in actions(drawn, BEN)["discard-same"].warning
    assert do(drawn, "card_discarded", BEN, colour="brown").active == 2


def test_c8_a_file_of_one_colour_does_not_take_that_colour():
    before = state(top="brown", files={"ben": "n n n n n n"})
    with pytest.raises(OutOfPlace, match="that would be a pass"):
        do(before, "card_drawn", BEN, source="discard")
    assert "pass" in actions(before, BEN)["draw-discard"].refused
    assert "pass" not in actions(before, ANNA)["draw-discard"].refused
    warned = state(top="brown", files={"ben": "n n n n n n"}, options={"same_card": "warned"})
    drawn = do(warned, "card_drawn", BEN, source="discard")
    assert possible(drawn, BEN) == {"discard-same"}
    do(drawn, "card_discarded", BEN, colour="brown")


def test_c9_the_card_just_drawn_from_the_pile_may_be_discarded():
    before = state()
    before = replace(before, pile=("purple", *before.pile[1:]), file=(before.file[0], ("green",) * 6, ()))
    drawn = do(before, "card_drawn", BEN, source="pile")
    after = do(drawn, "card_discarded", BEN, colour="purple")
    assert after.file[1] == ("green",) * 6
    assert after.discard[-1] == "purple"


def test_c10_the_same_colour_is_not_rolled_again():
    after = tamper(state(), 1, "green")
    assert (after.phase, after.active) == (Phase.TURN, 2)
    assert GAME.expects(after).dice is None


def test_c11_the_die_is_named_before_it_is_rolled_and_there_is_one():
    before = state()
    assert GAME.expects(before).dice is None
    with pytest.raises(OutOfPlace, match="does not come now"):
        roll(before, "red")
    for die in ("0", "7"):
        with pytest.raises(OutOfPlace, match="dice 1 to 6"):
            do(before, "die_taken", BEN, die=die)
    rolling = do(before, "die_taken", BEN, die="2")
    with pytest.raises(OutOfPlace, match="expected"):
        roll(rolling, "red red")
    assert seen(rolling).headline == "Ben rolls die 2, which shows green."


def test_c12_a_die_on_the_floor_is_rolled_again():
    rolling = do(state(), "die_taken", BEN, die="2")
    assert "on the floor" in " ".join(lines(rolling))
    assert "on the floor" in " ".join(lines(start(options={"secrets": "phones"})))
    assert rolling.locker == state().locker


def test_c13_the_locker_is_restored_from_what_is_stored():
    before = state("g r y b n p")
    assert [die.face for die in panel(before, Dice).dice] == list(before.locker)
    assert "turned back" in text(before, "Evidence", None)[-1]
    rolling = do(before, "die_taken", BEN, die="1")
    all_six = roll(rolling, "p n b y r r")
    assert all_six.locker == ("red", "red", "yellow", "blue", "brown", "purple")
    assert roll(rolling, "p n b y r g").locker == before.locker
    with pytest.raises(OutOfPlace, match="turn back what has turned"):
        roll(rolling, "r r r b n p")


def test_c13_a_throw_that_is_reported_twice_counts_once():
    after = tamper(state(), 1, "red", name="same")
    rolling = do(after, "die_taken", CLEO, die="2")
    with pytest.raises(OutOfPlace, match="That throw is noted"):
        roll(rolling, "red", "same")


def test_c14_two_may_have_the_same_identity():
    dealt = [start(4, {"secrets": "phones"}, deal=f"deal {n}") for n in range(60)]
    assert any(len(set(before.identity)) < 4 for before in dealt)
    twins = state(files={"anna": EXAMPLE, "cleo": EXAMPLE}, identities={"anna": "blue", "cleo": "blue"})
    assert solve(twins, CLEO).cases == (0, 0, 1)
    assert "same identity" in " ".join(lines(start()))


def test_c15_the_own_identity_can_be_looked_at_at_any_time():
    before = roll(start(options={"secrets": "phones"}), EXAMPLE)
    moments = [before, state(), do(state(), "card_drawn", BEN, source="pile")]
    moments += [do(state(), "die_taken", BEN, die="1"), do(solvable(), "case_declared", ANNA)]
    for moment in moments:
        mine = text(moment, "For your eyes only", BEN)
        assert mine[0] == f"Your secret identity: {moment.identity[1]}."


def test_c16_a_tie_at_three_is_a_shared_win():
    before = both(cases=(2, 0, 2), options={"together": "all"})
    after = bell(do(do(before, "case_declared", ANNA), "case_declared", CLEO))
    ended = GAME.outcome(after)
    assert ended is not None
    assert (ended.termination, ended.winners) == ("shared", ("anna", "cleo"))
    assert "together" in ended.text
    alone = bell(do(do(both(cases=(2, 0, 2)), "case_declared", ANNA), "case_declared", CLEO))
    assert alone.cases == (2, 0, 3)


def test_c17_nobody_passes():
    before = state()
    assert words(before) == {"card_drawn", "die_taken", "case_declared"}
    assert not any("pass" in action.label.lower() for action in actions(before, BEN).values())


@pytest.mark.parametrize("minutes", ["1", "2", "3"])
def test_the_turns_time_only_says_that_it_is_up(minutes):
    before = state(options={"turn_timer": minutes})
    timer = GAME.expects(before).timer
    assert timer is not None
    assert (timer.name, timer.ends_at) == ("turn", before.began + 60.0 * int(minutes))
    after = bell(before, "turn")
    assert replace(after, rung=False) == before
    assert "The time for this turn is up." in text(after, "Mind")
    assert GAME.expects(after).timer is None
    with pytest.raises(OutOfPlace, match="No such bell"):
        GAME.apply(after, BellRang(at=Seconds(900.0), timer="turn"))
    with pytest.raises(OutOfPlace, match="No such bell"):
        bell(before, "call")
    assert GAME.expects(tamper(after, 1, "green")).timer is not None
    assert GAME.expects(state()).timer is None


def test_the_time_that_was_up_is_forgotten_in_the_next_case():
    before = bell(solvable(options={"turn_timer": "1"}), "turn")
    won = solve(before, ANNA)
    assert text(won, "Mind") == []
    scene = do(won, "case_opened")
    begun = do(roll(scene, EXAMPLE), "locker_compared", at=500.0)
    timer = GAME.expects(begun).timer
    assert timer is not None
    assert timer.ends_at == 560.0
    assert text(begun, "Mind") == []


def test_four_play_too():
    before = state(players=4)
    assert [before.seats[p] for p in (before.dealer, before.active)] == [ANNA, BEN]
    assert tamper(tamper(before, 1, "red"), 2, "red", CLEO).seats[3] == DAN
    assert set(before.locker) <= set(COLOURS)
