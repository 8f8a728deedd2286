"""Runs inside the rig: from an edge on a kernel's line to a phone's stream, through the served companion.

phone.py DROPS prints a line of JSON: seconds from the entry's edge to the view that counts the cube.
"""

import http.client
import json
import math
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1]))

from served import Served  # noqa: E402 - found beside the tests

SETTINGS = "[tower]\nentry = 17\nfloor5 = 6\nfloor2 = 13\nbackend = '{}'\n"
CUBE = ("17:0:18", "6:71:6", "13:132:4")
PERIOD_S = 0.35
"""Cubes so close keep the tower's state at falling, so that every view is the count of one of them."""


def post(port, path, body, cookie=""):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    heads = {"Content-Type": "application/json", "X-Companion": "1", "Cookie": cookie}
    connection.request("POST", path, json.dumps(body), heads)
    answer = connection.getresponse()
    told = json.loads(answer.read() or b"{}")
    assert answer.status < 300, (path, answer.status, told)
    return told, (answer.getheader("Set-Cookie") or "").split(";")[0]


def listen(port, cookie, views):
    """Keep when each view came."""
    stream = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    stream.request("GET", "/stream?screen=play", headers={"Cookie": cookie})
    answer = stream.getresponse()
    while line := answer.readline():
        if line.startswith(b"event: view"):
            views.append(time.monotonic())


def play(count, period_s, views):
    """Drop cubes; return when each entered, and the views that came."""
    views.clear()
    words = [sys.executable, str(HERE / "pulses.py"), str(count), str(period_s), *CUBE]
    log = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
    time.sleep(6)
    return [low for line, low, _ in log if line == 17], list(views)


def opened(served):
    """Begin a game of Mord im Arosa; return a seat's cookie."""
    seats = [post(served.port, "/api/join", {"name": name}) for name in ("Anna", "Bert", "Cleo")]
    host = seats[0][1]
    host = post(served.port, "/api/host", {"pin": served.pin}, host)[1] or host
    keys = [told["seat"] for told, _ in seats]
    post(served.port, "/api/games", {"slug": "arosa", "title": "", "seats": keys, "options": {}}, host)
    return host


def main(drops, backend):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "companion.toml").write_text(SETTINGS.format(backend))
        served = Served(Path(folder), "--camera", "none")
        try:
            views = []
            threading.Thread(target=listen, args=(served.port, opened(served), views), daemon=True).start()
            time.sleep(3)
            entries, seen = play(drops, PERIOD_S, views)
            alone, lone = play(20, 5.0, views)
        finally:
            served.end()
    # close together: one "falling", a view for each cube, "counted", "quiet"; alone: "falling" comes first
    counted = [at - low for at, low in zip(seen[1:], entries, strict=False)]
    falling = [min((at for at in lone if at > low), default=math.inf) - low for low in alone]
    return {
        "cubes": len(entries),
        "views": len(seen) - 3,  # "falling" before, "counted" and "quiet" after
        "counted_s": counted,
        "alone": len(alone),
        "alone_views": len(lone) / 4,
        "falling_s": falling,
    }


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), sys.argv[2])))
