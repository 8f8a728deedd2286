"""The command line, as others script it."""

import json
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request

import cv2
import numpy as np
import pytest

from companion.games import all_games
from served import COMPANION, ROOT, SOON_S, Served


def run(*arguments, **more):
    return subprocess.run(
        [*COMPANION, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT, **more
    )


@pytest.fixture
def serve(tmp_path):
    running = []

    def start(*arguments, data=tmp_path / "data"):
        served = Served(data, *arguments)
        running.append(served)
        return served

    yield start
    for served in running:
        if served.process.poll() is None:
            served.end(signal.SIGKILL)


@pytest.mark.slow
def test_it_serves_and_ends_at_once(serve):
    served = serve("--rehearse")
    health = json.loads(served.get("/healthz"))
    assert health["status"] == "ok"
    assert health["rehearsal"]
    assert "Host PIN: " in served.told
    shown = re.search(r"ready: (http://\S+)", served.told)[1]
    assert shown.endswith(f":{served.port}")
    assert shown in served.get("/table"), "phones are told another address than the one it listens at"
    stream = urllib.request.urlopen(f"http://127.0.0.1:{served.port}/stream?screen=table", timeout=10)
    ended_s = served.end()
    assert served.process.returncode == 0, served.told
    assert ended_s < SOON_S
    assert b"event: bye" in stream.read()
    stream.close()


@pytest.mark.slow
def test_a_second_one_on_the_same_folder_or_port_is_refused_with_the_remedy(serve, tmp_path):
    first = serve("--camera", "none")
    told = run("serve", "--data", tmp_path / "data", "--port", "0")
    assert told.returncode == 1
    assert "is using" in told.stderr
    assert "--data" in told.stderr
    told = run("serve", "--data", tmp_path / "other", "--host", "127.0.0.1", "--port", first.port)
    assert told.returncode == 1
    assert f"port {first.port}" in told.stderr
    assert "--port" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.slow
def test_after_kill_9_it_starts_again_at_once_with_everything(serve, tmp_path):
    first = serve("--camera", "none")
    request = urllib.request.Request(
        f"http://127.0.0.1:{first.port}/api/join",
        data=b'{"name": "Anna"}',
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        code = json.loads(answer.read())["code"]
    first.end(signal.SIGKILL)
    second = serve("--camera", "none")
    assert min(first.ready_s, second.ready_s) < SOON_S
    request = urllib.request.Request(
        f"http://127.0.0.1:{second.port}/api/rejoin",
        data=json.dumps({"code": code}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert json.loads(answer.read())["name"] == "Anna"


@pytest.mark.slow
def test_a_damaged_file_of_games_does_not_keep_the_table_from_playing(serve, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "companion.db").write_bytes(b"SQLite format 3\0" + b"rubbish" * 3000)
    served = serve("--camera", "none")
    assert "set aside" in served.get("/healthz")
    assert list(data.glob("companion.damaged-*.db"))


def test_unknown_settings_and_bad_words_are_named(tmp_path):
    (tmp_path / "companion.toml").write_text("[web]\nprot = 80\n")
    told = run("serve", "--data", tmp_path, "--port", "0")
    assert told.returncode == 1
    assert "web.prot is not a setting; did you mean port?" in told.stderr
    (tmp_path / "companion.toml").unlink()
    told = run("serve", "--data", tmp_path, "--port", "0", "--camera", "webcam")
    assert told.returncode == 1
    assert "'webcam' is no camera" in told.stderr
    told = run("serve", "--port", "99999")
    assert told.returncode == 2
    assert "'99999' is not a port" in told.stderr


def test_a_port_in_use_is_a_note_of_the_doctors_and_all_lines_have_a_sign(tmp_path):
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        told = run("doctor", "--data", tmp_path, "--port", port)
    assert f"--  port: {port} is in use" in told.stdout
    lines = told.stdout.splitlines()
    assert all(line.startswith(("ok  ", "--  ", "!!  ", "      -> ")) for line in lines)
    assert told.returncode == int(any(line.startswith("!!") for line in lines))


def test_doctor_fails_when_something_is_bad(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    told = run("doctor", "--data", blocked / "data")
    assert told.returncode == 1
    assert "!!  data:" in told.stdout


def test_doctor_names_a_bad_setting_and_looks_at_the_rest(tmp_path):
    (tmp_path / "companion.toml").write_text("[web]\nprot = 80\n")
    told = run("doctor", "--data", tmp_path)
    assert told.returncode == 1
    assert "!!  settings: " in told.stdout
    assert "did you mean port?" in told.stdout
    assert "ok  cv2: " in told.stdout
    assert re.search(
        r"^(ok  networks: run by ONNX Runtime \d|--  networks: run by OpenCV)", told.stdout, re.MULTILINE
    )


def test_games_lists_what_can_be_played_and_what_is_kept(tmp_path, make_table):
    table = make_table(all_games())
    seat = table.join("Anna").key
    game = table.start_game(slug="moss", title="Saturday", seats=(seat,), options={})
    table.close()
    (tmp_path / "companion.db").write_bytes(b"")
    told = run("games", "--data", tmp_path)
    assert told.returncode == 0
    assert "moss         Inspector Moss" in told.stdout
    (tmp_path / "evenings.db").rename(tmp_path / "companion.db")
    for ending in ("-wal", "-shm"):
        if (tmp_path / f"evenings.db{ending}").exists():
            (tmp_path / f"evenings.db{ending}").rename(tmp_path / f"companion.db{ending}")
    told = run("games", "--data", tmp_path)
    assert re.search(rf"{game.id}  \d{{4}}-\d\d-\d\d  moss         Saturday \(0 facts, open\)", told.stdout)


def test_a_list_of_games_makes_no_file(tmp_path):
    told = run("games", "--data", tmp_path)
    assert told.returncode == 0
    assert "No games are kept in" in told.stdout
    assert list(tmp_path.iterdir()) == []


def test_it_ends_without_a_word_when_nobody_reads_on(tmp_path):
    drops = [
        {"t": n + shift, "line": "entry", "active": not shift} for n in range(4000) for shift in (0, 0.018)
    ]
    (tmp_path / "edges.jsonl").write_text("".join(f"{json.dumps(edge)}\n" for edge in drops))
    words = [*COMPANION, "tower", "--edges", str(tmp_path / "edges.jsonl"), "--json"]
    piped = ["sh", "-c", '"$@" | head -1', "sh", *words]
    told = subprocess.run(piped, capture_output=True, text=True, cwd=ROOT, check=False)
    assert json.loads(told.stdout)["kind"] == "drop"
    assert told.stderr == ""


@pytest.mark.slow
def test_it_serves_with_its_output_closed_and_stops_on_ctrl_c(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [*COMPANION, "serve", "--data", str(tmp_path), "--host", "127.0.0.1", "--port", str(port)]
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *words, "--camera", "none"]
    with subprocess.Popen(closed, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1).close()
                break
            except (urllib.error.URLError, OSError):
                continue
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0, process.stderr.read()


def options_of(command):
    return set(re.findall(r"(?<![\w-])--[a-z-]+\b", run(command, "--help").stdout)) - {"--help"}


def test_the_readme_lists_every_command_with_every_option():
    shown = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The command line")[2]
    shown = re.sub(r"\n {8,}", " ", shown.partition("\n## ")[0])  # long ones go on in the next line
    lines = re.findall(r"^    companion ([\w-]+)(.*)$", shown, re.MULTILINE)
    assert {name for name, _ in lines} == set(
        re.findall(r"^    ([a-z][\w-]*)\s", run("--help").stdout, re.MULTILINE)
    )
    for name, rest in lines:
        if name != "rehearse":  # "the same"
            assert set(re.findall(r"--[a-z-]+", rest.partition("#")[0])) == options_of(name), name
    assert options_of("rehearse") == options_of("serve")


def test_replay_prints_the_end_of_a_playthrough(tmp_path):
    played = sorted((ROOT / "companion" / "games").glob("*/playthroughs/won.txt"))[0]
    told = run("replay", played)
    assert told.returncode == 0, told.stderr
    assert "won: " in told.stdout
    shorter = run("replay", played, "--to", "4")
    assert shorter.returncode == 0
    assert "Possible:" in shorter.stdout
    assert run("replay", played, "--seat", "Nobody").returncode == 1
    with played.open() as text:
        assert run("replay", "-", stdin=text).stdout == told.stdout
    assert run("replay", played, "--to", "-1").returncode == 2
    missing = run("replay", tmp_path / "no.txt")
    assert missing.returncode == 1
    assert "cannot be read" in missing.stderr


@pytest.fixture
def photo(tmp_path):
    """Two white dice on a dark cloth: a 1 and a 2."""
    image = np.full((480, 640, 3), (70, 90, 40), np.uint8)
    for x, pips in ((150, [(0, 0)]), (400, [(-25, -25), (25, 25)])):
        cv2.rectangle(image, (x, 180), (x + 110, 290), (235, 240, 240), -1)
        for dx, dy in pips:
            cv2.circle(image, (x + 55 + dx, 235 + dy), 11, (30, 30, 30), -1, cv2.LINE_AA)
    path = tmp_path / "dice.png"
    cv2.imwrite(str(path), image)
    return path


def test_read_prints_one_json_line_a_photo_and_draws_what_it_saw(photo, tmp_path):
    told = run("read", photo, photo, "--json", "--dice", "2 white", "--annotate", tmp_path / "drawn")
    assert told.returncode == 0, told.stderr
    first, second = map(json.loads, told.stdout.splitlines())
    assert set(first) == {"image", "status", "dice", "ms"}
    assert first["image"] == str(photo)
    assert sorted(die["face"] for die in first["dice"]) == ["1", "2"]
    assert set(first["dice"][0]) == {"kind", "face", "box", "confidence"}
    assert first["dice"] == second["dice"]
    assert cv2.imread(str(tmp_path / "drawn" / "dice.jpg")) is not None
    wrong = run("read", photo, "--json", "--dice", "3 white")
    assert json.loads(wrong.stdout)["status"] == "wrong-count"


def test_read_names_each_bad_file_and_goes_on(photo, tmp_path):
    bad = {
        "empty.jpg": b"",
        "corrupt.jpg": b"\xff\xd8\xff\xe0" + b"x" * 500,
        "phone.heic": b"\0\0\0\x18ftypheic\0\0\0\0heicmif1" + b"x" * 100,
        "clip.mp4": b"\0\0\0\x18ftypisom\0\0\0\0isomiso2" + b"x" * 100,
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    told = run("read", *(tmp_path / name for name in bad), tmp_path / "none.jpg", photo, "--json")
    assert told.returncode == 1
    assert len(told.stdout.splitlines()) == 1
    assert "Traceback" not in told.stderr
    for name in [*bad, "none.jpg"]:
        assert name in told.stderr
    assert "Most Compatible" in told.stderr
    told = run("read", photo, "--dice", "some")
    assert told.returncode == 1
    assert '"7 white + 1 coloured"' in told.stderr
