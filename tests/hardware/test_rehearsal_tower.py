"""The rehearsed tower: what its lines and its microphone give, and when."""

import io
import random
import threading
import wave

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.edges import Edge
from hardware.rehearsal import RehearsedTower
from hardware.rehearsed_sound import BLOCK_S, LATE_S, RehearsedMicrophone
from hardware.sound import SoundFault
from hardware.synthesis import FLOOR_DB, amplitude
from hardware.traces import line_names
from hardware.worlds import World

LINES = (*line_names(range(8), paired=True), "mic")
RATE = 16000


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tower(clock):
    made = RehearsedTower(LINES, chance=random.Random(3), rate=RATE, monotonic=clock)
    made.start()
    edges_now(made)
    return made


def edges_now(tower):
    found = []
    while (edge := tower.next(0.0)) is not None:
        found.append(edge)
    return found


def edges_over(tower, clock, seconds=2.0):
    """All edges of a time, and that each came when it was due."""
    found = []
    for _ in range(round(seconds * 1000)):
        clock.now += 0.001
        due = edges_now(tower)
        assert all(clock.now - 0.0011 <= edge.at <= clock.now for edge in due)
        found += due
    return found


def heard_over(tower, clock, seconds=1.5):
    """The sound of a time, joined, and when it began."""
    pieces = []
    for _ in range(round(seconds / BLOCK_S)):
        clock.now += BLOCK_S
        while (piece := tower.microphone.next(0.0)) is not None:
            pieces.append(piece)
    ends = [piece.at + len(piece.data) / piece.rate for piece in pieces]
    assert np.allclose(ends[:-1], [piece.at for piece in pieces[1:]])
    return np.concatenate([piece.data for piece in pieces]), pieces[0].at


def plates_of(edges):
    named = {edge.line.removesuffix("_b") for edge in edges if edge.line != "mic"}
    return {7 if name == "entry" else int(name[-1]) for name in named}


def test_it_begins_with_the_level_of_every_line(clock):
    tower = RehearsedTower(("entry", "mic"), chance=random.Random(1), monotonic=clock)
    tower.start()
    assert edges_now(tower) == [Edge("entry", True, 100.0), Edge("mic", True, 100.0)]


def test_a_cube_breaks_the_beams_on_its_way_each_at_its_time(tower, clock):
    for _ in range(20):
        tower.drop()
        edges = edges_over(tower, clock, 1.5)
        one = tower.fallen()[-1]
        assert plates_of(edges) == {brk.plate for brk in one.breaks} != set()
        times = [edge.at for edge in edges]
        assert times == sorted(times)
        assert tower.levels() == dict.fromkeys(LINES, True)


def test_every_edge_changes_its_line(tower, clock):
    for _ in range(10):
        tower.drop_two(0.03)
    levels = dict.fromkeys(LINES, True)
    for edge in edges_over(tower, clock):
        assert edge.level is not levels[edge.line]
        levels[edge.line] = edge.level


def test_two_cubes_are_two_drops_a_short_time_apart(tower, clock):
    tower.drop_two(0.4)
    edges_over(tower, clock)
    first, second = tower.fallen()
    gap = (second.at + second.fall.released) - (first.at + first.fall.released)
    assert gap == pytest.approx(0.4)


@pytest.mark.parametrize("floor", [7, 4, 0])
def test_a_cube_can_be_sent_to_a_floor(tower, floor):
    for _ in range(5):
        tower.drop(floor)
    assert [one.fall.floor for one in tower.fallen()] == [floor] * 5


def test_a_floor_that_is_not_there_or_never_reached_is_said(clock):
    shut = World("shut", offsets_mm=((0.0, 0.0),) * 3 + ((90.0, 90.0),) + ((0.0, 0.0),) * 4)
    tower = RehearsedTower(chance=random.Random(1), world=shut, monotonic=clock)
    with pytest.raises(ValueError, match="there are 0 to 7"):
        tower.drop(8)
    with pytest.raises(ValueError, match="name another"):
        tower.drop(0)
    assert tower.fallen() == ()


@given(st.lists(st.sampled_from(["drop", "take"]), max_size=25), st.integers(0, 999))
@settings(deadline=None, max_examples=30)
def test_no_cube_is_lost(doings, seed):
    tower = RehearsedTower(chance=random.Random(seed), monotonic=lambda: 0.0)
    taken = 0
    for n, doing in enumerate(doings):
        if doing == "drop":
            tower.drop()
        else:
            taken += tower.take(n % 8)
    assert sum(tower.lying()) + taken == doings.count("drop")


