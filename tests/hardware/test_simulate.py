"""Recordings of a rehearsed tower: read back as somebody else would."""

import json
import wave
from itertools import pairwise

import numpy as np
import pytest

from companion.__main__ import main
from hardware.noises import GOING_ON, NOISES
from hardware.simulate import Plan, SimulationError, edges, hear, record, truth
from hardware.synthesis import amplitude
from hardware.worlds import WORLDS

FILES = ("edges.jsonl", "sound.wav", "truth.jsonl")


def rows(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def heard(file):
    with wave.open(str(file)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)
        data = np.frombuffer(sound.readframes(sound.getnframes()), "<i2") / 32767
        return data, sound.getframerate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("recording") / "new" / "one"
    assert main(["simulate-tower", "--seed", "4", "--drops", "12", "--paired", "--out", str(out)]) == 0
    return out


def test_edges_are_sorted_and_each_line_alternates_from_clear_to_clear(folder):
    found = rows(folder / "edges.jsonl")
    assert all(set(row) == {"t", "line", "active"} for row in found)
    times = [row["t"] for row in found]
    assert times == sorted(times)
    assert times[0] >= 0
    for line in {row["line"] for row in found}:
        states = [row["active"] for row in found if row["line"] == line]
        assert states[::2] == [False] * len(states[::2])
        assert states[1::2] == [True] * len(states[1::2])
        assert not states[-1]


def test_every_line_is_there_by_its_name(folder):
    plates = ["entry", *(f"floor{n}" for n in range(6, -1, -1))]
    named = {row["line"] for row in rows(folder / "edges.jsonl")}
    assert named == {*plates, *(f"{name}_b" for name in plates), "mic"}


def test_the_truth_tells_each_cube_in_order_with_what_it_passed_and_hit(folder):
    told = rows(folder / "truth.jsonl")
    assert [row["drop"] for row in told] == list(range(1, 13))
    for row in told:
        assert row["kind"] == "drop"
        assert row["released"] < row["t"] == row["passes"][0]["t"] <= row["rested"]
        assert [way["plate"] for way in row["passes"]] == list(range(7, row["floor"] - 1, -1))
        assert row["impacts"]
    assert all(1 <= late["released"] - early["released"] <= 3 for early, late in pairwise(told))


def test_entry_breaks_are_where_the_truth_says(folder):
    entries = [row["t"] for row in rows(folder / "edges.jsonl") if row["line"] == "entry" and row["active"]]
    other = [row["t"] for row in rows(folder / "edges.jsonl") if row["line"] == "entry_b" and row["active"]]
    for row in rows(folder / "truth.jsonl"):
        assert min(abs(row["t"] + 0.0005 - t) for t in entries + other) < 0.0015


def test_the_sound_begins_at_zero_and_is_loud_where_cubes_hit(folder):
    sound, rate = heard(folder / "sound.wav")
    assert rate == 48000
    told = rows(folder / "truth.jsonl")
    assert len(sound) / rate >= told[-1]["rested"]
    quiet = np.abs(sound[: rate // 2]).max()
    assert quiet < amplitude(45)
    for row in told:
        loud = max(row["impacts"], key=lambda impact: impact["level_db"])
        begin = round(loud["t"] * rate)
        peak = np.abs(sound[begin : begin + rate // 100]).max()
        assert 20 * np.log10(peak / amplitude(loud["level_db"])) == pytest.approx(0, abs=4)


def test_the_same_seed_gives_the_same_files_and_another_does_not(folder, tmp_path):
    for name, seed in (("same", "4"), ("other", "5")):
        line = [
            "simulate-tower",
            "--seed",
            seed,
            "--drops",
            "12",
            "--paired",
            "--out",
            str(tmp_path / name),
        ]
        assert main(line) == 0
    for file in FILES:
        assert (tmp_path / "same" / file).read_bytes() == (folder / file).read_bytes()
        assert (tmp_path / "other" / file).read_bytes() != (folder / file).read_bytes()


def test_without_sound_the_edges_stay_the_same(folder, tmp_path):
    out = tmp_path / "silent"
    line = ["simulate-tower", "--seed", "4", "--drops", "12", "--paired", "--no-sound", "--out", str(out)]
    assert main(line) == 0
    assert not (out / "sound.wav").exists()
    assert (out / "edges.jsonl").read_bytes() == (folder / "edges.jsonl").read_bytes()


def test_only_the_beams_that_are_wanted_are_there(tmp_path):
    line = ["simulate-tower", "--beams", "7,5,2", "--no-module", "--no-sound", "--out", str(tmp_path)]
    assert main(line) == 0
    assert {row["line"] for row in rows(tmp_path / "edges.jsonl")} == {"entry", "floor5", "floor2"}


def test_two_cubes_in_the_air_at_once_leave_one_sorted_recording():
    made = record(Plan(drops=30, seed=2, gap_s=(0.03, 0.03)))
    for line in ("entry", "floor5", "mic"):
        states = [row["active"] for row in edges(made) if row["line"] == line]
        assert all(before != after for before, after in pairwise(states))
    releases = [row["released"] for row in truth(made)]
    assert np.allclose(np.diff(sorted(releases)), 0.03, atol=1e-5)


@pytest.mark.parametrize("kind", sorted(set(NOISES) - GOING_ON))
def test_a_noise_comes_between_cubes_with_its_time_in_the_truth(kind):
    made = record(Plan(drops=4, seed=1, noise=kind, rate=16000))
    told = truth(made)
    assert [row["kind"] for row in told] == ["drop", kind, "drop", kind, "drop", kind, "drop"]
    for (_, early), (_, late) in pairwise(enumerate(told)):
        assert early.get("rested", early.get("until")) < late.get("released", late["t"])


def test_a_hand_and_a_lift_are_seen_by_the_beams():
    for kind, below in (("hand", False), ("lift", True)):
        made = record(Plan(drops=0, seed=3, noise=kind, rate=16000, seconds=20))
        active = {row["line"] for row in edges(made) if row["active"] and row["line"] != "mic"}
        assert "entry" in active
        assert ("floor6" in active) == below


def test_the_command_lists_every_noise(capsys):
    with pytest.raises(SystemExit):
        main(["simulate-tower", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert ", ".join(NOISES) in told


def test_one_of_the_wired_beams_is_blocked_for_seconds():
    made = record(Plan(drops=3, seed=3, noise="blocked", beams=(5,), rate=16000))
    times = [row["t"] for row in edges(made) if row["line"] == "floor5"][1:]
    spans = [end - begin for begin, end in zip(times[::2], times[1::2], strict=True)]
    assert sum(span >= 3 for span in spans) == 2


def test_talk_goes_on_through_the_whole_recording():
    made = record(Plan(drops=3, seed=1, noise="speech", rate=8000))
    assert [row["kind"] for row in truth(made)] == ["speech", "drop", "drop", "drop"]
    assert truth(made)[0]["until"] == pytest.approx(made.seconds, abs=0.01)


def test_a_rehearsed_song_trips_the_sound_module_sometimes():
    made = [record(Plan(drops=0, seed=seed, noise="music", rate=16000, seconds=5)) for seed in range(6)]
    active = [sum(row["line"] == "mic" and row["active"] for row in edges(one)) for one in made]
    assert max(active) > 20
    assert min(active) == 0


def test_sound_comes_in_pieces_as_long_as_wanted():
    made = record(Plan(drops=2, seed=1, rate=8000))
    long, short = (np.concatenate(list(hear(made, block))) for block in (1.0, 0.032))
    assert np.array_equal(long, short)
    assert len(long) == round(made.seconds * 8000)


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_every_tower_can_be_recorded(name):
    assert len(record(Plan(profile=name, drops=5, seed=9, anew=True)).drops) == 5


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["--profile", "NIX"], "BASE, LOOSE, TIGHT, JOGGED, GROUNDY, BIG"),
        (["--noise", "thunder"], "bump, knock, hand"),
        (["--beams", "9"], "7 (the entry) down to 0"),
        (["--beams", "top"], "such as 7,5,2"),
        (["--gap", "0"], "above 0"),
        (["--drops", "-1"], "0 or more"),
        (["--rate", "10"], "such as 48000"),
    ],
)
def test_what_cannot_be_recorded_is_said_in_a_sentence(line, said, tmp_path, capsys):
    assert main(["simulate-tower", *line, "--out", str(tmp_path / "out")]) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    out = tmp_path / "file" / "out"
    assert main(["simulate-tower", "--drops", "1", "--no-sound", "--out", str(out)]) == 1
    assert f"{out} cannot be written" in capsys.readouterr().err


def test_a_plan_that_makes_no_sense_is_refused():
    with pytest.raises(SimulationError, match="seconds above 0"):
        Plan(gap_s=(2.0, 1.0))
