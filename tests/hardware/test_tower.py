"""What happens at the tower, told apart from edges and sounds."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.edges import Edge
from hardware.noticed import Condition, Kind, TowerState
from hardware.profile import for_lines
from hardware.sound import Onset
from hardware.tower import REPORT_S, Tower

FALL_S = {6: 0.042, 5: 0.071, 4: 0.094, 3: 0.114, 2: 0.132, 1: 0.148, 0: 0.163}
"""When a cube that meets nothing breaks each plate's beam after its entry."""

BEAMS = ("entry", *(f"floor{j}" for j in range(6, -1, -1)))


class Evening:
    """A tower with a script: what is written down here happens in the order of its times."""

    def __init__(self, lines=BEAMS, *, ear=None):
        self.tower = Tower(for_lines(lines), ear=ear or (lambda drop, known: 0 * known))
        self.script = []

    def broken(self, at, seconds, *lines):
        for line in lines or ("entry",):
            self.script += [Edge(line, level=False, at=at), Edge(line, level=True, at=at + seconds)]
        return self

    def cube(self, at, floor=0, lines=BEAMS, late_s=0.0):
        for line in ("entry", "entry_b"):
            if line in lines:
                self.broken(at, 0.018, line)
        for plate in range(6, floor - 1, -1):
            for line in (f"floor{plate}", f"floor{plate}_b"):
                if line in lines:
                    self.broken(at + FALL_S[plate] + late_s, 0.006, line)
        return self

    def sound(self, at, level_db=-40.0, centroid_hz=2500.0, decay_s=0.008):
        self.script.append(Onset(at, level_db, centroid_hz, 380.0, decay_s))
        return self

    def play(self, until=None):
        """Everything noticed, with the time at which it was told."""
        self.told = []
        now = 0.0
        self.script.sort(key=lambda one: one.at)
        until = until or (self.script[-1].at if self.script else 0.0) + 4.0
        for one in self.script:
            while now + 0.05 < one.at:
                now += 0.05
                self._note(self.tower.tick(now), now)
            take = self.tower.edge if isinstance(one, Edge) else self.tower.onset
            self._note(take(one), one.at)
        while now < until:
            now += 0.05
            self._note(self.tower.tick(now), now)
        return [noticed for noticed, _ in self.told]

    def _note(self, found, now):
        self.told += [(noticed, now) for noticed in found]


def kinds(noticed):
    return [str(one.kind) for one in noticed]


@pytest.mark.parametrize(
    "lines", [("entry",), ("entry", "entry_b"), ("floor7",), ("entry", "floor5", "floor2")]
)
def test_a_cube_counts_whatever_beams_there_are(lines):
    evening = Evening(lines)
    evening.cube(2.0, floor=1, lines=lines)
    if lines == ("floor7",):
        evening.broken(2.0, 0.018, "floor7")
    (drop,) = evening.play()
    assert drop.kind is Kind.DROP
    assert drop.at == 2.0
    assert drop.confidence > 0.95


@pytest.mark.parametrize("width_ms", [4, 5, 18, 28, 42, 80])
def test_slow_and_fast_cubes_count(width_ms):
    assert kinds(Evening(("entry",)).broken(1.0, width_ms / 1000).play()) == ["drop"]


def test_a_glitch_is_nothing():
    assert Evening().broken(1.0, 0.0008).broken(3.0, 0.0003, "floor5").play() == []


@pytest.mark.parametrize("width_s", [0.12, 0.35, 0.7])
def test_a_hand_is_named_and_counts_nothing(width_s):
    evening = Evening().broken(1.0, width_s)
    assert kinds(evening.play()) == ["hand"]


def test_while_a_hand_is_in_the_shaft_the_tower_says_so():
    tower = Tower(for_lines(("entry",)))
    tower.edge(Edge("entry", level=False, at=1.0))
    tower.tick(1.2)
    assert tower.state == TowerState(Condition.HAND)
    tower.edge(Edge("entry", level=True, at=1.3))
    tower.tick(1.4)
    assert tower.state == TowerState(Condition.QUIET)


def test_a_blocked_beam_is_named_once_and_cleared():
    evening = Evening().broken(1.0, 20.0, "floor5")
    noticed = evening.play()
    assert kinds(noticed) == ["blocked", "clear"]
    assert [one.line for one in noticed] == ["floor5", "floor5"]


