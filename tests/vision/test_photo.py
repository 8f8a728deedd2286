"""What a script gets of one photograph."""

import json
from pathlib import Path

import cv2
import pytest

from drawn import rolled
from vision.naming import KINDS
from vision.networks import run
from vision.photo import parse_dice, read_photo
from vision.stills import PhotoError


def test_the_row_has_the_promised_fields_in_the_pictures_own_pixels(tmp_path: Path) -> None:
    path = tmp_path / "roll.png"
    large = cv2.resize(rolled("31625"), None, fx=4.5, fy=4.5, interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(path), large)
    row = json.loads(json.dumps(read_photo(path).row))
    assert list(row) == ["image", "status", "dice", "ms"]
    assert row["image"] == str(path)
    assert row["ms"] > 0
    assert [d["face"] for d in row["dice"]] == list("31625")
    assert list(row["dice"][0]) == ["kind", "face", "box", "confidence"]
    for n, die in enumerate(row["dice"]):
        x, y, width, height = die["box"]
        middle = (4.5 * (100 + 145 * (n % 4)), 4.5 * (90 + 130 * (n // 4)))
        assert abs(x + width / 2 - middle[0]) < 25
        assert abs(y + height / 2 - middle[1]) < 25


def test_expected_dice_decide_the_status() -> None:
    data = cv2.imencode(".png", rolled("31625"))[1].tobytes()
    assert read_photo(data, parse_dice("5 white")).row["status"] == "sure"
    assert read_photo(data, parse_dice("8")).row["status"] == "wrong-count"
    assert read_photo(data, parse_dice("5"), name="upload.png").row["image"] == "upload.png"


def test_an_empty_table_is_none() -> None:
    data = cv2.imencode(".png", rolled(""))[1].tobytes()
    row = read_photo(data).row
    assert (row["status"], row["dice"]) == ("none", [])


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=r"gone\.jpg does not exist"):
        read_photo(tmp_path / "gone.jpg")
    with pytest.raises(PhotoError, match="is a folder"):
        read_photo(tmp_path)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("7 white + 1 coloured", (("white", 7), ("coloured", 1))),
        ("7 White+1 colored", (("white", 7), ("coloured", 1))),
        ("5", (("white", 5),)),
        ("2 coloured + 3 coloured", (("coloured", 5),)),
        ("0 white + 2 coloured", (("coloured", 2),)),
        ("6 fingerprint", (("fingerprint", 6),)),
        ("5 Teatime", (("teatime", 5),)),
    ],
)
def test_dice_are_said_in_words(text: str, kinds: tuple[tuple[str, int], ...]) -> None:
    said = parse_dice(text)
    assert (said.kinds, said.partial) == (kinds, False)
    assert set(said.faces) == {face for kind, _ in kinds for face in KINDS[kind]}


@pytest.mark.parametrize("text", ["", "white", "7 green", "-1 white", "7 white + ", "1.5", "0 white"])
def test_other_words_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"7 white \+ 1 coloured|no dice"):
        parse_dice(text)


def test_a_photograph_without_weights_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The page and the command line show what a ValueError says."""
    monkeypatch.setitem(run.__kwdefaults__, "weights", tmp_path)
    data = cv2.imencode(".png", rolled("3"))[1].tobytes()
    with pytest.raises(ValueError, match=r"finder\.onnx is missing or damaged.*by hand"):
        read_photo(data)
