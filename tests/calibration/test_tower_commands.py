"""``companion calibrate tower`` on recordings, on a rehearsed tower, and where there is none."""

import argparse
import json
import random
import threading

import pytest

from calibration import tower_commands
from calibration.tower_console import watched
from calibration.tower_sources import Sources
from companion.__main__ import main
from hardware.edges import LineFault
from hardware.profile import TowerProfile
from hardware.rehearsal import RehearsalLines
from hardware.simulate import Plan, record, save


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "companion.toml").write_text("[tower]\nentry = 17\nentry_b = 27\nfloor5 = 23\n")
    return folder


@pytest.fixture
def recording(tmp_path):
    """Twelve cubes in pairs of beams, far apart; the folder and the floors on which they lay."""
    made = record(Plan(seed=11, drops=12, paired=True, sound=False, module=False, gap_s=(3.0, 4.0)))
    save(made, tmp_path / "made")
    return tmp_path / "made", [one.fall.floor for one in made.drops]


def run(*words):
    return main(["calibrate", "tower", *map(str, words)])


def test_measures_are_judged_with_the_lines_of_the_settings(data, capsys):
    assert run("geometry", "--cube", 8, "--hole", 16, "--data", data) == 0
    told = capsys.readouterr().out
    assert "a pair in holes below 20.3 mm. Yours is 16 mm. Every cube breaks the beam." in told
    assert "floor5" in told
    assert not (data / "tower.json").exists()


def test_holes_that_are_too_wide_are_exit_status_one_and_say_what_helps(data, capsys):
    (data / "companion.toml").write_text("[tower]\nentry = 17\n")
    assert run("geometry", "--hole", 16, "--save", "--json", "--data", data) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["safe"], told["saved"]) == (False, True)
    assert "2.4 mm from the middle" in told["remedy"]
    assert TowerProfile.load(data / "tower.json").evidence.startswith("measured: cube 8 mm, hole 16 mm")


def test_a_recording_with_known_floors_is_learned_from(data, recording, capsys):
    folder, floors = recording
    edges, lay = folder / "edges.jsonl", ",".join(map(str, floors))
    assert run("labelled", "--edges", edges, "--floors", lay, "--save", "--data", data) == 0
    assert "12 of 40 cubes" in capsys.readouterr().out
    kept = TowerProfile.load(data / "tower.json")
    assert kept.evidence.startswith("12 cubes dropped and looked for; 0 of them not counted")
    assert sum(map(sum, kept.stays)) > sum(map(sum, TowerProfile().stays))
    again = ",".join(["?", *map(str, floors[1:])])
    assert run("labelled", "--edges", edges, "--floors", again, "--json", "--data", data) == 0
    assert json.loads(capsys.readouterr().out)["done"] == 11


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--floors", "1,2"), "12 cubes were counted in"),
        (("--floors", "1,x"), "'x' is no floor"),
        (("--floors", ",".join(["9"] * 12)), "There is no floor 9"),
    ],
)
def test_floors_that_do_not_fit_are_named(data, recording, capsys, words, said):
    assert run("labelled", "--edges", recording[0] / "edges.jsonl", *words, "--data", data) == 1
    assert said in capsys.readouterr().err


def test_without_lines_and_recordings_it_says_what_is_missing(tmp_path, capsys):
    assert run("naming", "--data", tmp_path) == 1
    assert "[tower]" in capsys.readouterr().err
    assert run("labelled", "--floors", "1", "--data", tmp_path) == 1
    assert "--edges FILE" in capsys.readouterr().err


# -- at a rehearsed tower, in real time ---------------------------------------------------------------


class Hand(threading.Thread):
    """Somebody at the rehearsed tower who does what is said."""

    def __init__(self, tower, said):
        super().__init__(daemon=True)
        self.tower, self.said = tower, said

    def run(self):
        for line in ("entry", "floor5"):
            self.said.wait_for(f"({line})")
            self.tower.block(line)
            self.said.pause(0.3)
            self.tower.clear(line)


class Said:
    """What was printed; `wait_for` waits until it holds some words."""

    def __init__(self):
        self.text, self.more = "", threading.Condition()

    def __call__(self, text):
        with self.more:
            self.text += f"{text}\n"
            self.more.notify_all()

    def wait_for(self, words):
        with self.more:
            assert self.more.wait_for(lambda: words in self.text, 10.0)

    def pause(self, seconds):
        with self.more:
            self.more.wait_for(lambda: False, seconds)


def test_a_rehearsed_tower_is_named_from_the_command_line(tmp_path):
    tower = RehearsalLines(("entry", "floor5"), chance=random.Random(2))
    sources = Sources({"entry": 17, "floor5": 23}, tower)
    said = Said()
    given = argparse.Namespace(opened=lambda _: sources, data=tmp_path, json=False, say=said)
    Hand(tower, said).start()
    assert tower_commands.naming(given) == 0
    assert "Every line answers to its name." in said.text


def test_lines_that_cannot_be_taken_are_said(tmp_path):
    class Busy(RehearsalLines):
        def start(self):
            raise LineFault("Another program holds a line.", "End it.")

    said = Said()
    lines = Busy(("entry",), chance=random.Random(2))
    with watched(Sources({"entry": 17}, lines), tmp_path, said):
        said.wait_for("Another program holds a line. End it.")


def test_the_trace_prints_a_row_for_each_moment(tmp_path, capsys):
    tower = RehearsalLines(("entry", "floor5"), chance=random.Random(2))
    sources = Sources({"entry": 17, "floor5": 23}, tower, tower.microphone)
    given = argparse.Namespace(opened=lambda _: sources, data=tmp_path, json=False, seconds=0.9, say=None)
    tower.block("floor5")
    assert tower_commands.trace(given) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows
    assert "entry -" in rows[-1]
    assert "floor5 #" in rows[-1]
    assert "dB" in rows[-1]
