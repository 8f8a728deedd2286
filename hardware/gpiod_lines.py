"""The Raspberry Pi's lines through libgpiod: the only module that imports gpiod, and only when used."""

import errno
import logging
import os
import queue
import select
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.rules.events import Notice
from hardware.chips import busy, chosen, explain, missing, no_such_line
from hardware.edgeflow import Flow, Told
from hardware.edges import Edge, Line, LineFault, named_twice

log = logging.getLogger(__name__)

BUFFER = 1024
"""Events that the kernel keeps for each line: the most it allows, 512 cubes at one beam."""

_EVENT = struct.Struct("=QIIII24x")
"""The kernel's ``gpio_v2_line_event``: nanoseconds, kind, line, number of all, number on its line."""

_RISING = 1
CONSUMER = "table-companion"
_SOURCE = "tower edges"
_CALM_S = 10.0
_QUIET_MS, _IDLE_MS = 20, 1000
_DEV = Path("/dev")
_INSTALL = "pip install 'gpiod>=2.1', or set the backend to gpiozero."


class GpiodEdges:
    """An `EdgeSource` on a Pi's lines: both edges, stamped by the kernel, none lost unsaid.

    Each line has a request, and so a buffer, of its own: one that chatters at 10 kHz pushes out only
    its own edges. A thread empties the buffers, so that edges wait in memory while the table writes
    to a slow disk. ``say`` is told when the kernel had to drop edges.
    """

    def __init__(
        self, lines: Sequence[Line], *, say: Callable[[Notice], None] = lambda _: None, devices: Path = _DEV
    ) -> None:
        self._lines = tuple(lines)
        self._say = say
        self._devices = devices
        self._held: Mapping[str, Any] = {}
        self._edges: queue.SimpleQueue[Edge | LineFault] = queue.SimpleQueue()
        self._reader: threading.Thread | None = None
        self._wake = -1

    def start(self) -> None:
        self._edges = queue.SimpleQueue()
        self._held = take(self._lines, self._devices)
        began = time.monotonic()
        try:
            self._put_levels(began)
        except LineFault:
            self.close()
            raise
        self._wake = os.eventfd(0)
        self._reader = threading.Thread(target=self._read, args=(began,), name="gpiod", daemon=True)
        self._reader.start()

    def next(self, wait_s: float) -> Edge | None:
        try:
            edge = self._edges.get(timeout=wait_s)
        except queue.Empty:
            return None
        if isinstance(edge, LineFault):
            raise edge
        return edge

    def levels(self) -> Mapping[str, bool]:
        return _levels(self._held)

    def revive(self) -> None:
        """Do nothing: the kernel is asked directly, and what it holds is read."""

    def close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            os.eventfd_write(self._wake, 1)
            reader.join()
            os.close(self._wake)
        held, self._held = self._held, {}
        for request in held.values():
            request.release()

    def _read(self, began: float) -> None:
        """Empty the kernel's buffers until closed; what came before ``began`` is in the first levels."""
        names = {request.fd: name for name, request in self._held.items()}
        poll = select.poll()
        for file in (self._wake, *names):
            poll.register(file, select.POLLIN)
        flow, losses = Flow(), _Losses(self._say)
        wait_ms = _IDLE_MS
        try:
            while self._wake not in (ready := [file for file, _ in poll.poll(wait_ms)]):
                events = sorted(_events(names, ready), key=lambda event: event.at)
                edges = flow.take(event for event in events if event.at >= began)
                for edge in edges if ready else flow.settle():
                    self._edges.put(edge)
                if losses.see(flow.lost, time.monotonic()):
                    self._put_levels(time.monotonic())
                wait_ms = _QUIET_MS if ready else _IDLE_MS
        except LineFault as fault:
            self._edges.put(fault)

    def _put_levels(self, at: float) -> None:
        for name, level in self.levels().items():
            self._edges.put(Edge(name, level, at))


