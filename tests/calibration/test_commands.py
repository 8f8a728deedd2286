"""``companion calibrate`` and ``companion ledger`` on pictures in files."""

import json

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from pictured import CORNERS, apart, picture, seen, tray, with_markers
from vision.tray import TrayProfile


@pytest.fixture
def marked(tmp_path):
    file = tmp_path / "tray.png"
    cv2.imwrite(str(file), seen(with_markers(tray())))
    return file


def test_a_tray_is_found_on_a_photograph_and_saved(marked, tmp_path, capsys):
    data = tmp_path / "data"
    assert main(["calibrate", "tray", str(marked), "--save", "--data", str(data)]) == 0
    told = capsys.readouterr().out
    assert "All four markers are seen." in told
    assert "A millimetre is" in told
    assert apart(TrayProfile.load(data / "tray.json"), CORNERS) < 4


def test_no_tray_is_exit_status_one_and_says_what_helps(tmp_path, capsys):
    file = tmp_path / "grey.png"
    cv2.imwrite(str(file), np.full((300, 400, 3), 120, np.uint8))
    assert main(["calibrate", "tray", str(file), "--json", "--data", str(tmp_path)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["found"], told["how"]) == (False, "nothing")
    assert "markers" in told["remedy"]


def test_the_lamp_is_checked_photograph_by_photograph(marked, tmp_path, capsys):
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), (cv2.imread(str(marked)) * 0.1).astype(np.uint8))
    assert main(["calibrate", "lamp", str(marked), str(dark), "--json", "--data", str(tmp_path)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    health = [{f["name"]: f["health"] for f in row["findings"]}["brightness"] for row in rows]
    assert health == ["ok", "problem"]
    main(["calibrate", "lamp", str(dark), "--data", str(tmp_path)])
    assert "-> Light a lamp" in capsys.readouterr().out


def test_a_folder_of_pictures_is_a_camera(marked, tmp_path, capsys):
    folder = tmp_path / "frames"
    folder.mkdir()
    marked.rename(folder / "1.png")
    assert main(["calibrate", "tray", "--camera", str(folder), "--data", str(tmp_path)]) == 0
    assert "All four markers" in capsys.readouterr().out


def test_dice_are_taught_from_photographs(tmp_path, capsys):
    shown = []
    for n, face in enumerate(("green", "blue", "green", "blue")):
        file = tmp_path / f"{n}.png"
        cv2.imwrite(str(file), picture(face, seed=n)[0].image)
        shown.append(f"{face}={file}")
    line = ["calibrate", "dice", "fingerprint", "--save", "--data", str(tmp_path), "--shown", *shown]
    assert main(line) == 0
    told = capsys.readouterr().out
    assert "would have been read right." in told
    assert "Never shown: red, yellow, brown, purple." in told
    assert (tmp_path / "dice.npz").exists()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (["dice", "cat"], "Which faces have cat dice"),
        (["dice", "cat", "--shown", "nonsense"], "not FACE=PHOTO"),
        (["dice", "fingerprint", "--shown", "pink=x.png"], "have no pink"),
        (["tray", "nowhere.png"], "No such file"),
        (["tray", "--camera", "none"], "Name a camera"),
        (["tray", "--camera", "webcam"], "is no camera"),
    ],
)
def test_what_cannot_be_is_a_sentence(line, why, tmp_path, capsys):
    assert main(["calibrate", *line, "--data", str(tmp_path)]) == 1
    assert why in capsys.readouterr().err


def test_the_markers_are_written_as_drawing_or_picture(tmp_path, capsys):
    for name in ("m.svg", "m.png"):
        assert main(["calibrate", "markers", "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / "m.svg").read_text().startswith("<svg")
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    assert main(["calibrate", "markers", "--out", str(tmp_path / "m.gif")]) == 1
    assert "must end in" in capsys.readouterr().err


def test_the_ledger_of_an_empty_folder_and_forgetting(tmp_path, capsys):
    assert main(["ledger", "--data", str(tmp_path)]) == 0
    assert "No games are kept" in capsys.readouterr().out
    (tmp_path / "corrections").mkdir()
    (tmp_path / "corrections" / "000001.jpg").write_bytes(b"x")
    assert main(["ledger", "--forget", "--data", str(tmp_path)]) == 0
    assert "Deleted: 1 " in capsys.readouterr().out
    assert not (tmp_path / "corrections" / "000001.jpg").exists()
