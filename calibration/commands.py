"""``companion calibrate``: tray, lamp, dice, markers and the tower, on a camera, its lines or recordings.

OpenCV takes a while to import, so each command imports what it needs.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.tower_commands import OpenTower, add_tower

if TYPE_CHECKING:
    from calibration.teaching import Lesson
    from vision.frames import Floats, Frame

_FLICKER_FRAMES = 5
_WAIT_S = 8.0
"""A camera that is being opened gives its first picture after up to six seconds (a cold Pi 3)."""

CAMERA = "auto, picamera2, v4l2:N or a folder of pictures; without photographs: auto"


def add_calibrate(
    commands: Any, add_data: Callable[[argparse.ArgumentParser], None], opened: OpenTower
) -> None:
    """Add the command and its parts to ``commands`` (what ``add_subparsers`` gave).

    ``opened`` opens the tower that the settings name.
    Each part's ``act`` takes the parsed arguments and returns the exit status: 0 well, 1 something
    is to be mended. It raises ValueError or OSError with a sentence.
    """
    calibrate = commands.add_parser(
        "calibrate", help="find the tray, check the lamp, teach dice and the tower, print markers"
    )
    parts = calibrate.add_subparsers(required=True, metavar="WHAT")
    tray = _part(parts, "tray", "find the tray's corners", calibrate_tray, add_data)
    tray.add_argument("photo", nargs="?", type=Path, metavar="PHOTO")
    tray.add_argument("--width-mm", type=float, metavar="MM", help="length of the tray's upper side")
    tray.add_argument("--save", action="store_true", help="keep them in the data folder (tray.json)")
    lamp = _part(parts, "lamp", "check light, lens and distance", calibrate_lamp, add_data)
    lamp.add_argument("photos", nargs="*", type=Path, metavar="PHOTO")
    dice = _part(parts, "dice", "teach a kind of dice, face by face", calibrate_dice, add_data)
    dice.add_argument("kind", help="such as fingerprint, or a name of your own")
    dice.add_argument(
        "--shown",
        nargs="+",
        default=[],
        metavar="FACE=PHOTO",
        help="photographs, in each of which all dice show the face; without any a camera looks",
    )
    dice.add_argument("--faces", help="faces with commas between, for a kind of your own")
    dice.add_argument("--lamp", default="day", help="day, evening or a name (%(default)s)")
    dice.add_argument("--save", action="store_true", help="keep what was learned (dice.npz)")
    markers = parts.add_parser("markers", help="write the page of markers to print")
    markers.add_argument("--out", type=Path, required=True, metavar="FILE", help="ends in .svg or .png")
    markers.set_defaults(act=calibrate_markers)
    add_tower(parts, add_data, opened)


def calibrate_tray(given: argparse.Namespace) -> int:
    """Find the corners in one picture."""
    from calibration.corners import find_tray  # noqa: PLC0415 - see above
    from calibration.told import told_tray  # noqa: PLC0415
    from calibration.workbench import TRAY_FILE  # noqa: PLC0415

    (frame,) = [_photo(given.photo)] if given.photo else _frames(given.camera, 1)
    found = find_tray(frame.image, width_mm=given.width_mm)
    told = told_tray(found)
    if given.save and found.profile is not None:
        given.data.mkdir(parents=True, exist_ok=True)
        found.profile.save(given.data / TRAY_FILE)
        told["saved"] = str(given.data / TRAY_FILE)
    lines = [f"{found.text} {found.remedy}".strip()]
    if found.profile is not None:
        lines.append("corners: " + "  ".join(f"{x:.3f},{y:.3f}" for x, y in found.profile.corners))
        if found.profile.px_per_mm:
            lines.append(f"A millimetre is {found.profile.px_per_mm:.2f} pixels.")
        if given.save:
            lines.append(f"Saved as {told['saved']}; a companion that runs takes it at its next start.")
    _print(given, told, lines)
    return 0 if found.profile is not None else 1


def calibrate_lamp(given: argparse.Namespace) -> int:
    """Check the pictures: photographs one by one, a camera's frames together."""
    from calibration.lamp import check_lamp  # noqa: PLC0415
    from calibration.told import told_lamp  # noqa: PLC0415
    from vision.tray import rectify  # noqa: PLC0415

    if given.photos:
        sets = [(str(photo), [_photo(photo)]) for photo in given.photos]
    else:
        profile = _profile(given.data)
        sets = [(given.camera, [rectify(f, profile) for f in _frames(given.camera, _FLICKER_FRAMES)])]
    bad = False
    for name, frames in sets:
        told = told_lamp(check_lamp([frame.image for frame in frames], _outlines(frames[-1])))
        bad |= any(finding["health"] == "problem" for finding in told)
        lines = [f"{name}:"] if len(sets) > 1 else []
        for f in told:
            arrow = f"  -> {f['remedy']}" if f["remedy"] else ""
            lines.append(f"  {f['health']:8} {f['name']:11} {f['text']}{arrow}")
        _print(given, {"picture": name, "findings": told}, lines)
    return 1 if bad else 0


