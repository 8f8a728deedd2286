"""``companion tower``: recordings in, one line for each thing noticed."""

import json
import wave

import numpy as np
import pytest

from companion.__main__ import main
from hardware.edgefile import EdgeFile
from hardware.profile import for_lines
from hardware.simulate import Plan, record, save


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tower")
    made = record(Plan(seed=9_100_001, drops=6, paired=True))
    save(made, folder)
    return folder


@pytest.fixture
def tower(capsys):
    def run(*arguments):
        status = main(["tower", *map(str, arguments), "--json"])
        out, err = capsys.readouterr()
        assert status == 0, err
        return [json.loads(line) for line in out.splitlines()]

    return run


@pytest.fixture
def refused(capsys):
    def run(*arguments):
        assert main(["tower", *map(str, arguments)]) == 1
        _, err = capsys.readouterr()
        assert len(err.splitlines()) == 1
        return err

    return run


def truth(folder):
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    return [(row["t"], row["floor"]) for row in rows if row["kind"] == "drop"]


def edge_file(path, *rows):
    path.write_text("".join(json.dumps({"t": t, "line": line, "active": a}) + "\n" for t, line, a in rows))
    return path


def test_every_cube_is_told_with_its_time(recording, tower):
    rows = tower("--edges", recording / "edges.jsonl", "--sound", recording / "sound.wav")
    assert [row["kind"] for row in rows] == ["drop"] * 6
    assert [row["at"] for row in rows] == pytest.approx([t for t, _ in truth(recording)], abs=0.01)
    assert all(set(row) == {"at", "kind", "confidence", "floors"} for row in rows)


def test_floors_stay_sealed_unless_asked_for(recording, tower):
    edges, sound = recording / "edges.jsonl", recording / "sound.wav"
    assert {row["floors"] for row in tower("--edges", edges, "--sound", sound)} == {None}
    opened = tower("--edges", edges, "--sound", sound, "--unseal")
    assert [max(range(8), key=row["floors"].__getitem__) for row in opened] == [
        floor for _, floor in truth(recording)
    ]
    assert all(sum(row["floors"]) == pytest.approx(1, abs=1e-3) for row in opened)


def test_readable_lines_keep_the_secret_too(recording, capsys):
    main(["tower", "--edges", str(recording / "edges.jsonl")])
    sealed = capsys.readouterr().out
    assert "drop" in sealed
    assert "floor" not in sealed
    main(["tower", "--edges", str(recording / "edges.jsonl"), "--unseal"])
    assert "floor " in capsys.readouterr().out


def test_a_sealed_line_never_names_a_beam_inside(tmp_path, capsys):
    edges = edge_file(tmp_path / "e.jsonl", (1.0, "floor3", True), (9.0, "entry", False))
    main(["tower", "--edges", str(edges)])
    out = capsys.readouterr().out
    assert "blocked" in out
    assert "floor3" not in out


@pytest.mark.parametrize(
    "kept",
    [("entry",), ("entry", "entry_b"), ("entry", "floor5", "floor2"), ("floor6", "floor2"), ("mic",), ()],
)
def test_any_lines_will_do(recording, tower, tmp_path, kept):
    lines = (recording / "edges.jsonl").read_text().splitlines()
    some = tmp_path / "some.jsonl"
    some.write_text("\n".join(line for line in lines if json.loads(line)["line"] in kept))
    with_sound = tower("--edges", some, "--sound", recording / "sound.wav", "--unseal")
    assert len([row for row in with_sound if row["kind"] == "drop"]) >= (6 if "entry_b" in kept else 4)
    tower("--edges", some, "--unseal")


def test_the_roof_beam_may_be_called_floor7(recording, tower, tmp_path):
    text = (
        (recording / "edges.jsonl")
        .read_text()
        .replace('"entry_b"', '"floor7b"')
        .replace('"entry"', '"floor7"')
    )
    (tmp_path / "e.jsonl").write_text(text)
    assert [row["kind"] for row in tower("--edges", tmp_path / "e.jsonl")] == ["drop"] * 6


