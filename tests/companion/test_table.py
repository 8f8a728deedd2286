"""The table: facts kept once, questions, undo and amendments, time, reopening."""

from itertools import count
from threading import Thread

import pytest

from companion.errors import CompanionError, GameNotFoundError
from companion.games import all_games
from companion.rules.events import (
    BellRang,
    DiceRolled,
    DieClaim,
    DieFace,
    Notice,
    Observation,
    Seat,
    Seconds,
)
from dash import GAME as DASH

ANNA, BERT = Seat("anna"), Seat("bert")
numbers = count()


def begin(table, players=("Anna", "Bert"), **options):
    seats = tuple(table.join(name).key for name in players)
    return table.start_game(slug="dash", title="Evening", seats=seats, options=options)


def dice(*faces):
    return tuple(DieFace("white", str(face)) for face in faces)


def rolled(*faces, roll=None, at=0.0):
    return DiceRolled(at=Seconds(at), roll=roll or f"r{next(numbers)}", dice=dice(*faces))


def throw(table, *faces, sure=True, source="camera", roll=None, at=0.0, reason=""):
    event = rolled(*faces, roll=roll, at=at)
    claims = tuple(DieClaim("white", str(f), 0.6, alternatives=("1",)) for f in faces)
    return table.submit(
        Observation(id=event.roll, event=event, source=source, sure=sure, claims=claims, reason=reason)
    )


def tap(table, seat, word, **args):
    return table.tap(id=f"t{next(numbers)}", seat=seat, word=word, args=args, seen=0)


def score(table):
    return table.snapshot().state.scores


def test_a_sure_roll_becomes_a_fact_and_every_screen_sees_it(make_table):
    table = make_table()
    begin(table)
    before = table.snapshot()
    receipt = throw(table, 3, 4)
    after = table.wait(before.version, timeout_s=5)
    assert receipt.status == "kept"
    assert after.version > before.version
    assert after.state.scores == (7, 0)
    assert after.history[-1].told == "anna threw 3 4."


def test_the_same_observation_counts_once_even_after_reopening(make_table):
    table = make_table()
    begin(table)
    assert throw(table, 3, 4, roll="one").status == "kept"
    assert throw(table, 3, 4, roll="one").status == "again"
    table = make_table()
    assert throw(table, 3, 4, roll="one").status == "again"
    assert score(table) == (7, 0)


def test_what_is_not_sure_is_asked_and_one_tap_confirms_it(make_table):
    table = make_table()
    begin(table)
    assert throw(table, 3, 4, sure=False, roll="r", reason="the 4 may be a 5").status == "asked"
    question = table.snapshot().proposal
    assert question.reason == "the 4 may be a 5"
    assert score(table) == (0, 0)
    assert table.confirm(id="r", seat=ANNA).status == "kept"
    assert score(table) == (7, 0)
    assert table.snapshot().proposal is None
    assert table.confirm(id="r", seat=BERT).status == "again"


def test_a_question_can_be_answered_with_other_dice(make_table):
    table = make_table()
    begin(table)
    throw(table, 3, 4, sure=False, roll="r")
    assert table.confirm(id="r", seat=ANNA, dice=dice(3, 5, 5)).status == "refused"
    assert table.snapshot().proposal is not None
    assert table.confirm(id="r", seat=ANNA, dice=dice(3, 5)).status == "kept"
    assert score(table) == (8, 0)
    assert table.snapshot().history[-1].source == "camera, corrected"


def test_a_wrong_count_from_the_camera_is_a_question_with_the_reason(make_table):
    table = make_table()
    begin(table)
    assert throw(table, 3).status == "asked"
    assert table.snapshot().proposal.reason == "2 white expected, 1 white seen"
    assert table.dismiss(id=table.snapshot().proposal.id, seat=BERT).status == "kept"
    assert table.snapshot().proposal is None


def test_dice_entered_by_hand_take_a_standing_question_down_only_when_none_is_awaited(make_table):
    table = make_table()
    begin(table)
    throw(table, 6, 6, sure=False, roll="r")
    tap(table, ANNA, "dice_rolled", roll="h", dice="white:6,white:5")
    assert score(table) == (11, 0)


def test_a_nudged_die_out_of_season_is_ignored(make_table):
    table = make_table()
    begin(table, players=("Anna",))
    for _ in range(2):
        throw(table, 5, 5)
    assert table.snapshot().outcome.winners == (ANNA,)
    assert throw(table, 1, 1).status == "ignored"
    assert table.snapshot().expected.dice is None