def test_the_same_chance_gives_the_same_evening(clock):
    both = [RehearsedTower(LINES, chance=random.Random(8), rate=RATE, monotonic=clock) for _ in range(2)]
    for tower in both:
        for _ in range(5):
            tower.drop()
    assert both[0].fallen() == both[1].fallen()


def test_a_hand_holds_the_entry_for_longer_than_any_cube(tower, clock):
    tower.hand()
    edges = [edge for edge in edges_over(tower, clock, 4.0) if edge.line != "mic"]
    assert {edge.line for edge in edges} == {"entry", "entry_b"}
    entry = [edge.at for edge in edges if edge.line == "entry"]
    assert all(end - begin >= 0.1 for begin, end in zip(entry[::2], entry[1::2], strict=True))


def test_a_lifted_floor_takes_all_beams_above_it(tower, clock):
    tower.lift(5)
    edges = edges_over(tower, clock, 4.0)
    assert plates_of(edges) == {5, 6, 7}
    low = [edge.at for edge in edges if not edge.level and edge.line != "mic"]
    assert max(low) - min(low) <= 0.05


def test_bumps_knocks_and_talk_break_no_beam(tower, clock):
    for do in (tower.bump, tower.knock, tower.speak):
        do()
        assert plates_of(edges_over(tower, clock, 1.0)) == set()


def test_a_held_beam_stays_broken_though_cubes_fall_through_it(tower, clock):
    tower.block("floor6")
    tower.block("floor6")
    assert edges_now(tower) == [Edge("floor6", False, clock.now)]
    tower.drop(0)
    assert "floor6" not in {edge.line for edge in edges_over(tower, clock)}
    tower.clear("floor6")
    assert edges_now(tower) == [Edge("floor6", True, clock.now)]
    assert tower.levels()["floor6"]


def test_a_cut_wire_says_nothing_until_it_is_mended(tower, clock):
    tower.block("entry")
    tower.cut("entry")
    assert edges_now(tower) == []
    tower.drop(0)
    assert "entry" not in {edge.line for edge in edges_over(tower, clock)}
    assert tower.levels()["entry"]
    tower.clear()
    edges_now(tower)
    tower.drop(0)
    assert plates_of(edges_over(tower, clock)) >= {7, 6}


def test_a_loose_wire_chatters_as_fast_as_wanted(tower):
    tower.rattle("floor3", pulses=1000, wave_s=0.0001)
    edges = edges_now(tower)
    assert len(edges) == 2000
    assert edges[-1].at - edges[0].at == pytest.approx(0.1, abs=0.001)
    assert {edge.line for edge in edges} == {"floor3"}


@pytest.mark.parametrize("do", ["block", "clear", "rattle", "cut"])
def test_a_line_that_is_not_there_is_named_with_those_that_are(tower, do):
    with pytest.raises(ValueError, match="no line 'cellar'; there is: entry"):
        getattr(tower, do)("cellar")


def test_levels_are_those_of_now_although_no_edge_was_fetched(tower, clock):
    tower.drop()
    one = tower.fallen()[0]
    seen = next(brk for brk in one.breaks if brk.plate == 7)
    line = "entry_b" if seen.second else "entry"
    clock.now = one.at + seen.at + seen.length_s / 2
    assert tower.levels()[line] is False
    clock.now += 2
    assert tower.levels()[line] is True


def test_lines_that_are_not_there_give_nothing(clock):
    tower = RehearsedTower(("entry",), chance=random.Random(1), monotonic=clock)
    for _ in range(5):
        tower.drop()
    tower.lift(3)
    assert {edge.line for edge in edges_over(tower, clock, 3.0)} == {"entry"}


def test_waiting_ends_when_an_edge_comes_and_when_the_time_is_over(tower):
    assert tower.next(0.001) is None
    got = []
    waiting = threading.Thread(target=lambda: got.append(tower.next(10.0)))
    waiting.start()
    tower.block("floor2")
    waiting.join(5)
    assert [edge.line for edge in got] == ["floor2"]


def test_a_cube_is_heard_where_it_hits_at_its_level(tower, clock):
    tower.microphone.start()
    tower.drop(0)
    one = tower.fallen()[0]
    sound, began = heard_over(tower, clock)
    loud = max(one.sounds, key=lambda impact: impact.level_db)
    near = round((one.at + loud.at - began) * RATE)
    assert abs(int(np.argmax(np.abs(sound))) - near) < 0.006 * RATE
    assert np.abs(sound).max() == pytest.approx(amplitude(loud.level_db), rel=0.4)
    quiet = sound[: round((one.at + one.sounds[0].at - began) * RATE) - 10]
    assert np.std(quiet) == pytest.approx(amplitude(FLOOR_DB), rel=0.2)


