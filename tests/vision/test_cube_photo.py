"""Photographs in which cubes are counted: bytes in, a row out; and the command that prints it."""

import json
import random

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.rules.events import CubesExpected
from vision.photo import parse_cubes, read_cube_photo
from vision.rehearsalfloor import floor_picture
from vision.stills import PhotoError


@pytest.fixture
def photo(tmp_path):
    picture = floor_picture(("blue", "red", "blue"), 5, (960, 720), random.Random(2))
    file = tmp_path / "floor.jpg"
    file.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    return file


@pytest.mark.slow
def test_a_photograph_is_read_with_boxes_in_its_own_pixels(photo):
    small = read_cube_photo(photo)
    picture = cv2.resize(cv2.imread(str(photo)), None, fx=3, fy=3)
    large = read_cube_photo(cv2.imencode(".jpg", picture)[1].tobytes(), name="large")
    assert sorted(cube["colour"] for cube in small.row["cubes"]) == ["blue", "blue", "red"]
    assert sorted(cube["colour"] for cube in large.row["cubes"]) == ["blue", "blue", "red"]
    red = [next(c for c in read.row["cubes"] if c["colour"] == "red")["box"] for read in (small, large)]
    assert np.array(red[1]) == pytest.approx(3 * np.array(red[0]), abs=12)
    assert small.row["floor"]
    assert small.row["ms"] > 0


def test_what_is_no_photograph_is_said(tmp_path):
    with pytest.raises(PhotoError, match="no JPEG, PNG or WebP"):
        read_cube_photo(b"words", name="words")
    with pytest.raises(PhotoError, match="does not exist"):
        read_cube_photo(tmp_path / "absent.jpg")


def test_the_most_there_can_be_is_read():
    assert parse_cubes("3 blue + 1 Red + 2 blue") == CubesExpected((("blue", 5), ("red", 1)))
    assert parse_cubes(" Any ") is None


@pytest.mark.parametrize("text", ["", "blue", "3 pink", "3 blue, 1 red", "-1 blue"])
def test_what_cannot_be_understood_says_how_to_write_it(text):
    with pytest.raises(ValueError, match="3 blue \\+ 1 red"):
        parse_cubes(text)


@pytest.mark.slow
def test_the_command_prints_one_json_line(photo, capsys, tmp_path):
    assert (
        main(["read", str(photo), "--cubes", "any", "--json", "--annotate", str(tmp_path / "drawn")]) == 0
    )
    row = json.loads(capsys.readouterr().out)
    assert sorted(cube["colour"] for cube in row["cubes"]) == ["blue", "blue", "red"]
    assert (tmp_path / "drawn" / "floor.jpg").exists()


def test_the_command_tells_in_words(photo, capsys):
    assert main(["read", str(photo), "--cubes", "5 blue + 2 red"]) == 0
    assert "2 blue, 1 red" in capsys.readouterr().out


def test_the_command_says_what_it_does_not_understand(photo, capsys, tmp_path):
    assert main(["read", str(photo), "--cubes", "3 pink"]) == 1
    assert "--cubes" in capsys.readouterr().err
    assert main(["read", str(photo), "--cubes", "any", "--dice", "5"]) == 1
    assert "do not go together" in capsys.readouterr().err
    assert main(["read", str(tmp_path / "absent.jpg"), "--cubes", "any"]) == 1
    assert "does not exist" in capsys.readouterr().err
