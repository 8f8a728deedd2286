"""The tower's lines: how many 3 ms pulses are lost, how late edges are, and from edge to phone.

    python tests/benchmarks/bench_lines.py             # gpiozero and gpiod on kernel lines, and phones
    python tests/benchmarks/bench_lines.py rehearsal   # edge to phone at a rehearsed tower; needs no rig

On the rig's kernel lines time is virtual: it passes as the work on one processor needs it. A second
Python thread never rests where it says busy. Rates are of the rig, not of a Pi; and on a machine that is
overloaded itself the simulated lines merge changes, so that a few pulses are lost before anybody reads.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
sys.path.append(str(Path(__file__).parents[1]))
sys.path.append(str(Path(__file__).parents[1] / "web"))

from cryptography.fernet import Fernet

from companion.devices import Devices
from companion.games import all_games
from companion.journal import Journal
from companion.seal import Seal
from companion.settings import CameraSettings, Settings
from companion.table import Table
from house import PLAIN
from web import create_app, serve

ROOT = Path(__file__).parents[2]
DROPS = 200
TOOL = ROOT.parent / "shared" / "rig" / "rig.sh"


def rig(script: str, *words: str, seconds: int = 600) -> dict:
    """Run a script on kernel lines, in virtual time."""
    env = {
        "RIG_CACHE": os.environ.get("RIG_CACHE") or str(Path.home() / ".cache/table-companion/rig"),
        "PYTHONPATH": str(ROOT),
    }
    python = [sys.executable, str(ROOT / "tests" / "rig" / "scripts" / script), *words]
    command = [str(TOOL), "run", "-s", str(seconds), "-k", "time-travel", "-r", "--", *python]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | env, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def lines(backend: str) -> None:
    print(
        f"\n{backend}, pulses of 3 ms on kernel lines     lost      late ms p50 / p95 / p99   stamp off p99"
    )
    for case, found in rig("lines.py", "read", backend).items():
        late = " / ".join(f"{ms:.1f}" for ms in found["late_ms"])
        more = f"   (chatter at {found['chatter_hz']} Hz)" if "chatter_hz" in found else ""
        lost = f"{found['played'] - found['seen']} of {found['played']}"
        print(f"  {case:38}{lost:>12}{late:>24}{found['stamp_ms'][2]:>12.2f} ms{more}")
    found = rig("lines.py", "watch", backend)
    after = " / ".join(f"{s:.2f}" for s in found["after_entry_s"])
    print(f"  entry to claim, busy: {found['drops']} of {found['cubes']} cubes, {after} s after the entry")


def phone_on_the_rig(backend: str = "gpiod") -> None:
    told = rig("phone.py", str(DROPS), backend)
    print(
        f"\nedge to phone, served companion on kernel lines, {backend}: {told['views']} of {told['cubes']}"
    )
    print(f"  count, shown 1.6 s after the entry on purpose: {spread(told['counted_s'])}")
    print(f"  'a cube is falling', shown at once, {told['alone']} cubes: {spread(told['falling_s'])}")


def phone_at_the_rehearsal(drops: int = DROPS, apart_s: float = 0.45) -> tuple[list[float], int]:
    """Drop cubes at a rehearsed tower; seconds from the entry's edge to the view that counts it."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as closing:
        journal = Journal.open(f"sqlite:///{folder}/evening.db")
        closing.callback(journal.close)
        table = Table(journal, all_games(), seal=Seal(Fernet.generate_key()))
        closing.callback(table.close)
        seats = [table.join(name) for name in ("Anna", "Bert", "Cleo")]
        table.start_game(slug="arosa", title="", seats=tuple(s.key for s in seats), options={})
        settings = Settings(camera=CameraSettings(source="none"))
        devices = Devices(settings, table, rehearse=True, folder=Path(folder))
        closing.callback(devices.close)
        server = serve(create_app(table, PLAIN), "127.0.0.1", 0)
        closing.callback(server.close)
        seen: list[tuple[float, int]] = []
        shown: list[tuple[float, int]] = []
        submit = table.submit

        def counted(claim: object) -> object:
            """Note which version shows which cube; the version is what the phone is sent."""
            receipt = submit(claim)
            shown.append((claim.event.at, receipt.version))
            return receipt

        table.submit = counted  # devices submit through it
        devices.start()
        code = seats[0].code
        threading.Thread(target=_listen, args=(server.port, code, seen), daemon=True).start()
        time.sleep(1.0)
        for _ in range(drops):
            devices.rehearsal.lines.drop()
            time.sleep(apart_s)
        time.sleep(3.0)
        now = time.monotonic()
        zero = table.clock.at_of(now) - now
    taken = []
    for at, version in shown:
        came = next((t for t, v in seen if v >= version), None)
        if came is not None:
            taken.append(came + zero - at)
    return taken, len(shown)


def _listen(port: int, code: str, seen: list[tuple[float, int]]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    heads = {"Content-Type": "application/json", "X-Companion": "1"}
    connection.request("POST", "/api/rejoin", json.dumps({"code": code}), heads)
    answer = connection.getresponse()
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    answer.read()
    stream = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    stream.request("GET", "/stream?screen=play", headers={"Cookie": cookie})
    lines_of_it, version = stream.getresponse(), 0
    while line := lines_of_it.readline():
        if line.startswith(b"id: "):
            version = int(line[4:])
        elif line.startswith(b"event: view"):
            seen.append((time.monotonic(), version))


def spread(values: list[float]) -> str:
    cuts = statistics.quantiles(values, n=100)
    return f"median {statistics.median(values):.3f} s, p99 {cuts[98]:.3f} s of {len(values)}"


def rehearsal(drops: int = DROPS) -> str:
    taken, told = phone_at_the_rehearsal(drops)
    return f"\nedge to phone, rehearsed tower, {told} counted of {drops} dropped: {spread(taken)}"


def test_every_rehearsed_cube_reaches_a_phone() -> None:
    line = rehearsal(20)
    print(line)
    assert "median 1.6" in line or "median 1.7" in line


if __name__ == "__main__":
    if sys.argv[1:] != ["rehearsal"]:
        for name in ("gpiozero", "gpiod"):
            lines(name)
        phone_on_the_rig()
    print(rehearsal())