def test_a_beam_wired_the_wrong_way_round_is_blocked_and_stays_so():
    evening = Evening(("entry", "floor4"))
    evening.script.append(Edge("floor4", level=False, at=0.0))
    for n in range(5):
        evening.broken(2.0 + 3 * n, 0.018, "entry")
        evening.script += [
            Edge("floor4", level=True, at=2.1 + 3 * n),
            Edge("floor4", level=False, at=2.106 + 3 * n),
        ]
    assert kinds(evening.play()) == ["blocked", *["drop"] * 5]


def test_a_beam_that_is_broken_from_the_start_is_blocked():
    tower = Tower(for_lines(("entry", "floor3")))
    tower.edge(Edge("floor3", level=False, at=0.0))
    assert kinds(tower.tick(1.0)) == ["blocked"]
    assert str(tower.state) == "beam floor3 blocked"


def test_a_blocked_beam_says_nothing_of_floors():
    def floors_of(*blocked):
        evening = Evening()
        for line in blocked:
            evening.broken(0.5, 30.0, line)
        lines = tuple(line for line in BEAMS if line not in blocked)
        return next(one.floors for one in evening.cube(5.0, floor=4, lines=lines).play() if one.floors)

    assert floors_of()[4] > 0.9
    assert floors_of("floor4")[4] < 0.7, "it could as well lie on floor 5"


def test_an_entry_beam_that_is_blocked_leaves_counting_to_the_others():
    evening = Evening().broken(0.5, 30.0, "entry").cube(5.0, floor=2, lines=BEAMS[1:])
    assert set(kinds(evening.play())) == {"blocked", "drop", "clear"}


def test_one_beam_of_a_pair_that_is_stuck_leaves_the_other_at_work():
    evening = Evening(("entry", "entry_b")).broken(0.5, 30.0, "entry_b").broken(5.0, 0.018, "entry")
    assert set(kinds(evening.play())) == {"blocked", "drop", "clear"}


def test_a_lifted_floor_is_named_and_what_moves_then_counts_nothing():
    evening = Evening()
    for n, line in enumerate(BEAMS[:4]):
        evening.broken(2.0 + n * 0.012, 1.5, line)
    noticed = evening.play()
    assert kinds(noticed) == ["lifted", "closed"]
    assert noticed[0].at == pytest.approx(2.0)


def test_a_floor_that_stays_lifted_blocks_no_beam():
    evening = Evening()
    for line in BEAMS[:3]:
        evening.broken(2.0, 60.0, line)
    assert kinds(evening.play(30.0)) == ["lifted"]
    assert evening.tower.state == TowerState(Condition.LIFTED)


@pytest.mark.parametrize("line", ["entry", "floor3"])
@pytest.mark.parametrize("pulse_s", [0.00005, 0.004])
def test_chatter_is_named_and_counts_nothing(line, pulse_s):
    evening = Evening()
    for n in range(200):
        evening.broken(2.0 + 2 * n * pulse_s, pulse_s, line)
    assert kinds(evening.play()) == ["chatter", "clear"]


def test_chatter_on_one_of_a_pair_leaves_the_other_counting():
    evening = Evening(("entry", "entry_b"))
    for n in range(20000):
        evening.broken(2.0 + n * 0.0001, 0.00005, "entry_b")
    evening.broken(3.0, 0.018, "entry")
    assert kinds(evening.play()) == ["chatter", "drop", "clear"]


def test_two_cubes_one_behind_the_other_are_two():
    evening = Evening(("entry",)).broken(1.0, 0.018).broken(1.03, 0.018)
    assert [one.at for one in evening.play()] == [1.0, 1.03]


def test_a_pair_tells_two_cubes_side_by_side():
    evening = Evening(("entry", "entry_b")).broken(1.0, 0.018, "entry").broken(1.012, 0.018, "entry_b")
    assert kinds(evening.play()) == ["drop", "drop"]


def test_six_cubes_at_once_are_six():
    evening = Evening(("entry",))
    for n in range(6):
        evening.broken(1.0 + n * 0.04, 0.018)
    assert kinds(evening.play()) == ["drop"] * 6


def test_two_cubes_in_the_air_keep_their_own_floors():
    evening = Evening().cube(1.0, floor=5).cube(1.1, floor=1, late_s=0.01)
    first, second = evening.play()
    assert max(range(8), key=first.floors.__getitem__) == 5
    assert max(range(8), key=second.floors.__getitem__) == 1


