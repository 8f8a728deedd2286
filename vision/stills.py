"""A photograph from any phone, as bytes, to a `Frame`; what cannot be read is said in a sentence."""

import struct

import cv2
import numpy as np

from vision.frames import Frame

LONGEST_PX = 2048
"""Longest side kept of a photograph: more tells the readers nothing and costs a Pi its memory."""

MOST_PX = 120_000_000
"""More pixels than any phone makes; beyond it a file is refused before anything is decoded."""

_PLAIN_MOST_PX = 30_000_000
"""A format that can only be decoded whole must stay below this (90 MB of memory)."""

_HEIC = (
    "{name} is a HEIC picture, which cannot be read here. On the iPhone choose Settings > Camera > "
    "Formats > Most Compatible, or pick the photograph through the page, which converts it."
)


class PhotoError(ValueError):
    """A file is not a photograph that can be read; the text names it and what helps."""


def decode_photo(data: bytes, *, name: str, at: float) -> Frame:
    """Decode JPEG, PNG or WebP, turned upright as its EXIF says, longest side at most about LONGEST_PX.

    Raises PhotoError naming ``name`` for anything else, before decoding if it is too large.
    """
    width, height, kind = _header(data, name)
    if width * height > MOST_PX:
        raise PhotoError(
            f"{name} has {width} x {height} pixels, too many to read. Send it at a smaller size."
        )
    if kind != "JPEG" and width * height > _PLAIN_MOST_PX:
        raise PhotoError(
            f"{name} is a {kind} of {width} x {height} pixels, too large to read. "
            "Send it as a JPEG or at a smaller size."
        )
    image = cv2.imdecode(np.frombuffer(data, np.uint8), _mode(max(width, height), kind))
    if image is None or image.size == 0:
        raise PhotoError(f"{name} is damaged: its pixels cannot be decoded. Take or send it again.")
    scale = LONGEST_PX / max(image.shape[:2])
    if scale < 1:
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return Frame(image.astype(np.uint8, copy=False), at, name)


def upright_size(data: bytes, *, name: str) -> tuple[int, int]:
    """Return (width, height) of a photograph in its own pixels, once turned as its EXIF says."""
    width, height, kind = _header(data, name)
    return (height, width) if kind == "JPEG" and _orientation(data) >= 5 else (width, height)


def _mode(longest_px: int, kind: str) -> int:
    """Return the mode that keeps at least LONGEST_PX; JPEGs are reduced while decoding."""
    if kind != "JPEG":
        return cv2.IMREAD_COLOR
    for factor, mode in (
        (8, cv2.IMREAD_REDUCED_COLOR_8),
        (4, cv2.IMREAD_REDUCED_COLOR_4),
        (2, cv2.IMREAD_REDUCED_COLOR_2),
    ):
        if longest_px >= factor * LONGEST_PX:
            return mode
    return cv2.IMREAD_COLOR


def _header(data: bytes, name: str) -> tuple[int, int, str]:
    """Return width, height and format from the first bytes. Raises PhotoError."""
    if not data:
        raise PhotoError(f"{name} is empty. Take the photograph again, or wait until it has been copied.")
    size = None
    kind = _kind(data)
    match kind:
        case "JPEG":
            size = _jpeg_size(data)
        case "PNG":
            size = struct.unpack(">II", data[16:24]) if len(data) >= 24 else None
        case "WebP":
            size = _webp_size(data)
        case "HEIC":
            raise PhotoError(_HEIC.format(name=name))
        case "video":
            raise PhotoError(f"{name} is a video. Send a photograph, or play it with --camera {name}.")
        case _:
            raise PhotoError(f"{name} is no JPEG, PNG or WebP picture. Save or send it as one of these.")
    if size is None or 0 in size:
        raise PhotoError(f"{name} is a damaged {kind}: it breaks off early. Take or send it again.")
    return size[0], size[1], kind


_HEIF_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif"})


def _kind(data: bytes) -> str:
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data[:4] == b"RIFF":
        return "WebP" if data[8:12] == b"WEBP" else "video"
    if data[4:8] == b"ftyp":
        return "HEIC" if data[8:12] in _HEIF_BRANDS else "video"
    if data.startswith((b"\x1a\x45\xdf\xa3", b"\x00\x00\x01\xba", b"OggS")):
        return "video"
    return ""


_NO_SIZE = frozenset({0xC4, 0xC8, 0xCC})  # tables and reserved, between the frame headers C0..CF
_BARE = frozenset({0x01, *range(0xD0, 0xDA)})  # markers without a length


def _segments(data: bytes) -> list[tuple[int, int, int]]:
    """Return (marker, start, end) of a JPEG's segments up to and with its frame header."""
    found = []
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in _BARE:
            at += 1 if marker == 0xFF else 2
            continue
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        found.append((marker, at + 4, end))
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE:
            break
        at = end
    return found


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    for marker, start, _ in _segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE and start + 5 <= len(data):
            height, width = struct.unpack(">HH", data[start + 1 : start + 5])
            return width, height
    return None


def _orientation(data: bytes) -> int:
    """Return the EXIF orientation 1..8 of a JPEG; 1 if it has none."""
    for marker, start, end in _segments(data):
        if marker != 0xE1 or data[start : start + 6] != b"Exif\0\0":
            continue
        tiff = data[start + 6 : end]
        order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
        if order is None or len(tiff) < 8:
            return 1
        (first,) = struct.unpack(order + "I", tiff[4:8])
        count = struct.unpack(order + "H", tiff[first : first + 2])[0] if first + 2 <= len(tiff) else 0
        for entry in range(first + 2, min(first + 2 + 12 * count, len(tiff) - 11), 12):
            tag, _, _, value = struct.unpack(order + "HHIH", tiff[entry : entry + 10])
            if tag == 0x0112:
                return value if 1 <= value <= 8 else 1
    return 1


def _webp_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30:
        return None
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
    return None
