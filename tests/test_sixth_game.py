"""Adding a game touches one folder: a copy of the tree gets one more, and everything takes it up."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from served import ROOT, Served

pytestmark = pytest.mark.slow

GAME = Path(__file__).parent / "sixth" / "candles"
SLUG, TITLE = GAME.name, "Nine Candles"
TREE = ("companion", "vision", "hardware", "web", "calibration", "tests", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "sixth", "benchmarks", ".*")
TAKEN_UP = (
    "games/test_all_games.py::test_what_is_accepted_was_expected[candles]",
    "games/test_all_games.py::test_secret_facts_reach_nobody_else[candles]",
    "games/test_all_games.py::test_nothing_comes_after_the_end[candles]",
    "games/test_all_games.py::test_it_has_a_readme_and_three_playthroughs[candles]",
    "games/test_playthroughs.py::test_a_playthrough_says_what_it_said[candles/dark]",
    "games/test_playthroughs.py::test_a_playthrough_reaches_its_end[candles/dawn]",
    "games/test_playthroughs.py::test_playthroughs_end_in_more_than_one_way[candles]",
    "web/test_faces.py::test_a_palette_is_readable[candles-dark]",
    "web/test_faces.py::test_a_game_wears_the_face_of_its_folder[candles]",
    "web/test_howto.py::test_anybody_reads_it_in_the_games_own_face[candles]",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The tree as it is, and one folder more."""
    root = tmp_path_factory.mktemp("tree")
    for name in TREE:
        there = ROOT / name
        if there.is_dir():
            shutil.copytree(there, root / name, ignore=LEFT_OUT)
        else:
            shutil.copy2(there, root / name)
    shutil.copytree(GAME, root / "companion" / "games" / SLUG, ignore=LEFT_OUT)
    return root


class Guest:
    """A phone with cookies, on a companion in another process."""

    def __init__(self, served):
        self.address = served.address
        self.open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())).open

    def get(self, path):
        with self.open(self.address + path, timeout=10) as answer:
            return answer.read().decode()

    def post(self, path, **body):
        head = {"Content-Type": "application/json", "X-Companion": "1"}
        asked = urllib.request.Request(self.address + path, json.dumps(body).encode(), head)
        with self.open(asked, timeout=10) as answer:
            return json.load(answer)


def test_the_tests_of_every_game_take_it_up(tree):
    """Playthroughs, properties, face and how to play: the very files of this suite, none of them told."""
    files = (
        "games/test_all_games.py",
        "games/test_playthroughs.py",
        "web/test_faces.py",
        "web/test_howto.py",
    )
    line = [sys.executable, "-m", "pytest", "-v", "-p", "no:xdist", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*line, "-k", SLUG, "-m", "not browser", *(f"tests/{file}" for file in files)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    passed = set(re.findall(r"^tests/(\S+\[\S+\]) PASSED", ran.stdout, re.MULTILINE))
    assert passed >= set(TAKEN_UP)


def test_lobby_phones_and_table_show_it(tree, tmp_path):
    served = Served(tmp_path / "data", "--camera", "none", root=tree)
    try:
        anna, bert, table = Guest(served), Guest(served), Guest(served)
        seats = [
            phone.post("/api/join", name=name)["seat"] for phone, name in ((anna, "Anna"), (bert, "Bert"))
        ]
        anna.post("/api/host", pin=served.pin)
        lobby = anna.get("/")
        assert f'value="{SLUG}"' in lobby
        assert "2 to 9 players" in lobby
        assert f'href="/how-to-play/{SLUG}"' in bert.get("/")
        explained = bert.get(f"/how-to-play/{SLUG}")
        assert f'data-face="{SLUG}"' in explained
        assert "<strong>one, two or three</strong>" in explained
        sheet = re.search(rf'href="(/static/\w+/games/{SLUG}/face.css)"', lobby)[1]
        assert bert.get(sheet) == (GAME / "face.css").read_text()
        assert "<svg" in bert.get(sheet.replace("face.css", "motif-night.svg"))
        assert f'<script type="module" src="{sheet.replace("face.css", "wicks.js")}"' in lobby

        anna.post("/api/games", slug=SLUG, title="", seats=seats, options={})
        for screen in (anna.get("/play"), bert.get("/play"), table.get("/table")):
            assert f'data-face="{SLUG}"' in screen
            assert TITLE in screen
            assert "Anna is at the candles." in screen
            assert "9 of 9 burn." in screen
        told = anna.post("/api/tap", id="t1", word="candles_put_out", args={"count": "3"}, seen=0)
        assert told["status"] == "kept"
        assert "6 of 9 burn." in table.get("/table")
        assert "Bert is at the candles." in bert.get("/play")
        assert "Anna put out 3: 6 burn." in table.get("/history")
    finally:
        served.end()
