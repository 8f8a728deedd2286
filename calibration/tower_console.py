"""Calibration of a tower without a table: its lines are watched here, or taken from a recording."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calibration.tower_bench import TowerBench
from calibration.tower_labels import Labels
from calibration.tower_listening import OverheardSound
from calibration.tower_sources import Sources
from hardware.edgefile import EdgeFile
from hardware.follow import Follower
from hardware.lineloop import LineLoop
from hardware.noticed import Kind
from hardware.profile import ENTRY_PLATE, TowerProfile, plate_of
from hardware.soundfile import SoundFile
from hardware.soundloop import SoundLoop

_SAME_S = 0.003


@contextmanager
def watched(sources: Sources, folder: Path, say: Callable[[str], None]) -> Iterator[TowerBench]:
    """Watch the lines and the sound meanwhile; ``say`` is told what becomes of them.

    Raises ValueError where there is nothing to watch.
    """
    lines, sound = sources.lines, sources.sound
    if lines is None and sound is None:
        raise ValueError("No line of a tower is set. Write them into companion.toml, [tower].")
    bench = TowerBench(
        sources.numbers,
        folder,
        microphone=sound is not None,
        levels=lines.levels if lines is not None else dict,
    )
    stop = threading.Event()

    def told(notice: Any) -> None:
        if notice.level == "problem":
            say(f"{notice.text} {notice.remedy}".strip())

    loops: list[Callable[[threading.Event], None]] = []
    if lines is not None:
        loops.append(LineLoop(lines, bench.listening.edge, told).run)
    if sound is not None:
        loops.append(SoundLoop(OverheardSound(sound, bench.listening), lambda _: None, told).run)
    threads = [threading.Thread(target=loop, args=(stop,), daemon=True) for loop in loops]
    for thread in threads:
        thread.start()
    try:
        yield bench
    finally:
        stop.set()
        for thread in threads:
            thread.join(timeout=2.0)


def from_recording(
    profile: TowerProfile, edges: Path, sound: Path | None, floors: Sequence[int | None]
) -> Labels:
    """Return what a recording teaches whose counted cubes lay on these floors, in order; None: not known.

    Raises ValueError if another number of cubes was counted.
    """
    recorded, heard = EdgeFile(edges), SoundFile(sound) if sound else None
    follower = Follower(profile, rate=heard.rate if heard else None)
    noticed = follower.run(recorded.edges(), heard.pieces() if heard else ())
    drops = [one for one in noticed if one.kind in (Kind.DROP, Kind.UNSURE)]
    if len(drops) != len(floors):
        raise ValueError(f"{len(drops)} cubes were counted in {edges}, and --floors says {len(floors)}.")
    began = [edge.at for edge in recorded.edges() if plate_of(edge.line) == ENTRY_PLATE and not edge.level]
    labels = Labels(profile)
    for drop, floor in zip(sorted(drops, key=lambda one: one.at), floors, strict=True):
        labels = labels.fell(drop, entered=any(abs(at - drop.at) < _SAME_S for at in began))
        number = labels.drops[-1].number
        labels = labels.forget(number) if floor is None else labels.lay(number, floor)
    return labels