@pytest.mark.parametrize("do", ["hand", "lift", "bump", "knock", "speak"])
def test_what_is_done_at_the_tower_is_heard(tower, clock, do):
    tower.microphone.start()
    getattr(tower, do)()
    sound, _ = heard_over(tower, clock)
    assert np.abs(sound).max() > 6 * amplitude(FLOOR_DB)


def test_sound_comes_no_sooner_than_it_sounded(tower, clock):
    tower.microphone.start()
    assert tower.microphone.next(0.0) is None
    clock.now += BLOCK_S / 2
    assert tower.microphone.next(0.0) is None
    clock.now += BLOCK_S / 2 + 1e-6
    piece = tower.microphone.next(0.0)
    assert (piece.at, piece.rate, len(piece.data)) == (100.0, RATE, round(BLOCK_S * RATE))
    assert piece.data.dtype == np.float32


def test_what_nobody_fetched_is_lost_and_time_goes_on_right(tower, clock):
    tower.microphone.start()
    clock.now += LATE_S + 5
    piece = tower.microphone.next(0.0)
    assert clock.now - 2 * BLOCK_S <= piece.at <= clock.now - BLOCK_S + 1e-3


def test_an_unplugged_microphone_is_a_fault_with_a_remedy_until_it_is_plugged_in(tower, clock):
    tower.microphone.start()
    tower.deaf()
    with pytest.raises(SoundFault, match="unplugged") as fault:
        tower.microphone.next(0.0)
    assert "Plug it in again" in fault.value.remedy
    tower.microphone.close()
    with pytest.raises(SoundFault):
        tower.microphone.start()
    tower.clear()
    tower.microphone.start()
    clock.now += BLOCK_S + 1e-6
    assert tower.microphone.next(0.0) is not None


def test_a_wait_for_sound_is_broken_off_when_it_is_unplugged():
    microphone = RehearsedMicrophone(np.random.default_rng(1), RATE, monotonic=lambda: 0.0)
    microphone.start()
    told = []

    def listen():
        try:
            microphone.next(10.0)
        except SoundFault as fault:
            told.append(fault.text)

    waiting = threading.Thread(target=listen)
    waiting.start()
    microphone.unplug()
    waiting.join(5)
    assert told == ["The microphone was unplugged."]


def test_without_a_listener_nothing_is_kept_and_closing_twice_is_fine(tower, clock):
    tower.drop()
    tower.microphone.close()
    tower.microphone.close()
    assert tower.microphone.next(0.0) is None
    tower.microphone.start()
    clock.now += BLOCK_S + 1e-6
    assert tower.microphone.next(0.0) is not None


def played(sound):
    with wave.open(io.BytesIO(sound)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 32000)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768


def test_ears_hear_each_impact_when_it_sounds_and_silence_before():
    clock = Clock()
    tower = RehearsedTower(LINES, chance=random.Random(3), rate=RATE, monotonic=clock)
    assert tower.heard() is None
    for _ in range(20):
        clock.now += 5.0
        tower.drop()
        sound = played(tower.heard())
        drop = tower.fallen()[-1]
        first = min(one.at for one in drop.sounds) - drop.fall.released
        loudest = max(drop.sounds, key=lambda one: one.level_db).at - drop.fall.released
        assert np.abs(sound[: int((first - 0.002) * 32000)]).max(initial=0.0) == 0.0
        assert np.abs(sound[int((loudest - 0.003) * 32000) :]).max() > 0.02
        assert np.abs(sound).max() < 1.0


def test_two_cubes_at_once_are_heard_together_and_later_ones_alone():
    clock = Clock()
    tower = RehearsedTower(LINES, chance=random.Random(4), rate=RATE, monotonic=clock)
    tower.drop(7)
    alone = tower.heard()
    clock.now += 5.0
    tower.drop_two()
    first, second = tower.fallen()[-2:]
    both = played(tower.heard())
    apart = second.at + second.fall.released - first.at - first.fall.released
    later = min(one.at for one in second.sounds) - second.fall.released
    assert len(both) / 32000 > apart + later
    clock.now += 5.0
    tower.drop(7)
    assert abs(len(tower.heard()) - len(alone)) < 32000
