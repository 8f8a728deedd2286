"""What the screens show: panels and prompts, and never a secret."""

import random
from dataclasses import replace

import pytest

from companion.games.moss import catalogue, words
from companion.games.moss.cost import turn_minutes
from companion.games.moss.evidence import KINDS
from companion.games.moss.rules import GAME
from companion.games.moss.state import Due, Phase, State
from companion.rules.game import Setup
from companion.rules.view import Board, Dice, Roster, Tokens, Track
from games.detective import Detective, tapped
from games.kit import (
    ANNA,
    BEN,
    actions,
    alibi,
    arrow,
    cell,
    do,
    hidden,
    lines,
    nine_out,
    panel,
    seen,
    shown,
    start,
    state,
    whole_house,
)
from games.walker import Walker

RUN = "2 3 4 5 1 1 2 1"


# Panels


def test_the_track_shows_what_this_turn_will_cost():
    track = panel(state(dice="6 1 1 1 1 1 1 4", used=["w1"], minutes=30), Track)
    assert (track.value, track.pending, track.unit) == (30, 5, "minutes")
    assert track.note == "This turn so far: 4 for the coloured die and 1 for used sixes"


def test_the_dice_panel_tells_used_held_and_loose():
    before = do(state(dice="6 1 1 1 1 1 1 4", throws=1), "dice_held", dice="w2")
    dice = panel(before, Dice)
    assert [die.state for die in dice.dice[:3]] == ["loose", "held", "loose"]
    assert (dice.tap, dice.note) == ("dice_held", "Throw 1 of 3")
    used = panel(state(dice="6 1 1 1 1 1 1 4", used=["w1"]), Dice)
    assert (used.dice[0].state, used.used, used.limit, used.tap) == ("used", 1, 6, "")
    assert used.note == "Third throw done"
    full = panel(state(dice="6 1 1 1 1 1 1 4", used=["w1", "w2", "w3", "w4", "w5", "w6"]), Dice)
    assert "that is all" in full.note
    assert {die.state for die in panel(start(), Dice).dice} == {"unknown"}


def test_the_board_shows_the_house():
    rooms = {"c2": "Study:suspect:4:o.l.:2", "d3": "Den:evidence:5:..oo:-"}
    before = state(
        rooms, dice="4 4 4 1 1 1 1 1", suspects={"S1": "c2"}, lying={"key": "c2"},
        clues=[hidden("d3"), arrow("single", "c5", 0), alibi("d5", "S1")], bombs=[("c2", "d2")],
        car=("c2", "N", 3),
    )  # fmt: skip
    study = shown(before, "c2")
    assert (study.icon, study.number, study.passage, study.sides) == ("suspect", "4", "2", "obl.")
    assert study.lit
    assert study.reachable
    assert study.note == "walk: 4 4; in the ray of the single arrow on c5"
    assert study.rays == (0,)
    assert [(m.kind, m.down) for m in study.marks] == [
        ("suspect", True),
        ("alibi", False),
        ("token-key", False),
    ]
    assert [(m.kind, m.down) for m in shown(before, "d3").marks] == [("evidence", True)]
    assert shown(before, "c5").face_down
    assert shown(before, "c5").marks[0].kind == "arrow-single"
    assert shown(before, "d5").note == ""
    assert shown(before, "c3").here
    board = panel(before, Board)
    assert (board.columns, len(board.cells)) == (5, 25)
    assert board.outside == (("c2", "N", "Police Car (3)"),)


def test_the_board_tells_which_way_rays_run():
    before = state(clues=[arrow("four", "b2"), arrow("corner", "d4", 6), arrow("single", "b4", 1)])
    assert shown(before, "b1").rays == (0,)
    assert shown(before, "e2").rays == (2,)
    crossed = shown(before, "b4")
    assert (crossed.lit, crossed.rays) == (True, (4, 6))
    assert (
        crossed.note == "in the ray of the four-way arrow on b2; in the ray of the right-angle arrow on d4"
    )
    assert shown(before, "d2").rays == (0, 1, 2)
    dark = shown(before, "e5")
    assert (dark.lit, dark.rays, dark.note) == (False, (), "")
    turned = replace(before, due=Due(reveal=(cell("b1"),)))
    assert shown(turned, "b1").note == "turn this one up; in the ray of the four-way arrow on b2"