@pytest.mark.slow
@given(st.integers(0, 7), st.integers(0, 7))
def test_a_drop_is_told_at_the_same_delay_however_deep_it_fell(floor, other):
    delays = set()
    for deep in (floor, other):
        evening = Evening().cube(2.0, floor=deep)
        evening.play()
        delays |= {round(now - noticed.at, 6) for noticed, now in evening.told}
    assert len(delays) == 1
    assert REPORT_S <= delays.pop() <= REPORT_S + 0.05


def test_a_beam_that_others_prove_silent_is_named():
    evening = Evening()
    lines = tuple(line for line in BEAMS if line != "floor4")
    for n in range(8):
        evening.cube(2.0 + 3 * n, floor=0, lines=lines)
    silent = [one for one in evening.play() if one.kind is Kind.SILENT]
    assert [one.line for one in silent] == ["floor4"]
    assert TowerState(Condition.SILENT, "floor4") in evening.tower.states


def test_an_entry_beam_that_died_is_named_and_the_cubes_still_count():
    evening = Evening()
    for n in range(8):
        evening.cube(2.0 + 3 * n, floor=0, lines=BEAMS[1:])
    noticed = evening.play()
    assert kinds(noticed).count("drop") == 8
    assert [one.line for one in noticed if one.kind is Kind.SILENT] == ["entry"]


def test_a_microphone_that_hears_no_cube_is_deaf_until_it_hears_again():
    evening = Evening(("entry",))
    evening.tower.listening("wave")
    for n in range(6):
        evening.broken(2.0 + 3 * n, 0.018)
    assert kinds(evening.play()).count("deaf") == 1
    assert Condition.DEAF in {state.condition for state in evening.tower.states}
    again = Evening(("entry",))
    again.tower = evening.tower
    assert "deaf" not in kinds(again.broken(40.0, 0.018).sound(40.1).play(45.0))
    assert Condition.DEAF not in {state.condition for state in again.tower.states}


def test_a_microphone_that_hears_every_cube_is_not_deaf():
    evening = Evening(("entry",))
    for n in range(8):
        evening.broken(2.0 + 3 * n, 0.018).sound(2.1 + 3 * n)
    assert kinds(evening.play()) == ["drop"] * 8


def clatter(evening, at):
    """A cube that falls on some floor and bounces twice."""
    return evening.sound(at, -35).sound(at + 0.09, -42).sound(at + 0.14, -48)


def test_without_beams_a_cube_is_what_sounds_like_one():
    (drop,) = clatter(Evening(()), 3.0).play()
    assert drop.kind is Kind.DROP
    assert drop.at == pytest.approx(3.0)
    assert 0.5 <= drop.confidence < 0.99, "sound alone is never certain"


def test_amid_other_sounds_what_sounds_like_a_cube_does_not_count():
    evening = Evening(())
    for n in range(4):
        evening.sound(2.0 + 0.2 * n, -30, 500.0, 0.04)
    assert "drop" not in kinds(clatter(evening, 3.4).play())


def test_with_an_entry_beam_sound_alone_counts_nothing():
    assert "drop" not in kinds(clatter(Evening(("entry",)), 3.0).play())


def test_knuckles_are_a_knock():
    evening = Evening(("entry",))
    for n in range(3):
        evening.sound(2.0 + 0.17 * n, -30, 500.0, 0.026)
    assert kinds(evening.play()) == ["knock"]


@pytest.mark.parametrize("lines", [(), ("entry",)])
def test_talk_is_no_cube(lines):
    evening = Evening(lines)
    chance = random.Random(5)
    at = 2.0
    while at < 6.0:
        at += chance.uniform(0.06, 0.3)
        evening.sound(at, chance.uniform(-50, -30), chance.uniform(400, 2500), chance.uniform(0.01, 0.06))
    assert set(kinds(evening.play())) == {"speech"}


def test_too_much_noise_is_named():
    evening = Evening(("entry",))
    for n in range(200):
        evening.sound(2.0 + n * 0.05)
    assert "noisy" in kinds(evening.play())


def test_states_while_a_cube_falls_and_after():
    tower = Tower(for_lines(("entry",)))
    tower.edge(Edge("entry", level=False, at=1.0))
    tower.edge(Edge("entry", level=True, at=1.018))
    tower.tick(1.2)
    assert tower.state == TowerState(Condition.FALLING)
    tower.tick(2.7)
    assert tower.state == TowerState(Condition.COUNTED)
    tower.tick(9.0)
    assert tower.state == TowerState(Condition.QUIET)


