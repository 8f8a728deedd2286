"""N0 to N16, each rule by its number."""

from collections import Counter

import pytest

from companion.games.noir.pieces import ALL, NAMES, UNSEEN
from companion.games.noir.rules import GAME
from companion.games.noir.state import INSPECTOR, KILLER, NOBODY, Phase
from companion.rules.game import OutOfPlace, Setup
from games.noir_kit import (
    ALPHABET,
    ANNA,
    BEN,
    CLASSIC,
    PHONES,
    actions,
    answer,
    arrest,
    card,
    do,
    exonerate,
    kill,
    letters,
    name,
    possible,
    seen,
    shift,
    shown,
    some,
    start,
    state,
    targets,
    text,
    words,
)

CARDS = {"secrets": "cards"}


def after_first(options=None):
    """The inspector's first turn."""
    before = start(options)
    return kill(before, targets(before)[0])


# N0


def test_n0_twenty_five_living_suspects_lie_five_by_five():
    before = start()
    assert shown(before) == ALPHABET
    assert (before.grid.rows, before.grid.columns, before.dead) == (5, 5, 0)
    assert len(NAMES) == len(set(NAMES)) == 25
    assert NAMES[13] == "Niel"


def test_n0_the_evidence_deck_is_dealt_from_its_text():
    one, two, other = (start(PHONES, deal=deal) for deal in ("one", "one", "other"))
    assert (one.identity, one.hand, one.deck) == (two.identity, two.hand, two.deck)
    assert (one.identity, one.hand, one.deck) != (other.identity, other.hand, other.deck)
    dealt = (one.identity[KILLER], *one.hand, *one.deck)
    assert Counter(dealt) == Counter(range(25))
    assert (len(one.hand), len(one.deck)) == (4, 20)
    assert one.identity[INSPECTOR] == UNSEEN


def test_n0_every_suspect_is_dealt_to_the_killer_equally_often():
    times = Counter(start(PHONES, deal=f"deal {n}").identity[KILLER] for n in range(2500))
    assert set(times) == set(range(25))
    assert all(60 <= n <= 145 for n in times.values())


def test_n0_killer_and_inspector_take_turns_and_the_killer_begins():
    before = start(PHONES)
    assert (before.phase, before.role, before.turn) == (Phase.FIRST, KILLER, 1)
    after = after_first(PHONES)
    assert (after.phase, after.role, after.turn) == (Phase.CHOOSE, INSPECTOR, 2)
    later = state()
    for role in (INSPECTOR, KILLER, INSPECTOR):
        later = shift(later, "column-1", "down")
        assert later.role == role


def test_n0_the_table_is_asked_who_is_the_killer():
    asked = start({"killer": "ask"})
    assert (asked.phase, asked.killer) == (Phase.ROLE, NOBODY)
    assert words(asked) == {"killer_named"}
    assert possible(asked, BEN) == {"killer-anna", "killer-ben"}
    named = do(asked, "killer_named", ANNA, player="ben")
    assert (named.seat_of(KILLER), named.seat_of(INSPECTOR)) == (BEN, ANNA)
    with pytest.raises(OutOfPlace, match="dora does not play"):
        do(asked, "killer_named", ANNA, player="dora")


def test_n0_or_lots_are_drawn_or_the_first_seat_kills():
    drawn = {start({"killer": "lot"}, deal=f"{n}").seat_of(KILLER) for n in range(20)}
    assert drawn == {ANNA, BEN}
    assert start({"killer": "first"}).seat_of(KILLER) == ANNA


def test_n0_the_grid_lies_in_order_or_shuffled_or_is_tapped_in():
    shuffled = start({"layout": "shuffled"})
    assert sorted(shuffled.grid.cards) == list(range(25))
    assert shown(shuffled) != ALPHABET
    assert start({"layout": "shuffled"}, deal="else").grid != shuffled.grid
    before = start({"layout": "entered"})
    assert (before.phase, before.grid.cards) == (Phase.LAYOUT, ())
    one = do(before, "suspect_laid", name="Marion")
    with pytest.raises(OutOfPlace, match="Marion lies there already"):
        do(one, "suspect_laid", name="Marion")
    assert "row 1, column 2" in seen(one).headline
    rest = do(do(one, "suspect_laid", name="Zachary"), "grid_completed")
    assert (rest.phase, shown(rest)) == (Phase.FIRST, "mzabc defgh ijkln opqrs tuvwy")
    for letter in reversed("abcdefghijklnopqrstuvwyz"):
        one = do(one, "suspect_laid", BEN, name=name(letter))
    assert (one.phase, one.grid.cards[-1]) == (Phase.FIRST, card("a"))


