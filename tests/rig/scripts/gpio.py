"""Runs inside the rig: kernel lines read by `hardware.gpio`, toggled through gpio-sim. Prints JSON."""

import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from hardware.edges import Line, LineFault
from hardware.gpio import GpioEdges
from hardware.profile import for_lines
from hardware.watch import TowerWatch

SIM = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
ENTRY, ROOF = Line("entry", 17), Line("roof", 27)


def pull(bcm, high):
    """Drive a line from outside; return when (monotonic seconds), before and after."""
    before = time.monotonic()
    (SIM / f"sim_gpio{bcm}/pull").write_text("pull-up" if high else "pull-down")
    return before, time.monotonic()


def until(at):
    pause = at - time.monotonic()
    if pause > 0:
        threading.Event().wait(pause)


def pulse(bcm, width_s):
    begun = pull(bcm, high=False)
    until(begun[0] + width_s)
    return begun, pull(bcm, high=True)


def drained(source, wait_s=0.3):
    return list(iter(lambda: source.next(wait_s), None))


def edges():
    """Both edges of short pulses, and how near the kernel's stamps are to the truth."""
    source = GpioEdges([ENTRY, ROOF])
    folder = Path.cwd()
    there = set(folder.iterdir())
    source.start()
    first = drained(source)
    toggles = []
    for width_ms in (20, 5, 1):
        for _ in range(20):
            toggles.extend(pulse(17, width_ms / 1000))
            until(time.monotonic() + 0.005)
    got = drained(source)
    late_s = [edge.at - before for edge, (before, _) in zip(got, toggles, strict=False)]
    report = {
        "first": [[e.line, e.level] for e in first],
        "edges": len(got),
        "toggles": len(toggles),
        "alternate": [e.level for e in got] == [n % 2 == 1 for n in range(len(got))],
        "late_ms_median": statistics.median(late_s) * 1000,
        "late_ms_most": max(late_s) * 1000,
        "levels": dict(source.levels()),
        "same_folder": Path.cwd() == folder,
        "new_files": sorted(p.name for p in set(folder.iterdir()) - there),
    }
    source.close()
    return report


def starts():
    """Eight process starts: how many of two edges does each hear?"""
    return {"heard": [int(subprocess.check_output([sys.executable, __file__, "start"])) for _ in range(8)]}


def start():
    """One process start: lgpio's thread is made when it is imported, once in a process."""
    source = GpioEdges([ENTRY])
    source.start()
    drained(source, 0.01)
    pulse(17, 0.005)
    heard = [source.next(1.0) for _ in range(2)]
    source.close()
    return sum(edge is not None for edge in heard)


def cubes():
    """The whole loop: cubes, then something that stays in the beam."""
    heard, stop = queue.SimpleQueue(), threading.Event()
    watch = TowerWatch(
        for_lines(["entry"]), heard.put, clock=float, lines=GpioEdges([ENTRY, ROOF]), session="rig"
    )
    threads = [threading.Thread(target=loop, args=(stop,)) for loop in watch.loops.values()]
    for thread in threads:
        thread.start()
    said = [heard.get(timeout=10)]
    for _ in range(5):
        pulse(17, 0.018)
        until(time.monotonic() + 0.08)
    pulse(27, 0.018)
    said += until_state(heard, "quiet")
    pulse(17, 1.5)
    said += until_state(heard, "blocked") + until_state(heard, "quiet")
    began = time.monotonic()
    stop.set()
    for thread in threads:
        thread.join(5)
    return {
        "said": [getattr(s, "state", "") or s.id for s in said],
        "closed_s": time.monotonic() - began,
        "alive": any(thread.is_alive() for thread in threads),
    }


def until_state(heard, state):
    """What is told before that state, and it."""
    told = []
    while not told or getattr(told[-1], "state", "") != state:
        told.append(heard.get(timeout=10))
    return told


def faults():
    """Held by another program, and no chip at all."""
    holder = subprocess.Popen(
        [sys.executable, __file__, "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
    )
    holder.stdout.readline()
    said = [_fault()]
    holder.communicate()
    source = GpioEdges([ENTRY])
    source.start()  # free again
    source.close()
    Path("/dev/gpiochip0").unlink()
    said.append(_fault())
    return {"said": said}


def _fault():
    try:
        GpioEdges([ENTRY]).start()
    except LineFault as fault:
        return [fault.text, fault.remedy]
    return None


def hold():
    source = GpioEdges([ENTRY])
    source.start()
    print("held", flush=True)
    sys.stdin.read()
    source.close()


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
