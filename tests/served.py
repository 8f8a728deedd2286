"""A companion in a process of its own, as people start it."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

COMPANION = [sys.executable, "-m", "companion"]
ROOT = Path(__file__).parents[1]
SOON_S = 15.0
"""What is there at once on an idle machine hangs if it takes longer; exact times are for benchmarks."""


class Served:
    """A companion in a process of its own, from the checkout or a copy of it at ``root``."""

    def __init__(self, data, *arguments, root=ROOT):
        began = time.monotonic()
        self.process = subprocess.Popen(
            [*COMPANION, "serve", "--data", str(data), "--host", "127.0.0.1", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=root,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(root)},
        )
        self.told = ""
        for line in self.process.stdout:
            self.told += line
            if line.startswith(("Rehearsal", "Camera")):
                break
        self.ready_s = time.monotonic() - began
        found = re.search(r"ready: http://[^:\s]+:(\d+)", self.told)
        self.port = int(found[1]) if found else 0
        self.address = f"http://localhost:{self.port}"
        pin = re.search(r"PIN: (\d+)", self.told)
        self.pin = pin[1] if pin else ""

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def end(self, number=signal.SIGTERM):
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(timeout=20)
        self.told += self.process.stdout.read()
        self.process.stdout.close()
        return time.monotonic() - began