def test_a_refusal_tells_the_player_why_and_changes_nothing(make_table):
    table = make_table()
    begin(table)
    version = table.snapshot().version
    receipt = tap(table, BERT, "passed")
    assert (receipt.status, receipt.text) == ("refused", "It is anna's turn.")
    assert tap(table, ANNA, "flown").text == "'flown' is not an event of this game"
    assert tap(table, ANNA, "bell_rang", timer="throw").status == "refused"
    assert table.snapshot().version == version


def test_undo_turns_table_time_back_and_redo_restores(make_table, ticks):
    table = make_table()
    begin(table)
    ticks.append(10.0)
    throw(table, 3, 4, at=10.0)
    ticks.append(50.0)
    throw(table, 1, 2, at=50.0)
    assert table.undo(id="u1", seat=ANNA).status == "kept"
    assert table.undo(id="u1", seat=ANNA).status == "again"
    assert table.snapshot().at == 10.0
    assert score(table) == (7, 0)
    assert [row.standing for row in table.snapshot().history] == [True, False]
    assert table.redo(id="re", seat=BERT).status == "kept"
    assert score(table) == (7, 3)
    assert all(row.standing for row in table.snapshot().history)


def test_two_phones_that_undo_the_same_fact_undo_one(make_table):
    table = make_table()
    begin(table)
    throw(table, 3, 4)
    throw(table, 1, 2)
    seen = table.snapshot().undo.seq
    assert table.undo(id="u1", seat=ANNA, seq=seen).status == "kept"
    assert table.undo(id="u2", seat=BERT, seq=seen).text.startswith("Something else has happened")
    assert score(table) == (7, 0)


def test_a_paused_game_answers_no_question(make_table):
    table = make_table()
    begin(table)
    throw(table, 3, 4, sure=False, roll="r")
    table.pause()
    assert table.confirm(id="r", seat=ANNA).status == "refused"
    table.resume()
    assert table.confirm(id="r", seat=ANNA).status == "kept"


def test_undo_of_nothing_says_so(make_table):
    table = make_table()
    begin(table)
    assert table.undo(id="u", seat=ANNA).text == "Nothing has happened yet."


def test_an_amendment_replays_what_came_after(make_table):
    table = make_table()
    begin(table)
    throw(table, 3, 4)
    throw(table, 1, 2)
    first = table.snapshot().history[0]
    line = first.line.replace("white:3,white:4", "white:6,white:4")
    preview = table.preview(first.seq, line)
    assert preview.ok
    assert "anna: 7 becomes 10." in preview.changes
    assert score(table) == (7, 3)
    assert table.amend(id="a", seq=first.seq, line=line, seat=BERT).status == "kept"
    assert score(table) == (10, 3)
    assert table.snapshot().history[0].amended
    assert score(make_table()) == (10, 3)


def test_an_amendment_that_strands_a_later_fact_is_refused_and_names_it(make_table):
    table = make_table()
    begin(table)
    throw(table, 6, 6)
    throw(table, 1, 2)
    throw(table, 2, 2)
    throw(table, 1, 1)
    third = table.snapshot().history[2]
    receipt = table.amend(
        id="a", seq=third.seq, line=third.line.replace("white:2,white:2", "white:6,white:6"), seat=ANNA
    )
    assert receipt.status == "refused"
    assert "bert threw 1 1" in receipt.text
    assert table.preview(third.seq, "not a line").ok is False
    assert table.preview(99, third.line).text == "Fact 99 does not stand any more."
    assert score(table) == (16, 5)


def test_the_bell_rings_at_its_own_time_and_before_a_later_event(make_table, ticks):
    table = make_table()
    begin(table)
    ticks.append(60.4)
    table.tick()
    assert table.snapshot().history == ()  # within the grace
    ticks.append(61.0)
    assert tap(table, BERT, "passed").status == "kept"
    bell, passed = table.snapshot().history
    assert (bell.at, bell.told) == (60.0, "The bell rang.")
    assert passed.at == 61.0


def test_a_tap_within_the_grace_still_comes_after_the_bell_if_it_is_later(make_table, ticks):
    table = make_table()
    begin(table)
    ticks.append(60.2)
    assert throw(table, 3, 3, at=59.9).status == "kept"  # the dice lay before the bell
    assert [row.told for row in table.snapshot().history] == ["anna threw 3 3."]