def test_an_alibis_home_is_told_on_its_tile():
    before = state(whole_house(), suspects={"S1": "c2"}, clues=[alibi("d5", "S1")])
    assert shown(before, "d5").note == "alibi for S1 found here"


def test_a_tile_in_hand_is_shown_as_printed():
    before = replace(state(), due=Due(reveal=(cell("c2"),)))
    assert shown(before, "c2").note == "turn this one up"
    held = do(before, "tile_revealed", cell="c2", tile="Study:suspect:4:o.l.:2")
    study = shown(held, "c2")
    assert (study.face_down, study.sides, study.passage) == (False, "o.l.", "2")
    assert "in hand" in study.note


def test_the_roster_tells_state_and_cause():
    before = state(suspects={"S1": "c2", "S2": "a1"}, clues=[arrow("single", "c4"), alibi("b1", "S3")])
    entries = {entry.id: entry for entry in panel(before, Roster).entries}
    assert len(entries) == 10
    assert (entries["S1"].state, entries["S1"].where, entries["S1"].out) == ("eliminated", "c2", True)
    assert entries["S1"].why == ("Single arrow on c4, pointing north",)
    assert entries["S2"].state == "suspected"
    assert entries["S3"].why == ("Alibi found on b1",)
    assert entries["S4"].state == "not placed"
    assert panel(before, Roster).note == "Eight not placed yet"
    held = panel(replace(before, arrested="S2"), Roster).entries[1]
    assert (held.state, held.out) == ("arrested", False)


def test_the_tokens_carried_and_their_state():
    before = state(dice=RUN, carried=["lucky_break", "bomb"])
    tokens = panel(before, Tokens)
    assert tokens.limit == 3
    assert [(entry.name, entry.state) for entry in tokens.entries] == [
        ("Lucky Break", "ready"),
        ("Bomb", "once"),
    ]
    after = panel(do(before, "lucky_break_used", die="w1", face="6"), Tokens)
    assert after.entries[0].state == "used this turn"
    assert set(words.TOKENS) == set(words.TOKEN_USES) == set(catalogue.ASSISTANCE)


def test_tokens_to_flip_are_told_until_the_turn_ends():
    before = state(dice=RUN, clues=[arrow("single", "c3")], suspects={"S1": "c2", "S2": "d3"})
    after = do(before, "evidence_reexamined", dice="w1,w2,w3,w4", turn="2")
    assert {"Turn face-down: S2.", "Turn face-up again: S1."} <= set(lines(after))
    assert not any("Turn face" in line for line in lines(do(after, "time_passed")))
    quiet = replace(after, turn=replace(after.turn, used=()))
    quiet = do(quiet, "evidence_reexamined", dice="w1,w2,w3,w4", turn="2")
    assert not any("Turn face" in line for line in lines(quiet))


@pytest.mark.parametrize(
    ("due", "carried", "said", "hint"),
    [
        (Due(reveal=(cell("c2"), cell("b3"))), (), "First turn up c2 and b3.", "lay it as you like"),
        (Due(car_at=cell("c1")), (), "First attach the Police Car to c1.", "first door out of the house"),
        (Due(), ("key", "bomb", "switch", "warrant"), "You carry four tokens", "collected here again"),
    ],
)
def test_what_is_demanded_is_prompted(due, carried, said, hint):
    before = replace(state({"c1": "X:evidence:2:oooo:-"}), due=due, carried=carried)
    assert any(hint in line for line in lines(before))
    assert said in seen(before).headline


def test_an_arrest_in_reach_is_prompted():
    before = state(suspects={"S1": "c2"}, clues=nine_out())
    assert any("S1 on c2 can be arrested" in line for line in lines(before))
    assert any("Police Car has not come yet" in line for line in lines(before))
    waiting = state(suspects={"S1": "c2"}, clues=nine_out(), car=("c2", "N", 1))
    assert not any("Police Car" in line for line in lines(waiting))
    caught = state(arrested="S1", car=("c2", "N", 1))
    assert "Bring S1 to the Police Car, at c2." in lines(caught)
    assert any("find a door" in line for line in lines(replace(caught, car=None)))