class _Losses:
    """Says that edges were lost, and when it is over."""

    def __init__(self, say: Callable[[Notice], None]) -> None:
        self._say = say
        self._lost = 0
        self._last: float | None = None

    def see(self, lost: int, now: float) -> bool:
        """Take in how many were lost so far; return whether that is more than before."""
        more = lost > self._lost
        if more:
            log.warning("the kernel dropped %d edges", lost - self._lost)
            if self._last is None:
                self._say(_LOST)
            self._lost, self._last = lost, now
        elif self._last is not None and now - self._last > _CALM_S:
            self._last = None
            self._say(Notice(source=_SOURCE, state="followed", text="Every edge is followed.", level="ok"))
        return more


_LOST = Notice(
    source=_SOURCE,
    state="edges lost",
    text="The tower's lines changed faster than they can be followed: a cube may be missing.",
    remedy="Look for a loose wire or a sound module that is set too fine; count along meanwhile.",
)


def absence() -> LineFault | None:
    """Return why gpiod cannot be used here, or None if it can."""
    try:
        _gpiod()
    except LineFault as fault:
        return fault
    return None


def holders(lines: Iterable[Line], devices: Path = _DEV) -> Mapping[str, str]:
    """Return those of the lines that are held, with the word that the holder gave the kernel.

    Raises LineFault.
    """
    try:
        with _gpiod().Chip(str(_header(devices))) as chip:
            infos = {line.name: chip.get_line_info(line.bcm) for line in lines}
    except OSError as error:
        raise explain(error) from error
    return {name: info.consumer or "the kernel" for name, info in infos.items() if info.used}


def glance(lines: Sequence[Line], devices: Path = _DEV) -> Mapping[str, bool]:
    """Take the lines, read their levels and let go of them. Raises LineFault."""
    held = take(lines, devices)
    try:
        return _levels(held)
    finally:
        for request in held.values():
            request.release()


def take(lines: Sequence[Line], devices: Path = _DEV) -> Mapping[str, Any]:
    """Ask the kernel for these lines, both edges of each; a request for each name. Raises LineFault."""
    if fault := named_twice(lines) or no_such_line(lines):
        raise fault
    gpiod = _gpiod()
    kinds = gpiod.line
    held: dict[str, Any] = {}
    try:
        path = str(_header(devices))
        for line in lines:
            settings = gpiod.LineSettings(
                direction=kinds.Direction.INPUT,
                edge_detection=kinds.Edge.BOTH,
                bias=kinds.Bias.PULL_UP if line.pull_up else kinds.Bias.PULL_DOWN,
                event_clock=kinds.Clock.MONOTONIC,
            )
            held[line.name] = gpiod.request_lines(path, {line.bcm: settings}, CONSUMER, BUFFER)
    except (OSError, LineFault) as error:
        for request in held.values():
            request.release()
        if isinstance(error, LineFault):
            raise
        others = holders(lines, devices) if error.errno == errno.EBUSY else {}
        raise (busy(lines, others) if others else explain(error)) from error
    return held


def _header(devices: Path) -> Path:
    """Find the chip with the header's lines. Raises LineFault, and OSError if none may be opened."""
    gpiod = _gpiod()
    labels: dict[Path, str] = {}
    refused: OSError | None = None
    for path in sorted(devices.glob("gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as chip:
                labels[path] = chip.get_info().label
        except OSError as error:
            refused = error
    path_of_header = chosen(labels)
    if path_of_header is None:
        raise refused or missing(labels)
    return path_of_header


def _levels(held: Mapping[str, Any]) -> Mapping[str, bool]:
    try:
        return {name: bool(request.get_values()[0].value) for name, request in held.items()}
    except OSError as error:
        raise explain(error) from error


def _events(names: Mapping[int, str], ready: Iterable[int]) -> Iterator[Told]:
    """Read what the kernel holds for these files; much faster than through gpiod, event by event."""
    for file in ready:
        try:
            data = os.read(file, _EVENT.size * BUFFER)
        except OSError as error:
            raise explain(error) from error
        for at_ns, kind, _, _, number in _EVENT.iter_unpack(data):
            yield Told(names[file], kind == _RISING, at_ns / 1e9, number)


def _gpiod() -> Any:
    try:
        import gpiod  # noqa: PLC0415 - present where there are lines only
    except ImportError as error:
        raise LineFault(f"gpiod is not installed. ({error})", _INSTALL) from error
    if not hasattr(gpiod, "request_lines"):
        raise LineFault("gpiod is too old: 2.1 or newer is needed.", _INSTALL)
    return gpiod
