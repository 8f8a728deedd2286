"""``companion calibrate tower``: the same steps as on the page, on the tower's lines or on recordings.

numpy takes a while to import, so each command imports what it needs.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.tower_sources import Sources

if TYPE_CHECKING:
    from calibration.tower_bench import TowerBench

_STEP_S = 0.2
_TRACE_S = 0.5


OpenTower = Callable[[argparse.Namespace], Sources]
"""Opens the tower of the settings; raises ValueError with a sentence. Starts nothing."""


def add_tower(parts: Any, add_data: Callable[[argparse.ArgumentParser], None], opened: OpenTower) -> None:
    """Add the command's parts to ``parts`` (what ``add_subparsers`` gave), each with its ``act``."""
    about = "name the tower's lines, measure it, drop cubes, set its sound, look at its lines"
    tower = parts.add_parser("tower", help=about, description=about)
    steps = tower.add_subparsers(required=True, metavar="STEP")

    def step(name: str, about: str, act: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        part: argparse.ArgumentParser = steps.add_parser(name, help=about, description=about)
        part.add_argument("--json", action="store_true", help="JSON lines")
        add_data(part)
        part.set_defaults(act=act, opened=opened, say=None)
        return part

    step("naming", "break each beam when it is asked for", naming)
    width = step("geometry", "say whether the beams see every cube", geometry)
    for name, what in (
        ("cube", "side of a cube"),
        ("hole", "side of the holes"),
        ("pitch", "height of a floor"),
    ):
        width.add_argument(f"--{name}", type=float, metavar="MM", help=f"{what} in millimetres")
    cubes = step("labelled", "drop cubes and say where each lies", labelled)
    cubes.add_argument("--edges", type=Path, metavar="FILE", help="recorded edges instead of the lines")
    cubes.add_argument("--sound", type=Path, metavar="FILE", help="the recorded sound beside them, a WAV")
    cubes.add_argument(
        "--floors", metavar="5,4,?,0", help="with --edges: where each counted cube lay; ? for not known"
    )
    sound = step("speech", "talk for 20 seconds, then be quiet for 10", speech)
    watch = step("trace", "every line and the sound level, live", trace)
    watch.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for so long (%(default)g)")
    for part in (width, cubes, sound):
        part.add_argument("--save", action="store_true", help="keep it in the data folder (tower.json)")


def naming(given: argparse.Namespace) -> int:
    """Ask for one line after another; 1 if one of them needs a look."""
    with _watched(given) as bench:
        state = bench.name("begin")
        asked = ""
        while not state["naming"]["over"]:
            if state["naming"]["prompt"] != asked:
                asked = state["naming"]["prompt"]
                _say(given, f"{asked} (Does nothing happen? Ctrl+C goes on.)")
            try:
                time.sleep(_STEP_S)
                state = bench.state()
            except KeyboardInterrupt:
                state = bench.name("skip")
    told = state["naming"]
    lines = [f"  {one['health']:8} {one['line']:9} {one['text']}" for one in told["lines"]]
    _print(given, told, [*lines, told["prompt"], *told["advice"]])
    return 0 if all(one["health"] == "ok" for one in told["lines"]) else 1


def geometry(given: argparse.Namespace) -> int:
    """Say what the measures mean; 1 if cubes go unseen."""
    bench = _bench(given)
    known = bench.profile
    told = bench.measure(
        known.cube_mm if given.cube is None else given.cube,
        known.hole_mm if given.hole is None else given.hole,
        known.pitch_mm if given.pitch is None else given.pitch,
        save=given.save,
    )
    rows = [
        f"  {one['line']:7} {one['entry_ms']:4} ms after the roof, broken for {one['broken_ms']} ms, "
        + (f"missed {one['missed']} %" if one["beams"] else "no beam")
        for one in told["plates"]
    ]
    _print(given, told, [told["text"], *([told["remedy"]] if told["remedy"] else []), *rows])
    return 0 if told["safe"] else 1


def labelled(given: argparse.Namespace) -> int:
    """Learn from cubes of which is known where they lay."""
    if given.edges:
        return _recorded(given)
    if given.sound or given.floors:
        raise ValueError("--sound and --floors belong to recorded edges: name them with --edges FILE.")
    with _watched(given) as bench:
        state = bench.label("begin")
        _say(given, f"{state['labels']['text']} An empty line ends it, ? leaves a cube out.")
        while True:
            state = _next_cube(bench, given)
            waiting = state["labels"]["waiting"]
            if not waiting:
                break
            answer = input(f"Cube {waiting[0]['number']}: on which floor does it lie? ").strip()
            if not answer:
                break
            try:
                number = waiting[0]["number"]
                state = (
                    bench.label("forget", number)
                    if answer == "?"
                    else bench.label("lay", number, int(answer))
                )
            except ValueError as fault:
                _say(given, f"{fault}")
                continue
            _say(given, state["labels"]["text"])
        told = bench.state()["labels"]
        if given.save:
            bench.label("finish")
    _print(given, told, _told_labels(told))
    return 0


def speech(given: argparse.Namespace) -> int:
    """Listen to talk, then to quiet."""
    with _watched(given) as bench:
        state, said = bench.speech("begin"), ""
        while not state["speech"]["ready"]:
            if state["speech"]["text"] != said:
                said = state["speech"]["text"]
                _say(given, said)
            time.sleep(_STEP_S)
            state = bench.state()
        told = state["speech"]
        if given.save:
            bench.speech("finish")
    _print(given, told, [told["text"]])
    return 0 if told["good"] else 1


def trace(given: argparse.Namespace) -> int:
    """Print a row each half second: every line, and the level of the sound."""
    with _watched(given) as bench:
        ends = time.monotonic() + given.seconds
        while time.monotonic() < ends:
            time.sleep(_TRACE_S)
            told = bench.trace()
            parts = [f"{one['line']} {_MARKS[one['now']]}{_times(one)}" for one in told["lines"]]
            if told["sound"]:
                parts.append(f"sound {told['sound'][-1][1]:.0f} dB")
            _print(given, told, ["   ".join(parts)])
    return 0


_MARKS = {"clear": "-", "broken": "#", "unknown": "?"}


def _times(line: Mapping[str, Any]) -> str:
    recent = sum(until <= _TRACE_S for _, until in line["breaks"])
    return f" broken {recent}x" if recent else ""


def _bench(given: argparse.Namespace) -> "TowerBench":
    from calibration.tower_bench import TowerBench  # noqa: PLC0415 - see above

    return TowerBench(given.opened(given).numbers, given.data)


@contextmanager
def _watched(given: argparse.Namespace) -> "Iterator[TowerBench]":
    """Watch the tower's lines and its sound meanwhile. Raises ValueError if there is neither."""
    from calibration.tower_console import watched  # noqa: PLC0415 - see above

    with watched(given.opened(given), given.data, lambda text: _say(given, text)) as bench:
        yield bench


def _next_cube(bench: "TowerBench", given: argparse.Namespace) -> dict[str, Any]:
    """Wait for a cube that was not looked for yet; Ctrl+C ends the waiting."""
    state = bench.state()
    if not state["labels"]["waiting"]:
        _say(given, "Drop a cube. Ctrl+C when you have dropped the last.")
    try:
        while not state["labels"]["waiting"]:
            time.sleep(_STEP_S)
            state = bench.state()
    except KeyboardInterrupt:
        pass
    return state


def _recorded(given: argparse.Namespace) -> int:
    from calibration.tower_bench import TOWER_FILE, before, today  # noqa: PLC0415 - see above
    from calibration.tower_console import from_recording  # noqa: PLC0415
    from calibration.tower_labels import told as told_labels  # noqa: PLC0415
    from hardware.edgefile import EdgeFile  # noqa: PLC0415

    profile, trouble = before(given.data, EdgeFile(given.edges).lines())
    if trouble:
        _say(given, trouble)
    floors = [_floor(word) for word in (given.floors or "").split(",") if word.strip()]
    labels = from_recording(profile, given.edges, given.sound, floors)
    told = told_labels(labels)
    fitted = labels.fitted(today())
    if given.save:
        given.data.mkdir(parents=True, exist_ok=True)
        fitted.save(given.data / TOWER_FILE)
        told["saved"] = str(given.data / TOWER_FILE)
    _print(given, {**told, "evidence": fitted.evidence}, _told_labels(told))
    return 0


def _floor(word: str) -> int | None:
    try:
        return None if word.strip() == "?" else int(word)
    except ValueError:
        raise ValueError(
            f"--floors: {word.strip()!r} is no floor; write 0 to 7, or ? for not known."
        ) from None


def _told_labels(told: Mapping[str, Any]) -> list[str]:
    heap = ", ".join(f"floor {one['floor']}: {one['cubes']}" for one in told["floors"])
    saved = [f"Saved as {told['saved']}."] if told.get("saved") else []
    return [told["text"], heap, *(f"{one['line']}: {one['text']}" for one in told["beams"]), *saved]


def _say(given: argparse.Namespace, text: str) -> None:
    if not given.json:
        (given.say or _printed)(text)


def _printed(text: str) -> None:
    print(text, flush=True)


def _print(given: argparse.Namespace, told: Mapping[str, Any], lines: Sequence[str]) -> None:
    text = json.dumps(told, ensure_ascii=False) if given.json else "\n".join(lines)
    (given.say or _printed)(text)