def test_n0_two_play():
    for seats in ((ANNA,), (ANNA, BEN, "cleo")):
        with pytest.raises(ValueError, match=f"two, not {len(seats)}"):
            GAME.setup(Setup(seats))


# N1 to N3


def test_n1_the_killer_begins_with_a_kill():
    before = start(PHONES)
    assert words(before) == {"suspect_killed"}
    after = after_first(PHONES)
    assert after.dead == 1


def test_n1_the_first_victim_is_next_to_the_killer():
    before = start(PHONES)
    far = next(c for c in letters(range(25)) if c not in targets(before))
    with pytest.raises(OutOfPlace, match="is not next to you"):
        kill(before, far)


def test_n2_a_kill_turns_the_suspect_to_the_deceased_side():
    after = kill(state(), "n")
    assert shown(after) == "abcde fghij klmNo pqrst uvwyz"
    assert (after.alive, after.dead) == (ALL & ~some("n"), 1)
    with pytest.raises(OutOfPlace, match="Niel is deceased already"):
        kill(shift(after, "row-1", "left"), "n")


def test_n3_the_inspector_chooses_one_of_four_and_keeps_three():
    before = after_first(PHONES)
    assert words(before) == {"identity_chosen"}
    place = next(p for p, one in enumerate(before.hand) if before.lives(one))
    after = do(before, "identity_chosen", card=str(place))
    assert after.identity[INSPECTOR] == before.hand[place]
    assert sorted((*after.hand, before.hand[place])) == sorted(before.hand)
    assert after.deck == before.deck


def test_n3_that_is_the_whole_turn():
    before = after_first(CARDS)
    after = do(before, "identity_chosen")
    assert (after.phase, after.role, after.turn) == (Phase.TURN, KILLER, 3)
    assert after.chosen


@pytest.mark.parametrize("place", ["4", "-1"])
def test_n3_there_are_four_to_choose_from(place):
    with pytest.raises(OutOfPlace, match="four cards"):
        do(after_first(PHONES), "identity_chosen", card=place)


def test_n3_on_phones_it_is_said_which():
    with pytest.raises(OutOfPlace, match="which of the four"):
        do(after_first(PHONES), "identity_chosen")


# N4 and N5


def test_n4_the_killer_shifts_kills_or_disguises():
    assert words(state()) == {"line_shifted", "suspect_killed", "disguise_drawn"}


def test_n4_each_ends_the_turn_and_nobody_passes():
    for after in (shift(state(), "row-1", "left"), kill(state(), "n"), do(state(), "disguise_drawn")):
        assert (after.role, after.turn) == (INSPECTOR, 6)
    assert not [a for a in actions(state()) if "pass" in a]


def test_n5_the_inspector_shifts_arrests_or_exonerates():
    assert words(state(turn=INSPECTOR)) == {"line_shifted", "suspect_arrested", "evidence_drawn"}
    before = state(inspector="g", turn=INSPECTOR)
    for after in (shift(before, "row-1", "left"), arrest(before, "h")):
        assert (after.role, after.turn) == (KILLER, 6)


def test_n5_the_other_player_does_not_act():
    for before, word, args in (
        (state(), "suspect_arrested", {"name": "Alyss"}),
        (state(turn=INSPECTOR), "suspect_killed", {"name": "Niel"}),
        (state(turn=INSPECTOR), "disguise_drawn", {}),
    ):
        with pytest.raises(OutOfPlace, match="does not come now"):
            do(before, word, **args)
    with pytest.raises(OutOfPlace, match="That is for Anna to tap"):
        do(state(), "line_shifted", BEN, line="row-1", way="left")


# N6 and N7