def test_the_end_tells_how_and_what_comes_next():
    won = replace(state(minutes=10), phase=Phase.WON, arrested="S1")
    assert seen(won).headline == "S1 sits in the Police Car, with 10 minutes to spare."
    assert "After this game, the adaptive level starts on 35 minutes." in lines(won)
    assert seen(won).actions == ()
    assert panel(won, Track).pending == 0


# Secrets


def other_secrets(before: State) -> State:
    """The same table with quite other cards face-down."""

    def turned(pile: tuple) -> tuple:
        return (*pile[1:], *pile[:1])

    piles, kinds = before.piles, list(KINDS)
    tiles = [
        None if tile is None else replace(tile, name=f"Other {tile.name}", number=7 - tile.number)
        for tile in piles.tiles
    ]
    hidden_now = {
        i: replace(clue, kind=kinds[(kinds.index(clue.kind) + 1) % len(kinds)])
        for i, clue in enumerate(before.clues)
        if not clue.shown
    }
    return replace(
        before,
        piles=replace(
            piles,
            tiles=tuple(reversed(tiles)),
            suspects=turned(piles.suspects),
            evidence=turned(piles.evidence),
            assistance=turned(piles.assistance),
        ),
        clues=tuple(hidden_now.get(i, clue) for i, clue in enumerate(before.clues)),
    )


@pytest.mark.parametrize("seed", range(3))
def test_no_screen_depends_on_what_is_face_down(seed):
    setup = Setup((ANNA, BEN), deal=f"secret {seed}", options={"level": "60"})
    walk = Walker(GAME, setup, random.Random(seed))
    evenings = (walk.play(250), Detective(seed).play(setup))
    differed = 0
    for before, _ in (step for evening in evenings for step in evening):
        other = other_secrets(before)
        differed += other != before
        peekers = {seat for clue in before.clues for seat in clue.peeked if not clue.shown}
        for seat in {None, ANNA, BEN} - peekers:
            assert seen(other, seat) == seen(before, seat)
    assert differed > 50


def test_the_walk_would_notice_a_leak():
    before = replace(
        state(clues=[replace(hidden("c3", "four"), peeked=frozenset({ANNA}))]), names=catalogue.SUSPECTS
    )
    peeking = replace(before, clues=(replace(before.clues[0], kind="corner"),))
    assert seen(before, ANNA) != seen(peeking, ANNA)
    assert seen(before, BEN) == seen(peeking, BEN)


def test_a_peek_is_shown_to_the_seat_that_peeked_until_all_see_it():
    before = state(dice=RUN, clues=[hidden("c3", "four")], carried=["informant"])
    after = do(before, "informant_used", by=ANNA)
    assert "Hidden evidence on c3: four-way arrow" in lines(after, ANNA)
    for seat in (BEN, None):
        assert lines(after, seat) == []
    assert GAME.told(before, tapped(actions(before)["informant"], 1.0), after) == (
        "The Informant showed one player the hidden evidence on c3."
    )
    gathered = replace(after, clues=(replace(after.clues[0], shown=True),))
    assert lines(gathered, ANNA) == []
    unknown = do(replace(before, clues=(hidden("c3"),)), "informant_used", by=ANNA)
    assert any("note what it was" in line for line in lines(unknown, ANNA))


def test_a_note_is_seen_by_its_writer_only():
    after = do(start(), "note_written", by=BEN, text="S4 was in the pantry")
    assert "S4 was in the pantry" in lines(after, BEN)
    for seat in (ANNA, None):
        assert "pantry" not in repr(seen(after, seat)).replace("Pantry", "")


def test_a_state_does_not_print_its_secrets():
    before = do(start(), "note_written", text="a secret note")
    text = repr(before)
    assert "secret note" not in text
    assert not any(tile.name in text for tile in catalogue.ROOM_TILES)
    assert "four" not in repr(hidden("c3", "four"))


def test_the_next_minutes_are_those_that_are_paid():
    before = state(dice="6 6 2 2 2 1 1 4", used=("w1", "c"))
    assert panel(before, Track).pending == turn_minutes(before) == 5