def test_pause_stops_table_time_and_survives_reopening(make_table, ticks):
    table = make_table()
    begin(table)
    ticks.append(20.0)
    assert table.pause(seat=ANNA).status == "kept"
    ticks.append(500.0)
    assert throw(table, 1, 1).status == "refused"
    table = make_table()
    assert table.snapshot().paused
    assert table.snapshot().at == 20.0
    ticks.append(900.0)
    table.resume(seat=ANNA)
    ticks.append(910.0)
    table.tick()
    assert table.snapshot().history == ()
    assert throw(table, 1, 1, at=905.0).status == "kept"
    assert table.snapshot().history[-1].at <= 30.0


def test_a_reopened_game_goes_on_at_the_time_of_its_last_fact(make_table, ticks):
    table = make_table()
    begin(table)
    ticks.append(30.0)
    tap(table, ANNA, "passed")
    ticks.append(4000.0)
    table = make_table()
    assert table.snapshot().state.turn == 1
    assert table.snapshot().expected.timer.left_s(table.snapshot().at) == 60.0


def test_games_are_kept_and_reopened(make_table):
    table = make_table()
    first = begin(table)
    throw(table, 3, 4)
    second = table.start_game(slug="dash", title="Second", seats=(ANNA,), options={})
    assert [game.id for game in table.kept_games()] == [second.id, first.id]
    table.open_game(first.id)
    assert score(table) == (7, 0)
    table.close_game()
    assert table.snapshot().game is None
    assert throw(table, 1, 1).text.startswith("No game is open")
    with pytest.raises(GameNotFoundError, match="no game 'nix'"):
        table.open_game("nix")


def test_what_an_evening_leaves_is_carried_to_the_next(make_table):
    table = make_table()
    begin(table)
    throw(table, 3, 4)
    table.start_game(slug="dash", title="Next", seats=(ANNA,), options={})
    assert "carried best 7" in table.export(table.snapshot().game.id).replace('"', "")


def test_export_seals_secrets_until_the_end_and_imports_again(make_table):
    table = make_table()
    game = begin(table, players=("Anna",))
    throw(table, 3, 4)
    tap(table, ANNA, "whispered", text="the butler, I think")
    text = table.export(game.id)
    assert "butler" not in text
    assert "sealed-deal" in text
    copy = table.import_game(text)
    table.open_game(copy.id)
    assert score(table) == (7,)
    assert table.snapshot().state.whispers == ((ANNA, "the butler, I think"),)
    throw(table, 6, 6)
    throw(table, 6, 6)
    assert "\ndeal " in table.export(copy.id)


def test_a_file_that_is_not_a_game_is_refused_with_its_line(make_table):
    table = make_table()
    game = begin(table)
    throw(table, 3, 4)
    text = table.export(game.id)
    for broken, message in [
        ("hello", "first line must be"),
        (text.replace("game dash", "game chess"), "'chess' is not known"),
        (text.replace("white:3", "white3"), r"line \d+: dice_rolled: dice="),
        (text + "9.0 anna flown\n", "'flown' is not an event"),
        (text + "9.0 anna passed\n", "It is bert's turn"),
    ]:
        with pytest.raises(CompanionError, match=message):
            table.import_game(broken)
    assert len(table.kept_games()) == 1


def test_seats_are_rejoined_by_code_and_renewed_by_the_host(make_table):
    table = make_table()
    anna = table.join("  Anna ")
    assert table.seat_by_code(f" {anna.code[:3]}-{anna.code[3:].lower()}") == anna
    for name, why in [("anna", "taken"), ("", "called"), ("x" * 30, "too long")]:
        with pytest.raises(ValueError, match=why):
            table.join(name)
    new = table.renew_seat(anna.key)
    assert table.seat_by_code(anna.code) is None
    assert new.generation == anna.generation + 1
    assert table.rename_seat(anna.key, "Änne").name == "Änne"
    table.remove_seat(anna.key)
    assert make_table().snapshot().seats == ()


def test_starting_needs_a_known_game_seats_and_numbers(make_table):
    table = make_table()
    anna = table.join("Anna")
    with pytest.raises(GameNotFoundError, match="'chess' is not here"):
        table.start_game(slug="chess", title="", seats=(anna.key,), options={})
    with pytest.raises(ValueError, match="takes 1 to 4 players; 0 are chosen"):
        table.start_game(slug="dash", title="", seats=(), options={})
    with pytest.raises(ValueError, match="'zoe' does not sit"):
        table.start_game(slug="dash", title="", seats=(Seat("zoe"),), options={})
    assert table.snapshot().game is None