@pytest.mark.parametrize(
    ("line", "way", "then"),
    [
        ("row-2", "right", "abcde jfghi klmno pqrst uvwyz"),
        ("row-2", "left", "abcde ghijf klmno pqrst uvwyz"),
        ("column-5", "down", "abcdz fghie klmnj pqrso uvwyt"),
        ("column-5", "up", "abcdj fghio klmnt pqrsz uvwye"),
    ],
)
def test_n6_a_line_moves_by_one_and_comes_in_at_the_other_end(line, way, then):
    assert shown(shift(state(), line, way)) == then


def test_n6_any_line_wherever_the_player_is():
    for turn in (KILLER, INSPECTOR):
        before = state(turn=turn)
        for kind, ways in (("row", ("left", "right")), ("column", ("up", "down"))):
            for number in range(1, 6):
                for way in ways:
                    after = shift(before, f"{kind}-{number}", way)
                    assert after.grid != before.grid
                    assert after.role == 1 - turn


@pytest.mark.parametrize(
    ("line", "way", "why"),
    [("row-2", "up", "left or right"), ("column-2", "left", "up or down"), ("row-5", "left", "no row 5")],
)
def test_n6_what_is_no_shift_is_refused_by_name(line, way, why):
    with pytest.raises(OutOfPlace, match=why):
        shift(state("abcde fghij klmno pqrst", dead="uvwyz"), line, way)


@pytest.mark.parametrize("first", [KILLER, INSPECTOR])
def test_n7_the_other_players_shift_is_not_undone(first):
    after = shift(state(turn=first), "column-3", "up")
    with pytest.raises(OutOfPlace, match="has just moved column 3 up: that must not be undone"):
        shift(after, "column-3", "down")
    assert shown(shift(after, "column-3", "up")) == shown(
        state("abmde fgrij klwno pqcst uvhyz", turn=first)
    )


# N8 and N9


def test_n8_a_living_suspect_next_to_the_killer():
    before = state(dead="n")
    assert targets(before) == "ghilqrs"
    with pytest.raises(OutOfPlace, match="Niel is deceased already"):
        kill(before, "n")


def test_n8_the_killed_inspector_reveals_the_identity_and_the_killer_wins():
    ended = GAME.outcome(kill(state(inspector="n"), "n"))
    assert ended is not None
    assert (ended.termination, ended.winners) == ("killed", (ANNA,))
    on_cards = kill(state(options=CARDS), "n")
    assert (on_cards.phase, words(on_cards)) == (Phase.VICTIM, {"victim_answered"})
    assert seen(on_cards).headline == "Niel is killed. Ben: were you Niel?"
    ended = GAME.outcome(do(on_cards, "victim_answered", BEN, inspector="yes"))
    assert ended is not None
    assert ended.text == "Anna has killed the inspector: Ben was Niel. The killer wins."


def test_n8_else_the_game_goes_on():
    after = kill(state(inspector="a"), "n")
    assert (GAME.outcome(after), after.role) == (None, INSPECTOR)
    on_cards = do(kill(state(options=CARDS), "n"), "victim_answered", BEN, inspector="no")
    assert (GAME.outcome(on_cards), on_cards.role) == (None, INSPECTOR)


def test_n9_a_suspect_next_to_the_inspector_or_the_own_identity():
    before = state(inspector="a", turn=INSPECTOR)
    assert targets(before, BEN) == "abfg"
    assert arrest(before, "a").role == KILLER


def test_n9_the_right_name_wins_and_any_other_lets_the_game_go_on():
    before = state(killer="g", inspector="a", turn=INSPECTOR)
    ended = GAME.outcome(arrest(before, "g"))
    assert ended is not None
    assert (ended.termination, ended.winners) == ("arrested", (BEN,))
    assert ended.text == (
        "Ben has arrested the killer: Anna was Geneva. The inspector wins. Ben was Alyss."
    )
    after = arrest(before, "b")
    assert (GAME.outcome(after), after.role) == (None, KILLER)


def test_n9_on_cards_the_killer_is_asked_by_name():
    asked = arrest(state(turn=INSPECTOR, options=CARDS), "g")
    assert (asked.phase, words(asked)) == (Phase.ARREST, {"arrest_answered"})
    assert seen(asked).headline == "Ben asks Anna: are you Geneva?"
    assert do(asked, "arrest_answered", BEN, killer="no").role == KILLER
    ended = GAME.outcome(do(asked, "arrest_answered", ANNA, killer="yes"))
    assert ended is not None
    assert ended.text == "Ben has arrested the killer: Anna was Geneva. The inspector wins."