def test_what_a_hand_lets_go_is_asked_about():
    evening = Evening().broken(1.0, 0.3)
    for plate in (6, 5, 4):
        evening.broken(1.31 + FALL_S[plate], 0.007, f"floor{plate}")
    assert kinds(evening.play()) == ["hand", "unsure"]


def test_a_cube_that_is_pushed_on_by_another_is_not_a_second_one():
    evening = Evening().cube(1.0, floor=5)
    for plate, at in ((3, 1.40), (2, 1.43), (1, 1.46)):
        evening.broken(at, 0.006, f"floor{plate}")
    assert kinds(evening.play()) == ["drop"]


def test_lines_of_no_beam_and_unknown_ones_are_passed_over():
    evening = Evening().broken(1.0, 0.02, "lamp").broken(2.0, 0.01, "mic")
    assert evening.play() == []


@given(st.lists(st.tuples(st.sampled_from(BEAMS), st.booleans(), st.floats(0, 5)), max_size=80))
def test_no_edges_upset_it(edges):
    tower = Tower(for_lines(BEAMS), ear=lambda drop, known: 0 * known)
    found = []
    for line, level, at in sorted(edges, key=lambda one: one[2]):
        found += tower.edge(Edge(line, level=level, at=at))
    found += tower.tick(20.0)
    for one in found:
        assert 0.0 <= one.confidence <= 1.0
        assert one.floors is None or sum(one.floors) == pytest.approx(1)
    assert tower.states


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ears", "inside", "least"),
    [
        ("model", (), 0.82),
        ("model", ("floor5", "floor2"), 0.88),
        ("audio", (), 0.95),
        ("audio", ("floor5", "floor2"), 0.95),
    ],
)
def test_beams_and_sound_together_find_the_floor(ears, inside, least):
    from calibration.training.asked import followed, matched
    from calibration.training.evenings import evening

    lines = tuple(f"{name}{b}" for name in ("entry", *inside) for b in ("", "_b"))
    right = []
    for seed in (9_200_000, 9_200_001):
        one = evening(seed, ears, 40, ("BASE",))
        told = followed(Tower(for_lines(lines)), one.edges(lines), one.heard, "wave")
        drops = [n for n in told if n.kind is Kind.DROP]
        for cube, n in matched(one.entries, [drop.at for drop in drops], 0.06):
            right.append(max(range(8), key=drops[n].floors.__getitem__) == one.floors[cube])
    assert len(right) >= 78
    assert sum(right) / len(right) > least


@pytest.mark.slow
@pytest.mark.parametrize("factor", [0.83, 1.2])
def test_a_tower_of_other_board_is_heard_as_well(factor):
    from calibration.training.asked import followed, matched
    from calibration.training.evenings import evening

    lines = ("entry", "entry_b")
    one = evening(9_200_003, "audio", 40, ("BASE",))
    heard = [replace(sound, pitch_hz=factor * sound.pitch_hz) for sound in one.heard]
    told = followed(Tower(for_lines(lines)), one.edges(lines), heard, "wave")
    drops = [n for n in told if n.kind is Kind.DROP]
    pairs = matched(one.entries, [drop.at for drop in drops], 0.06)
    right = [max(range(8), key=drops[n].floors.__getitem__) == one.floors[cube] for cube, n in pairs]
    assert sum(right[8:]) / len(right[8:]) > 0.85


def test_how_loud_the_microphone_is_set_changes_nothing():
    from calibration.training.asked import followed
    from calibration.training.evenings import evening

    one = evening(9_200_002, "model", 12, ("BASE",))
    lines = ("entry", "entry_b")
    plain, louder = (
        followed(
            Tower(for_lines(lines)),
            one.edges(lines),
            [replace(heard, level_db=heard.level_db + gain) for heard in one.heard],
            "wave",
        )
        for gain in (0.0, 17.0)
    )
    assert [n.floors for n in plain] == [pytest.approx(n.floors, abs=1e-3) for n in louder]


def test_an_evening_teaches_the_usual_loudness_and_the_misses():
    evening = Evening()
    lines = tuple(line for line in BEAMS if line != "floor6")
    for n in range(6):
        evening.cube(2.0 + 3 * n, lines=lines).sound(2.1 + 3 * n, -37.0)
    evening.play()
    learned = evening.tower.learned
    assert learned.loudness_db == -37.0
    assert learned.missed[6][0] == pytest.approx(evening.tower.profile.missed[6][0] + 6)
