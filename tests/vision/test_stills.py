"""Photographs from phones: upright whatever the EXIF says, and a sentence for what is none."""

import struct
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.stills import LONGEST_PX, PhotoError, decode_photo, upright_size

# What a camera stores so that the picture is upright once turned as each orientation says.
STORED: dict[int, Callable[[np.ndarray], np.ndarray]] = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, 1),
    7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
    8: lambda a: np.rot90(a, -1),
}


def quarters(width: int = 96, height: int = 64) -> np.ndarray:
    """A picture whose four quarters differ."""
    image = np.zeros((height, width, 3), np.uint8)
    h, w = height // 2, width // 2
    image[:h, :w], image[:h, w:], image[h:, :w] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    return image


def jpeg(image: np.ndarray, orientation: int | None = None, order: str = "<") -> bytes:
    data = cv2.imencode(".jpg", np.ascontiguousarray(image))[1].tobytes()
    if orientation is None:
        return data
    mark = b"II" if order == "<" else b"MM"
    entry = struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = mark + struct.pack(order + "HI", 42, 8) + struct.pack(order + "H", 1) + entry + b"\0" * 4
    body = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def decode(data: bytes) -> np.ndarray:
    return decode_photo(data, name="roll.jpg", at=4.0).image


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_comes_out_upright(orientation: int, order: str) -> None:
    upright = quarters()
    data = jpeg(STORED[orientation](upright), orientation, order)
    assert upright_size(data, name="roll.jpg") == (96, 64)
    shown = decode(data)
    assert shown.shape == upright.shape
    assert np.abs(shown.astype(int) - upright).mean() < 12


def test_large_jpegs_are_reduced_and_still_upright() -> None:
    upright = quarters(2100, 4300)
    shown = decode(jpeg(STORED[6](upright), 6))
    assert max(shown.shape) <= LONGEST_PX
    small = cv2.resize(upright, shown.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(shown.astype(int) - small).mean() < 4


def test_fifty_megapixels_are_read_small() -> None:
    data = cv2.imencode(".jpg", np.full((6000, 8400), 90, np.uint8))[1].tobytes()
    assert max(decode(data).shape) <= LONGEST_PX


@pytest.mark.parametrize("suffix", [".png", ".webp"])
def test_other_formats_are_read(suffix: str) -> None:
    data = cv2.imencode(suffix, quarters())[1].tobytes()
    frame = decode_photo(data, name="roll", at=4.0)
    assert frame.image.shape == (64, 96, 3)
    assert (frame.at, frame.source) == (4.0, "roll")
    assert upright_size(data, name="roll") == (96, 64)


def resized(data: bytes, width: int, height: int) -> bytes:
    """The same file claiming another size in its frame header."""
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


PNG_HEAD = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"

BAD = {
    "empty": (b"", "empty"),
    "heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1", "Most Compatible"),
    "avif": (b"\0\0\0\x18ftypavif\0\0\0\0mif1", "cannot be read"),
    "mp4": (b"\0\0\0\x18ftypisom\0\0\2\0", "video"),
    "avi": (b"RIFF\0\0\0\0AVI LIST", "video"),
    "webm": (b"\x1a\x45\xdf\xa3" + b"\0" * 40, "video"),
    "text": (b"once upon a time", "no JPEG, PNG or WebP"),
    "cut header": (jpeg(quarters())[:30], "breaks off"),
    "cut png": (PNG_HEAD[:14], "breaks off"),
    "too many pixels": (resized(jpeg(quarters()), 20000, 20000), "20000 x 20000"),
    "large png": (PNG_HEAD + struct.pack(">II", 9000, 6000) + b"\0" * 40, "too large"),
    "damaged png": (PNG_HEAD + struct.pack(">II", 90, 60) + b"\0" * 40, "damaged"),
}


@pytest.mark.parametrize(("data", "words"), BAD.values(), ids=BAD.keys())
def test_what_is_no_photograph_is_said_by_name(data: bytes, words: str) -> None:
    with pytest.raises(PhotoError, match=words) as caught:
        decode_photo(data, name="IMG_7.x", at=0.0)
    assert "IMG_7.x" in str(caught.value)
    assert str(caught.value).endswith(".")


def test_no_garbage_raises_anything_else() -> None:
    rng = np.random.default_rng(3)
    good = jpeg(quarters(), 6)
    for _ in range(300):
        data = bytearray(good)
        for at in rng.integers(2, len(data), 6):
            data[at] = rng.integers(256)
        try:
            decode_photo(bytes(data[: rng.integers(1, len(data))]), name="x", at=0.0)
        except PhotoError as error:
            assert str(error)  # noqa: PT017 - either outcome is right, any other exception is not