# N10


def test_n10_the_top_card_becomes_the_identity_if_its_suspect_lives():
    before = state(deck="zw")
    after = do(before, "disguise_drawn")
    assert letters((after.identity[KILLER], *after.deck, *after.shown)) == "zwm"
    assert after.role == INSPECTOR


def test_n10_else_the_card_is_discarded_and_the_turn_is_over():
    after = do(state(deck="zw", dead="z"), "disguise_drawn")
    assert letters((after.identity[KILLER], *after.deck, *after.shown)) == "mwz"
    assert after.role == INSPECTOR


def test_n10_on_cards_the_table_says_what_became_of_the_card():
    drawn = do(state(options=CARDS, dead="n"), "disguise_drawn")
    assert (drawn.phase, words(drawn)) == (Phase.DISGUISE, {"identity_discarded", "dead_card_discarded"})
    new = do(drawn, "identity_discarded", BEN, name="Marion")
    assert (letters(new.shown), new.innocent, new.role) == ("m", some("m"), INSPECTOR)
    same = do(drawn, "dead_card_discarded", ANNA, name="Niel")
    assert (letters(same.shown), same.innocent, same.role) == ("n", 0, INSPECTOR)
    assert len(new.deck) == len(same.deck) == len(drawn.deck)
    with pytest.raises(OutOfPlace, match="Niel is deceased, and so was not the killer"):
        do(drawn, "identity_discarded", BEN, name="Niel")
    with pytest.raises(OutOfPlace, match="Marion lives"):
        do(drawn, "dead_card_discarded", BEN, name="Marion")


def test_n10c_in_the_classic_mode_the_old_identity_is_deceased():
    after = do(state(deck="z", options=CLASSIC), "disguise_drawn")
    assert (shown(after), after.innocent) == ("abcde fghij klMno pqrst uvwyz", 0)


def test_n10s_in_the_standard_mode_it_is_marked_innocent():
    after = do(state(deck="z"), "disguise_drawn")
    assert (shown(after), after.innocent) == (ALPHABET, some("m"))


# N11 to N14


def test_n11_draw_one_and_lay_one_of_four_open():
    before = state(turn=INSPECTOR, hand="bcd", deck="ew")
    drawn = do(before, "evidence_drawn")
    assert (letters(drawn.hand), letters(drawn.deck), drawn.phase) == ("bcde", "w", Phase.EXONERATE)
    assert words(drawn) == {"suspect_exonerated"}
    with pytest.raises(OutOfPlace, match="You do not hold Wilhelm"):
        do(drawn, "suspect_exonerated", name="Wilhelm")
    laid = do(drawn, "suspect_exonerated", name="Clive")
    assert (letters(laid.hand), letters(laid.shown)) == ("bde", "c")


@pytest.mark.parametrize("options", [{}, CLASSIC])
def test_n11_the_open_card_lies_on_its_suspect_if_that_one_lives(options):
    before = state(turn=INSPECTOR, hand="bcd", dead="d", options=options)
    assert exonerate(before, "b").innocent == some("b")
    dead = exonerate(before, "d")
    assert (dead.innocent, letters(dead.shown)) == (0, "d")


def test_n11_on_cards_the_table_says_which():
    drawn = do(state(turn=INSPECTOR, options=CARDS, innocent="z"), "evidence_drawn")
    assert len(drawn.hand) == 4
    with pytest.raises(OutOfPlace, match="Zachary's evidence card lies open already"):
        do(drawn, "suspect_exonerated", name="Zachary")
    with pytest.raises(OutOfPlace, match="No suspect is called Xavier"):
        do(drawn, "suspect_exonerated", name="Xavier")
    laid = do(drawn, "suspect_exonerated", ANNA, name="Clive")
    assert (len(laid.hand), letters(laid.shown)) == (3, "zc")


