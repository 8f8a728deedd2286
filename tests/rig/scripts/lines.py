"""Runs inside the rig: how well gpiozero and gpiod read kernel lines. Prints one line of JSON.

lines.py read BACKEND      3 ms pulses: on one line, on four at once, with a busy thread, beside chatter
lines.py restarts BACKEND  the same, four times in one process
lines.py faults BACKEND    a held line, nobody's permission, no chip
lines.py watch BACKEND     the whole loop: cubes, a cut wire, chatter
"""

import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path

from hardware.edges import Line, LineFault
from hardware.gpio import GpioEdges
from hardware.gpiod_lines import GpiodEdges

HERE = Path(__file__).parent
LINES = {"entry": 17, "floor7": 5, "floor5": 6, "floor2": 13}
LOOSE = Line("floor0", 19)
TWO = (Line("entry", 17), Line("floor3", 5))
WIDTH_MS = 3
COUNT = 200
PERIOD_S = 0.03


def made(backend, lines, say=lambda _: None):
    return GpiodEdges(lines, say=say) if backend == "gpiod" else GpioEdges(lines)


def pulser(*words):
    command = [sys.executable, str(HERE / "pulses.py"), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def result(process):
    return json.loads(process.communicate(timeout=120)[0])


@contextmanager
def busy():
    """A Python thread that never rests, as a reader of dice at its worst."""
    stop = threading.Event()

    def work():
        while not stop.is_set():
            sum(n * n for n in range(2000))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


class Reader:
    """Takes edges from a source in a thread of its own, with the time when each was there."""

    def __init__(self, source):
        self.source, self.got, self.stop = source, [], threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.stop.is_set():
            edge = self.source.next(0.1)
            if edge is not None:
                self.got.append((edge, time.monotonic()))

    def __enter__(self):
        self.source.start()
        self.thread.start()
        time.sleep(0.3)
        self.got.clear()
        return self

    def until_quiet(self):
        """Wait until what was played has come, however slow the machine is."""
        there = -1
        while len(self.got) > there:
            there = len(self.got)
            time.sleep(1.0)

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
        self.source.close()


def judged(got, log, names):
    """Hold what was read against what was played."""
    seen, late, off, wide = 0, [], [], []
    for bcm, low, high in log:
        mine = [(e, at) for e, at in got if names[bcm] == e.line]
        falls = [(e, at) for e, at in mine if not e.level and -0.002 <= e.at - low < PERIOD_S / 2]
        rises = [(e, at) for e, at in mine if e.level and -0.002 <= e.at - high < PERIOD_S / 2]
        if falls and rises:
            seen += 1
            late.append(1000 * (falls[0][1] - low))
            off.append(1000 * (falls[0][0].at - low))
            wide.append(1000 * abs((rises[0][0].at - falls[0][0].at) - (high - low)))
    return {
        "played": len(log),
        "seen": seen,
        "late_ms": spread(late),
        "stamp_ms": spread(off),
        "width_ms": spread(wide),
    }


def spread(values):
    """Median, 95th and 99th percentile."""
    if len(values) < 2:
        return [None] * 3
    cuts = statistics.quantiles(values, n=100)
    return [round(statistics.median(values), 2), round(cuts[94], 2), round(cuts[98], 2)]


def read(backend):
    """Every case in a process of its own, as a companion is one."""
    report = {}
    for what in ("one", "four", "chatter"):
        for how in ("idle", "busy"):
            done = subprocess.run(
                [sys.executable, __file__, "case", backend, what, how],
                stdout=subprocess.PIPE,
                check=True,
                timeout=100,
            )
            report[f"{what}, {how}"] = json.loads(done.stdout)
    return report


def case(backend, what, how):
    lines = [Line(name, bcm) for name, bcm in LINES.items()]
    names = {bcm: name for name, bcm in LINES.items()}
    played = [f"{bcm}:0:{WIDTH_MS}" for bcm in LINES.values()]
    noise, told = None, []
    source = made(backend, [*lines, LOOSE], lambda notice: told.append(notice.state))
    with Reader(source) as reader, busy() if how == "busy" else nullcontext():
        playing = pulser(COUNT, PERIOD_S, *(played if what == "four" else played[:1]))
        if what == "chatter":
            noise = result(pulser("chatter", LOOSE.bcm, COUNT * PERIOD_S + 0.5, 10_000))
        log = result(playing)
        reader.until_quiet()
    found = judged(reader.got, log, names)
    found["told"] = told
    if noise:
        found["chatter_hz"] = round(noise["edges"] / 2 / noise["seconds"])
        found["chatter_read"] = sum(e.line == LOOSE.name for e, _ in reader.got)
    return found


def restarts(backend):
    """Pulses heard by sources that are started and closed one after the other in one process."""
    heard = []
    for _ in range(4):
        with Reader(made(backend, [Line("entry", LINES["entry"])])) as reader:
            result(pulser(5, 0.05, f"{LINES['entry']}:0:5"))
            reader.until_quiet()
        heard.append(len(reader.got))
    return {"heard": heard}


# -- faults -----------------------------------------------------------------------------------------


def told(backend, lines=TWO):
    source = made(backend, list(lines))
    try:
        source.start()
    except LineFault as fault:
        return [fault.text, fault.remedy]
    finally:
        source.close()
    return None


def faults(backend):
    report = {"free": told(backend)}
    holder = subprocess.Popen(
        [sys.executable, __file__, "hold", backend], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    holder.stdout.readline()
    report["held"] = told(backend)
    holder.communicate()
    Path("/sys/class/gpio/export").write_text(f"{sysfs_base() + 5}")
    report["used by the kernel"] = told(backend)
    Path("/sys/class/gpio/unexport").write_text(f"{sysfs_base() + 5}")
    report["free again"] = told(backend)
    Path("/dev/gpiochip0").chmod(0o600)
    script = f"import lines; print(__import__('json').dumps(lines.told({backend!r})))"
    nobody = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ
        | {"PYTHONPATH": f"{os.environ['PYTHONPATH']}:{HERE}", "PYTHONDONTWRITEBYTECODE": "1"},
        user=65534,
        group=65534,
        extra_groups=(),
        capture_output=True,
        text=True,
        check=False,
    )
    report["nobody"] = json.loads(nobody.stdout) if nobody.returncode == 0 else nobody.stderr[-500:]
    report["twice"] = told(backend, (Line("entry", 17), Line("floor3", 17)))
    report["no such line"] = told(backend, (Line("entry", 17), Line("floor3", 77)))
    Path("/dev/gpiochip0").unlink()
    report["no chip"] = told(backend)
    return report


def sysfs_base():
    chips = Path("/sys/class/gpio").glob("gpiochip*")
    return next(int((chip / "base").read_text()) for chip in chips)


def hold(backend):
    source = made(backend, [Line("floor3", 5)])
    source.start()
    print("held", flush=True)
    sys.stdin.read()
    source.close()


# -- the whole loop ---------------------------------------------------------------------------------


def watch(backend):
    from hardware.profile import for_lines
    from hardware.tower import REPORT_S
    from hardware.watch import TowerWatch

    heard, stop = queue.SimpleQueue(), threading.Event()

    def submit(claim):
        heard.put((claim, time.monotonic()))

    lines = [Line(name, bcm) for name, bcm in LINES.items()]
    watched = TowerWatch(for_lines(LINES), submit, clock=float, lines=made(backend, lines), session="rig")
    threads = [threading.Thread(target=loop, args=(stop,)) for loop in watched.loops.values()]
    for thread in threads:
        thread.start()
    assert heard.get(timeout=10)[0].state == "live"
    cube = ("17:0:18", "5:0.1:18", "6:75:6", "13:115:4")
    with busy():
        log = result(pulser(20, 0.4, *cube))
        time.sleep(REPORT_S + 1)
    said = drained(heard)
    drops = [(claim, at) for claim, at in said if hasattr(claim, "sealed")]
    entered = [low for bcm, low, _ in log if bcm == LINES["entry"]]
    report = {
        "cubes": len(entered),
        "drops": len(drops),
        "sure": sum(claim.sure for claim, _ in drops),
        "after_entry_s": spread([at - low for (_, at), low in zip(drops, entered, strict=False)]),
        "stamp_ms": spread(
            [1000 * abs(claim.event.at - low) for (claim, _), low in zip(drops, entered, strict=False)]
        ),
    }
    pulser("cut", LINES["entry"]).communicate()
    time.sleep(2)
    report["cut"] = [(c.source, c.state, c.remedy) for c, _ in drained(heard) if hasattr(c, "remedy")]
    pulser(1, 0.1, f"{LINES['entry']}:0:1").communicate()
    time.sleep(1.5)
    drained(heard)
    pulser("chatter", LINES["floor2"], 2, 10_000).communicate()
    report["chatter"] = [(c.source, c.state, c.remedy) for c, _ in drained(heard) if hasattr(c, "remedy")]
    began = time.monotonic()
    stop.set()
    for thread in threads:
        thread.join(5)
    report["closed_s"] = time.monotonic() - began
    return report


def drained(heard):
    said = []
    while True:
        try:
            said.append(heard.get(timeout=0.3))
        except queue.Empty:
            return said


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