def test_a_sensors_trouble_is_a_notice_and_play_goes_on(make_table):
    table = make_table()
    begin(table)
    table.notice(
        Notice(source="camera", state="lost", text="The camera is unplugged.", remedy="Plug it in.")
    )
    assert [n.state for n in table.snapshot().notices] == ["lost"]
    assert throw(table, 3, 4, source="hand").status == "kept"
    table.notice(Notice(source="camera", state="live", level="ok"))
    assert table.snapshot().notices == ()


def test_views_are_made_once_a_version_and_hold_only_the_seats_own_secret(make_table):
    table = make_table()
    begin(table)
    tap(table, ANNA, "whispered", text="planted-4711")
    shown = table.snapshot()
    assert table.view(shown, ANNA) is table.view(shown, ANNA)
    assert "planted-4711" in repr(table.view(shown, ANNA))
    assert "planted-4711" not in repr(table.view(shown, BERT)) + repr(table.view(shown, None))
    assert "planted-4711" not in repr(shown.history)


def test_a_bell_cannot_be_claimed_out_of_season(make_table):
    table = make_table()
    receipt = table.submit(Observation(id="b", event=BellRang(at=Seconds(0), timer="x"), source="tower"))
    assert receipt.status == "ignored"


def test_a_closed_table_says_so(make_table):
    table = make_table()
    table.close()
    with pytest.raises(CompanionError, match="stopping"):
        table.tick()


def test_a_phone_cannot_use_up_the_names_of_the_tables_own_rows(make_table, ticks):
    table = make_table()
    begin(table)
    for name in ("bell-2", "pause-3"):
        assert table.tap(id=name, seat=ANNA, word="whispered", args={"text": "hm"}).status == "kept"
    assert table.tap(id="bell-3", seat=ANNA, word="whispered", args={"text": "hm"}).status == "kept"
    assert table.tap(id="bell-4", seat=ANNA, word="whispered", args={"text": "hm"}).status == "kept"
    assert table.tap(id="pause-6", seat=ANNA, word="whispered", args={"text": "hm"}).status == "kept"
    ticks.append(61.0)
    table.tick()
    assert table.snapshot().history[-1].told == "The bell rang."
    assert table.pause().status == "kept"


def test_a_correction_is_no_way_to_act_for_somebody_else(make_table):
    table = make_table()
    begin(table)
    tap(table, ANNA, "whispered", text="the butler")
    tap(table, ANNA, "passed")
    for seq, line, why in [
        (1, "0.0 anna whispered text=gardener", "secret fact cannot be corrected"),
        (2, "0.0 anna whispered text=gardener", "another kind of fact"),
        (2, "0.0 table bell_rang timer=throw", "another kind of fact"),
    ]:
        assert why in table.preview(seq, line).text
        assert why in table.amend(id=f"a{next(numbers)}", seq=seq, line=line, seat=BERT).text
    assert table.snapshot().state.whispers == ((ANNA, "the butler"),)


class Shut(type(DASH)):
    """Dash in which only dice can be corrected, as where a correction would try what lies face down."""

    def correctable(self, start, event):
        return not start.goal or isinstance(event, DiceRolled)


def test_a_game_says_which_facts_can_only_be_taken_back(make_table):
    table = make_table({"dash": Shut()})
    begin(table)
    throw(table, 3, 4)
    tap(table, BERT, "passed")
    rolled_row, passed_row = table.snapshot().history
    assert (rolled_row.amendable, passed_row.amendable) == (True, False)
    assert "what lies face down" in table.preview(passed_row.seq, passed_row.line).text
    assert table.amend(id="a", seq=passed_row.seq, line=passed_row.line, seat=ANNA).status == "refused"
    line = rolled_row.line.replace("white:4", "white:5")
    assert table.amend(id="b", seq=rolled_row.seq, line=line, seat=ANNA).status == "kept"
    assert score(table)[0] == 8


def test_an_amendment_that_brings_a_timer_back_gives_the_time_that_was_left(make_table, ticks):
    table = make_table()
    begin(table, players=("Anna",))
    throw(table, 6, 6, at=0.0)
    ticks.append(20.0)
    throw(table, 6, 6, at=20.0)
    assert table.snapshot().outcome
    ticks.append(900.0)
    second = table.snapshot().history[1]
    line = second.line.replace("white:6,white:6", "white:1,white:1")
    assert table.amend(id="a", seq=second.seq, line=line, seat=ANNA).status == "kept"
    table.tick()
    assert [row.told for row in table.snapshot().history] == ["anna threw 6 6.", "anna threw 1 1."]
    ticks.append(930.0)
    assert tap(table, ANNA, "passed").status == "kept"
    assert table.snapshot().history[-1].at == 50.0
    line = second.line.replace("white:6,white:6", "white:2,white:1")
    assert table.amend(id="b", seq=second.seq, line=line, seat=ANNA).status == "kept"
    assert table.clock.at() == 50.0