def calibrate_dice(given: argparse.Namespace) -> int:
    """Teach a kind from photographs, or face by face before a camera."""
    from calibration.teaching import Lesson  # noqa: PLC0415
    from calibration.told import told_lesson  # noqa: PLC0415
    from calibration.workbench import taught_before  # noqa: PLC0415
    from vision.dice import embed  # noqa: PLC0415
    from vision.naming import KINDS  # noqa: PLC0415
    from vision.taught import FILE  # noqa: PLC0415

    pairs = [_face_and_photo(text) for text in given.shown]
    named = (
        [face.strip() for face in given.faces.split(",")]
        if given.faces
        else list(KINDS.get(given.kind, ()))
    )
    faces = named or list(dict.fromkeys(face for face, _ in pairs))
    if not faces:
        raise ValueError(f"Which faces have {given.kind} dice? Name them: --faces sun,moon,star")
    base, trouble = taught_before(given.data)
    if trouble and not given.json:
        print(trouble)
    lesson = Lesson.begin(given.kind, faces, lamp=given.lamp, base=base)
    if pairs:
        for face, photo in pairs:
            lesson = lesson.asking(face)
            frame = _photo(photo)
            try:
                lesson, noted = lesson.show(frame, _outlines(frame, lesson.awaited), embed)
            except ValueError as fault:
                raise ValueError(f"{photo}: {fault}") from fault
            if not given.json:
                print(f"{photo}: {noted}")
    else:
        lesson = _before_camera(lesson, given)
    lesson = lesson.asking("")
    told = told_lesson(lesson, len(lesson.examples))
    if given.save:
        given.data.mkdir(parents=True, exist_ok=True)
        lesson.gallery().save(given.data / FILE)
        told["saved"] = str(given.data / FILE)
    _print(given, told, _told_table(told["table"], lesson.faces))
    return 0


def calibrate_markers(given: argparse.Namespace) -> int:
    """Write the page of markers."""
    from calibration.markers import png, svg  # noqa: PLC0415

    suffix = given.out.suffix.lower()
    if suffix not in {".svg", ".png"}:
        raise ValueError(f"{given.out} must end in .svg or .png.")
    given.out.write_bytes(svg().encode() if suffix == ".svg" else png())
    print(f"{given.out}: print it at 100 %, cut the four cards out, put one into each corner of the tray.")
    return 0


def _part(
    parts: Any,
    name: str,
    about: str,
    act: Callable[[argparse.Namespace], int],
    add_data: Callable[[argparse.ArgumentParser], None],
) -> argparse.ArgumentParser:
    part: argparse.ArgumentParser = parts.add_parser(name, help=about, description=about)
    part.add_argument("--camera", default="auto", help=CAMERA)
    part.add_argument("--json", action="store_true", help="one JSON line")
    add_data(part)
    part.set_defaults(act=act)
    return part


def _print(given: argparse.Namespace, told: Mapping[str, Any], lines: Sequence[str]) -> None:
    print(json.dumps(told, ensure_ascii=False) if given.json else "\n".join(lines))


def _photo(path: Path) -> "Frame":
    from vision.stills import decode_photo  # noqa: PLC0415

    return decode_photo(path.read_bytes(), name=str(path), at=0.0)


def _frames(spec: str, number: int) -> list["Frame"]:
    """Take so many frames from a camera. Raises ValueError with what the camera said of itself."""
    from vision.sources import open_camera  # noqa: PLC0415

    said: list[str] = []
    camera = open_camera(spec, lambda notice: said.append(f"{notice.text} {notice.remedy}".strip()))
    if camera is None:
        raise ValueError("--camera none gives no picture. Name a camera or a photograph.")
    frames: list[Frame] = []
    camera.start()
    try:
        while len(frames) < number:
            frame = camera.latest(frames[-1].at if frames else float("-inf"), _WAIT_S)
            if frame is None:
                break
            frames.append(frame)
    finally:
        camera.close()
    if not frames:
        raise ValueError(said[-1] if said else f"The camera {spec} gave no picture.")
    return frames


def _before_camera(lesson: "Lesson", given: argparse.Namespace) -> "Lesson":
    from vision.dice import embed  # noqa: PLC0415
    from vision.tray import rectify  # noqa: PLC0415

    profile = _profile(given.data)
    while lesson.face:
        answer = input(f"{lesson.prompt} Then press Enter (s and Enter leaves the face out). ")
        if answer.strip().lower() == "s":
            lesson = lesson.skip()
            continue
        frame = rectify(_frames(given.camera, 2)[-1], profile)
        try:
            lesson, noted = lesson.show(frame, _outlines(frame, lesson.awaited), embed)
        except ValueError as fault:
            noted = str(fault)
        print(noted)
    return lesson


def _outlines(frame: "Frame", awaited: tuple[str, int] | None = None) -> list["Floats"]:
    from calibration.lying import find_shown  # noqa: PLC0415
    from vision.dice import read  # noqa: PLC0415

    return find_shown(frame, awaited, read)


def _profile(data: Path) -> Any:
    from calibration.workbench import TRAY_FILE  # noqa: PLC0415
    from vision.tray import TrayProfile  # noqa: PLC0415

    return TrayProfile.load(data / TRAY_FILE) if (data / TRAY_FILE).exists() else TrayProfile()


def _face_and_photo(text: str) -> tuple[str, Path]:
    face, equals, photo = text.partition("=")
    if not (face and equals and photo):
        raise ValueError(f"{text!r} is not FACE=PHOTO, such as green=green.jpg.")
    return face, Path(photo)


def _told_table(table: Mapping[str, Any], faces: Sequence[str]) -> list[str]:
    """Lay the confusion table out for a terminal."""
    wide = max(7, *(len(name) + 1 for name in table["columns"])) if table["columns"] else 7
    lines = []
    if table["total"]:
        lines.append(f"{table['right']} of {table['total']} would have been read right.")
        lines.append(
            "".join(f"{name:>{wide}}" for name in ("", *(c or "nothing" for c in table["columns"])))
        )
        for face, row in zip(faces, table["rows"], strict=True):
            lines.append("".join(f"{cell:>{wide}}" for cell in (face, *(n or "." for n in row))))
    return [*lines, *(pair["text"] for pair in table["pairs"]), *table["notes"]]
