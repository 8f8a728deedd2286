"""The last minute of a running companion, saved and run again by the command line."""

import json
import signal
import subprocess
import time
import urllib.request
import zipfile
from http.cookiejar import CookieJar
from urllib.error import HTTPError

import pytest

from companion.errors import SettingsError
from companion.facts import facts
from companion.settings import CameraSettings, JournalSettings, Settings, WebSettings, parse
from served import COMPANION, ROOT, Served

SECRET = "hunter2-4f7a"


def run(*arguments):
    return subprocess.run(
        [*COMPANION, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT
    )


class Player:
    """Somebody with a seat, asking over real sockets."""

    def __init__(self, served, name):
        self.address = served.address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.seat = self.post("/api/join", {"name": name})

    def post(self, path, body):
        heads = {"Content-Type": "application/json", "X-Companion": "1"}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), heads)
        with self.opener.open(request, timeout=10) as answer:
            return json.loads(answer.read())

    def get(self, path):
        with self.opener.open(self.address + path, timeout=20) as answer:
            return answer.read()

    def see(self, path):
        """Ask until there is something: a camera's first picture takes a moment."""
        until = time.monotonic() + 30
        while True:
            try:
                return self.get(path)
            except HTTPError as fault:
                if fault.code != 404 or time.monotonic() > until:
                    raise


@pytest.mark.slow
def test_a_running_companion_s_minute_is_saved_tells_no_secret_and_comes_to_the_same(tmp_path):
    data = tmp_path / f"data of {SECRET}"
    served = Served(data, "--rehearse")
    try:
        anna = Player(served, "Anna Secretive")
        host = Player(served, "Bert")
        host.post("/api/host", {"pin": served.pin})
        seats = [anna.seat["seat"], host.seat["seat"]]
        host.post("/api/games", {"slug": "moss", "title": SECRET, "seats": seats, "options": {}})
        note = {"id": "n", "word": "note_written", "args": {"text": SECRET}, "seen": 0}
        assert anna.post("/api/tap", note)["status"] == "kept"
        assert anna.see("/api/camera")
        anna.post("/api/rehearsal", {"do": "throw"})
        file = tmp_path / "minute.zip"
        told = run("report", file, "--data", data, "--port", served.port)
        assert told.returncode == 0, told.stderr
    finally:
        served.end(signal.SIGTERM)
    with zipfile.ZipFile(file) as saved:
        texts = {n: saved.read(n).decode() for n in saved.namelist() if not n.endswith(("png", "jpg"))}
    head = json.loads(texts["report.json"])
    assert head["camera"]["seen"] == "rehearsal"
    assert head["versions"]["table-companion"]
    for secret in (SECRET, anna.seat["code"], "Secretive", f'"{served.pin}"', str(tmp_path)):
        assert not [name for name, text in texts.items() if secret in text]
    again = run("replay-frames", file)
    assert again.returncode == 0, again.stdout + again.stderr
    assert again.stdout.endswith("The same.\n")


def test_settings_leave_without_addresses_passwords_and_paths(tmp_path):
    settings = Settings(
        web=WebSettings(url=f"http://{SECRET}"),
        journal=JournalSettings(url=f"postgresql://anna:{SECRET}@host/db"),
        camera=CameraSettings(source=str(tmp_path)),
    )
    told = json.dumps(facts(settings, cameras="Webcam (uvcvideo)"))
    assert SECRET not in told
    assert str(tmp_path) not in told
    assert '"a recording"' in told
    assert "Webcam" in told


def test_lamps_flicker_at_fifty_or_sixty_and_at_nothing_between():
    assert parse("[camera]\nmains_hz = 60").camera.mains_hz == 60
    with pytest.raises(SettingsError, match=r"camera.mains_hz = 55 must be 50 or 60"):
        parse("[camera]\nmains_hz = 55")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("replay-frames", "nothing.zip"), "nothing.zip is not a report"),
        (("report", "x.zip", "--url", "ftp://x"), "no address of a companion"),
        (("report", "x.zip", "--port", "1"), "Is the companion running"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(tmp_path, arguments, words):
    told = run(*arguments, *(() if arguments[0] == "replay-frames" else ("--data", tmp_path)))
    assert told.returncode == 1
    assert words in told.stderr
    assert "Traceback" not in told.stderr