def test_lines_that_are_active_twice_late_or_from_the_start_do_no_harm(tower, tmp_path):
    edges = edge_file(
        tmp_path / "e.jsonl",
        (0.0, "entry", True), (0.0, "entry", True), (0.01, "entry", False), (3.018, "entry", False),
        (3.0, "entry", True), (3.0, "entry", True), (5.0, "entry", False),
    )  # fmt: skip
    assert [(row["at"], row["kind"]) for row in tower("--edges", edges)] == [(0.0, "drop"), (3.0, "drop")]


def test_a_profile_names_the_lines(tower, tmp_path):
    for_lines(["entry"]).save(tmp_path / "tower.json")
    edges = edge_file(
        tmp_path / "e.jsonl", (1.0, "entry", True), (1.02, "entry", False), (2.0, "floor5", True)
    )
    told = tower("--edges", edges, "--profile", tmp_path / "tower.json")
    assert [row["kind"] for row in told] == ["drop"], "the profile has no beam on floor 5"


def test_an_empty_recording_has_nothing_to_say(tower, tmp_path):
    assert tower("--edges", edge_file(tmp_path / "e.jsonl")) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "no JSON"),
        ("[1]", "write"),
        ('{"t": 1, "line": "entry"}', "write"),
        ('{"t": "soon", "line": "entry", "active": true}', "number of seconds"),
        ('{"t": NaN, "line": "entry", "active": true}', "number of seconds"),
        ('{"t": 1, "line": 5, "active": true}', "must be a name"),
        ('{"t": 1, "line": "entry", "active": "yes"}', "true or false"),
    ],
)
def test_a_bad_line_is_named_with_its_file(refused, tmp_path, line, said):
    edges = edge_file(tmp_path / "e.jsonl", (1.0, "entry", False))
    edges.write_text(edges.read_text() + "\n" + line + "\n")
    err = refused("--edges", edges)
    assert f"{edges}, line 3" in err
    assert said in err


def test_a_missing_file_is_a_sentence(refused, tmp_path):
    assert str(tmp_path / "none") in refused("--edges", tmp_path / "none")
    edges = edge_file(tmp_path / "e.jsonl")
    assert "none.wav" in refused("--edges", edges, "--sound", tmp_path / "none.wav")
    assert "none.json" in refused("--edges", edges, "--profile", tmp_path / "none.json")


@pytest.mark.parametrize(("channels", "rate", "said"), [(2, 48000, "2 channels"), (1, 100, "100 samples")])
def test_sound_that_cannot_be_used_is_a_sentence(refused, tmp_path, channels, rate, said):
    with wave.open(str(tmp_path / "s.wav"), "wb") as file:
        file.setparams((channels, 2, rate, 0, "NONE", ""))
        file.writeframes(bytes(4000))
    err = refused("--edges", edge_file(tmp_path / "e.jsonl"), "--sound", tmp_path / "s.wav")
    assert "s.wav" in err
    assert said in err


def test_something_that_is_no_sound_is_a_sentence(refused, tmp_path):
    (tmp_path / "s.wav").write_bytes(b"RIFF....")
    assert "cannot be read as a WAV file" in refused(
        "--edges", edge_file(tmp_path / "e.jsonl"), "--sound", tmp_path / "s.wav"
    )


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_samples_of_any_width_come_to_the_same(tmp_path, width):
    from hardware.soundfile import SoundFile

    wanted = np.array([0.0, 0.5, -0.5, 0.25], np.float32)
    whole = np.round(wanted.astype(np.float64) * 2 ** (8 * width - 1)).astype(np.int64)
    if width == 1:
        raw = bytes((whole + 128).astype(np.uint8))
    else:
        raw = b"".join(int(v).to_bytes(width, "little", signed=True) for v in whole)
    with wave.open(str(tmp_path / "s.wav"), "wb") as file:
        file.setparams((1, width, 8000, 0, "NONE", ""))
        file.writeframes(raw)
    (piece,) = SoundFile(tmp_path / "s.wav").pieces()
    assert piece.data == pytest.approx(wanted, abs=1e-6)
    assert piece.data.dtype == np.float32


def test_a_long_file_is_not_held_in_memory(tmp_path):
    rows = [(n * 0.5, "entry", n % 2 == 0) for n in range(20000)]
    edges = EdgeFile(edge_file(tmp_path / "e.jsonl", *rows)).edges()
    first = next(edges)
    assert first.at == 0.0
    assert sum(1 for _ in edges) == len(rows) - 1