def test_an_undo_in_a_pause_turns_time_back_for_good(make_table, ticks):
    table = make_table()
    begin(table)
    ticks.append(10.0)
    tap(table, ANNA, "passed")
    ticks.append(30.0)
    tap(table, BERT, "passed")
    table.pause()
    table.undo(id="u", seat=ANNA)
    assert table.snapshot().at == 10.0
    table = make_table()
    assert (table.snapshot().at, table.snapshot().paused) == (10.0, True)


def test_time_played_before_a_pause_is_not_given_back_by_a_power_cut(make_table, ticks):
    table = make_table()
    begin(table)
    ticks.append(50.0)
    table.pause()
    table.resume()
    table = make_table()
    assert (table.snapshot().at, table.snapshot().paused) == (50.0, False)
    ticks.append(60.5)
    table.tick()
    assert [row.told for row in table.snapshot().history] == ["The bell rang."]


@pytest.mark.parametrize(
    ("typed", "name", "key"),
    [
        ("Table", "Table", "table2"),
        ("🦊", "🦊", "player"),
        ("👩‍👩‍👧", "👩‍👩‍👧", "player"),
        ("شَهْرَزاد", "شَهْرَزاد", "player"),
        ("A\u202enna\u200b\0", "Anna", "anna"),
        ("Zoe\u0308\ud800", "Zoë", "zoe"),
        ("a" + "\u0301" * 23, "á" + "\u0301" * 22, "a"),
        ("㍱" * 24, "㍱" * 24, "hpa" * 8),
    ],
)
def test_unusual_names_sit_down_too(make_table, typed, name, key):
    seat = make_table().join(typed)
    assert (seat.name, seat.key) == (name, key)


@pytest.mark.parametrize("typed", ["\u200b", "\u202e\u2066", "\u0301\u0301", "\0", "\u200d"])
def test_a_name_that_nobody_sees_is_none(make_table, typed):
    with pytest.raises(ValueError, match="Say what you are called"):
        make_table().join(typed)


def test_half_a_letter_is_refused_with_a_sentence(make_table):
    table = make_table()
    begin(table)
    assert "no database keeps" in tap(table, ANNA, "whispered", text="\ud83d").text
    receipt = table.tap(id="\ud83d", seat=ANNA, word="passed", args={})
    assert receipt.status == "refused"
    assert "is no letter" in receipt.text
    with pytest.raises(CompanionError, match="is no letter"):
        table.start_game(slug="dash", title="\ud83d", seats=(ANNA,), options={})


def test_a_game_that_this_version_cannot_fold_is_named_without_its_secrets(make_table):
    table = make_table()
    begin(table)
    tap(table, ANNA, "whispered", text="planted-0815")

    class Mute(type(DASH)):
        events = ()

    class Strict(type(DASH)):
        def setup(self, setup):
            raise ValueError("this option is gone")

    for game, why in [(Mute(), "row 1 (event)"), (Strict(), "this option is gone")]:
        shown = make_table({"dash": game}).snapshot()
        assert shown.game is None
        (notice,) = shown.notices
        assert why in notice.text
        assert "planted" not in notice.text


def test_nobody_waits_for_ever_for_a_table_that_closes(make_table):
    for _ in range(20):
        table = make_table()
        said = []

        def ask(table=table, said=said):
            try:
                while True:
                    table.tick()
            except CompanionError as fault:
                said.append(str(fault))

        askers = [Thread(target=ask, daemon=True) for _ in range(4)]
        for asker in askers:
            asker.start()
        table.close()
        for asker in askers:
            asker.join(timeout=10)
        assert len(said) == 4


def test_a_game_knows_its_players_by_the_names_they_have_whatever_their_keys(make_table):
    games = {"arosa": all_games()["arosa"]}
    table = make_table(games)
    seats = tuple(table.join(name).key for name in ("Jürgen", "雪"))
    info = table.start_game(slug="arosa", title="", seats=seats, options={})
    shown = str(table.view(table.snapshot(), None))
    assert "Jürgen" in shown
    assert "雪" in shown
    again = make_table(games)
    assert str(again.view(again.snapshot(), None)) == shown
    again.open_game(again.import_game(again.export(info.id)).id)
    assert "雪" in str(again.view(again.snapshot(), None))
