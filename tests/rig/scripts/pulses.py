"""Runs inside the rig: plays the tower's sensors on gpio-sim's lines, and prints when, as JSON.

    pulses.py COUNT PERIOD_S LINE:AFTER_MS:WIDTH_MS...      each LINE low for WIDTH, AFTER the period began
    pulses.py chatter LINE SECONDS HZ                       one line, as fast as that, for so long
    pulses.py cut LINE                                      the line is low for good

A LINE is a BCM number. It is a process of its own: what it measures is not held up by the reader's.
"""

import json
import os
import sys
import time

SIM = "/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio{}/pull"
REST_S = 0.005
"""Two changes at the same moment are none to the simulated line, so they are kept apart."""

UP, DOWN = b"pull-up", b"pull-down"


def opened(line):
    return os.open(SIM.format(line), os.O_WRONLY)


def until(at):
    pause = at - time.monotonic()
    if pause > 0:
        time.sleep(pause)


def pulses(count, period_s, specs):
    """Return (line, when it went low, when high again), each as monotonic seconds."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
    files = {line: opened(line) for line, _, _ in specs}
    steps = sorted(
        step
        for line, after_s, width_s in specs
        for step in ((after_s, line, DOWN), (after_s + width_s, line, UP))
    )
    widths = {line: width_s for line, _, width_s in specs}
    begun = time.monotonic() + 0.1
    down, up, log = {}, dict.fromkeys(files, 0.0), []
    for n in range(count):
        late_s = max(0.0, time.monotonic() - (begun + n * period_s))  # a cube is never shortened
        for after_s, line, way in steps:
            until(begun + n * period_s + late_s + after_s)
            until(down[line] + widths[line] if way is UP else up[line] + REST_S)
            at = time.monotonic()
            os.pwrite(files[line], way, 0)
            if way is DOWN:
                down[line] = time.monotonic()
            else:
                up[line] = at
                log.append((line, down[line], at))
    return log


def chatter(line, seconds, hz):
    """Toggle a line; return how many edges that were, and how long it took."""
    file, half_s = opened(line), 0.5 / hz
    begun = time.monotonic()
    n = 0
    while (now := time.monotonic()) < begun + seconds:
        while n < (now - begun) / half_s:  # catch up where a pause was too long
            os.pwrite(file, DOWN if n % 2 == 0 else UP, 0)
            n += 1
        time.sleep(half_s / 2)
    os.pwrite(file, UP, 0)
    return {"edges": n + n % 2, "seconds": time.monotonic() - begun}


def main(words):
    if words[0] == "chatter":
        return chatter(int(words[1]), float(words[2]), float(words[3]))
    if words[0] == "cut":
        return os.pwrite(opened(int(words[1])), DOWN, 0)
    specs = [tuple(map(float, word.split(":"))) for word in words[2:]]
    return pulses(int(words[0]), float(words[1]), [(int(bcm), a / 1000, w / 1000) for bcm, a, w in specs])


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:])))
