"""Runs inside the rig: `hardware.microphone` hears what aplay plays into a loopback. Prints JSON."""

import json
import subprocess
import sys
import tempfile
import threading
import time
import wave
from itertools import pairwise
from pathlib import Path

import numpy as np

from hardware.microphone import Microphone, list_microphones
from hardware.onsets import OnsetDetector
from hardware.sound import SoundFault

LEAD_S, SECONDS = 3.0, 6.5
"""Quiet before the first impact: PortAudio needs up to a second to open a device here."""

CLICKS_S = (0.0, 0.3, 0.36, 0.9, 1.5, 1.55, 2.1)
HEARS, PLAYS = "hw:0,1", "hw:0,0"
PLAYING = Path("/proc/asound/card0/pcm0p/sub0/status")
DRIVER = Path("/sys/bus/platform/drivers/snd_aloop")
HOLD = ["arecord", "-q", "-D", HEARS, "-f", "S16_LE", "-r", "48000", "/dev/null"]


def clicks(rate, seconds=SECONDS):
    """Quiet noise with impacts on a panel whose lowest mode is at 600 Hz, peak about -10 dB."""
    chance = np.random.default_rng(1)
    sound = chance.normal(0, 3e-4, round(seconds * rate))
    t = np.arange(rate // 10) / rate
    for at in CLICKS_S:
        begin = round((LEAD_S + at) * rate)
        for hertz in (600, 1500, 2400):
            sound[begin : begin + len(t)] += 0.12 * np.sin(2 * np.pi * hertz * t) * np.exp(-t / 0.005)
    return sound


def played(rate, folder):
    """Play the impacts in the right one of two channels; the process, when it has the device."""
    path = Path(folder) / f"{rate}.wav"
    both = np.zeros((round(SECONDS * rate), 2))
    both[:, 1] = clicks(rate)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((both * 32767).astype("<i2").tobytes())
    player = subprocess.Popen(["aplay", "-q", "-D", PLAYS, str(path)])
    until = time.monotonic() + 10
    while "closed" in PLAYING.read_text() and time.monotonic() < until:
        threading.Event().wait(0.02)
    return player


def heard(microphone, detector, seconds):
    """Listen; the onsets, how late they were told, how far apart joining pieces were at most."""
    onsets, late, until, last, apart = [], [], time.monotonic() + seconds, None, 0.0
    while time.monotonic() < until:
        samples = microphone.next(0.5)
        if samples is None:
            continue
        if last is not None:
            apart = max(apart, abs(samples.at - last))
        last = samples.ends
        for onset in detector.feed(samples):
            onsets.append(onset)
            late.append(time.monotonic() - onset.at)
    return onsets, late, apart


def onsets():
    with tempfile.TemporaryDirectory() as folder:
        said = []
        microphone = Microphone(HEARS, say=said.append)
        player = played(44100, folder)  # the loopback takes the rate of who comes first
        microphone.start()
        begun = time.monotonic()
        first = microphone.next(1.0)
        found, late, apart = heard(microphone, OnsetDetector(first.rate), 6.0)
        ended = time.monotonic()
        microphone.close()
        player.wait(10)
    found = [onset for onset in found if onset.at - found[0].at < CLICKS_S[-1] + 0.5]  # not aplay's end
    return {
        "rate": first.rate,
        "at": [onset.at - begun for onset in found],
        "level_db": [onset.level_db for onset in found],
        "pitch_hz": [onset.pitch_hz for onset in found],
        "decay_s": [onset.decay_s for onset in found],
        "late_s": late,
        "apart_s": apart,
        "within": all(begun - 1 < onset.at < ended for onset in found),
        "said": [notice.state for notice in said],
    }


def overflow():
    """Nobody takes the sound out of the queue, and then somebody does."""
    with tempfile.TemporaryDirectory() as folder:
        said = []
        microphone = Microphone(HEARS, say=said.append)
        player = played(48000, folder)
        microphone.start()
        intake = microphone._intake
        stuck = threading.Event()
        put = intake.put

        def slow(block):
            if not stuck.is_set():
                stuck.set()
                threading.Event().wait(1.5)  # a callback that does not return in time
            put(block)

        intake.put = slow
        until = time.monotonic() + 3
        times = []
        while time.monotonic() < until:
            samples = microphone.next(0.2)
            if samples is not None:
                times.append((samples.at, samples.ends))
        microphone.close()
        player.wait(10)
    gaps = [b[0] - a[1] for a, b in pairwise(times)]
    return {"said": [[n.state, n.text, n.remedy] for n in said], "gap_s": max(gaps)}


def faults():
    """No such device; one of which both subdevices are held."""
    said = [fault("no such microphone")]
    holders = [subprocess.Popen(HOLD) for _ in range(2)]
    threading.Event().wait(1.0)
    said.append(fault(HEARS))
    for holder in holders:
        holder.terminate()
        holder.wait()
    return {"said": said, "found": [[one.name, one.rate] for one in list_microphones()]}


def fault(device):
    """What is said when this is opened."""
    microphone = Microphone(device)
    try:
        microphone.start()
    except SoundFault as refused:
        return [refused.text, refused.remedy]
    finally:
        microphone.close()
    return ["started", ""]


def unplugged():
    """The driver loses the device and finds it again; the same object is started anew."""
    microphone = Microphone(HEARS)
    microphone.start()
    alive = microphone.next(1.0) is not None
    unbind = threading.Thread(target=DRIVER.joinpath("unbind").write_text, args=["snd_aloop.0"])
    unbind.start()  # returns when the device is closed
    begun, said = time.monotonic(), ""
    while not said and time.monotonic() - begun < 10:
        try:
            microphone.next(0.25)
        except SoundFault as lost:
            said = lost.text
    gone_s = time.monotonic() - begun
    microphone.close()
    unbind.join(10)
    missing = fault(HEARS)
    DRIVER.joinpath("bind").write_text("snd_aloop.0")
    threading.Event().wait(0.5)
    microphone.start()
    again = microphone.next(1.0) is not None
    microphone.close()
    return {"alive": alive, "said": said, "gone_s": gone_s, "missing": missing, "again": again}


if __name__ == "__main__":
    parts = {"onsets": onsets, "overflow": overflow, "faults": faults, "unplugged": unplugged}
    print(json.dumps(parts[sys.argv[1]]()))