@pytest.mark.parametrize(("killer", "near"), [("m", False), ("g", True)])
def test_n12_the_killer_says_whether_the_exonerated_is_near(killer, near):
    asked = exonerate(state(killer=killer, hand="bcd", turn=INSPECTOR), "b")
    assert (asked.phase, words(asked)) == (Phase.CANVASS, {"area_canvassed"})
    assert seen(asked).headline == "Anna: is your identity next to Barrin? The answer must be true."
    with pytest.raises(OutOfPlace, match="must be true"):
        answer(asked, near=not near)
    with pytest.raises(OutOfPlace, match="That is for Anna"):
        do(asked, "area_canvassed", BEN, near="yes")
    assert answer(asked, near=near).role == KILLER


def test_n12_not_in_the_classic_mode_nor_if_switched_off():
    for options in (CLASSIC, {"canvass": "off"}):
        after = exonerate(state(hand="bcd", turn=INSPECTOR, options=options), "b")
        assert (after.phase, after.role) == (Phase.TURN, KILLER)


@pytest.mark.parametrize(("inspector", "near"), [("b", True), ("z", False)])
def test_n13_the_inspector_says_whether_a_killed_innocent_is_near(inspector, near):
    asked = kill(state(inspector=inspector, innocent="g"), "g")
    assert asked.phase is Phase.CANVASS
    assert seen(asked).headline == "Ben: is your identity next to Geneva? The answer must be true."
    with pytest.raises(OutOfPlace, match="must be true"):
        answer(asked, near=not near)
    assert answer(asked, near=near).role == INSPECTOR


def test_n13_only_for_the_innocent_and_only_with_canvassing():
    assert kill(state(), "g").phase is Phase.TURN
    assert kill(state(innocent="g", options=CLASSIC), "g").phase is Phase.TURN
    assert kill(state(innocent="g", options={"canvass": "off"}), "g").phase is Phase.TURN
    assert kill(state(innocent="g", options=CARDS), "g").phase is Phase.CANVASS


def test_n14_with_an_empty_deck_nobody_disguises_or_exonerates():
    assert possible(state(deck="")) == possible(state()) - {"disguise"}
    last = do(state(deck="z"), "disguise_drawn")
    assert last.deck == ()
    with pytest.raises(OutOfPlace, match="deck is empty"):
        do(last, "evidence_drawn")
    assert "The evidence deck is empty" in text(last, "Mind")[0]
    assert "exonerate" not in seen(last).headline


# N15 and N16


def test_n15_a_dead_line_is_removed_and_the_grid_closes_up():
    after = kill(state(killer="m", dead="dsyi"), "n")
    assert shown(after) == "abce fghj klmo pqrt uvwz"
    assert text(after, "Now", None)[0] == (
        "Column 4 is all deceased: take it away and close the gap from left and right."
    )
    assert text(after, "Now", None)[1] == "Off the grid: Deidre, Irma, Niel, Simon and Yvonne."
    later = shift(after, "row-1", "left")
    for done in (later, do(after, "evidence_drawn"), do(after, "suspect_arrested", name="Alyss")):
        assert "grid:" not in " ".join(text(done, "Now", None))
    assert "Column 4" not in " ".join(text(later, "Now", None))


def test_n15_neighbours_close_up():
    after = kill(state(killer="m", dead="dsyi"), "n")
    assert after.grid.next_to(card("m")) == some("ghjlqrto")


def test_n16_the_sixteenth_wins_by_a_kill_or_by_a_classic_disguise():
    before = state(dead="bcdefghijklnopq")
    ended = GAME.outcome(kill(before, "r"))
    assert ended is not None
    assert (ended.termination, ended.winners) == ("spree", (ANNA,))
    assert ended.text.startswith("16 suspects are deceased: the killer, Anna, wins.")
    assert ended.text.endswith("Anna was Marion. Ben was Alyss.")
    assert GAME.outcome(kill(state(dead="bcdefghijklnop"), "r")) is None
    classic = state(dead="bcdefghijklnopq", deck="z", options=CLASSIC)
    assert GAME.outcome(do(classic, "disguise_drawn")) is not None


def test_n16_on_cards_the_inspector_is_asked_first():
    before = state(dead="bcdefghijklnopq", options=CARDS)
    asked = kill(before, "r")
    assert GAME.outcome(asked) is None
    ended = GAME.outcome(do(asked, "victim_answered", BEN, inspector="no"))
    assert ended is not None
    assert ended.text == "16 suspects are deceased: the killer, Anna, wins."
