"""The networks by themselves: where they look, what a crop tells, and what happens without weights."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from drawn import draw, photographed, rolled, table
from vision import networks
from vision.faceheads import EMBEDDING, SHAPE, SYMBOLS
from vision.finder import find, searched
from vision.looks import crops, look
from vision.networks import (
    EIGHT_BIT,
    WEIGHTS,
    Network,
    OnnxRuntime,
    OpenCv,
    WeightsError,
    batch,
    brisk,
    edition,
    multiplies_bytes,
    of_this_thread,
    onnx_runs,
    run,
    survives,
)

RUNNERS = [OpenCv, *([OnnxRuntime] if onnx_runs() else [])]


@pytest.mark.parametrize("runner", RUNNERS)
def test_missing_or_damaged_weights_say_what_to_do(
    runner: Callable[[Path], Network], tmp_path: Path
) -> None:
    with pytest.raises(WeightsError, match=r"finder\.onnx is missing or damaged.*by hand"):
        runner(tmp_path / "finder.onnx")
    (tmp_path / "finder.onnx").write_bytes(b"no network")
    with pytest.raises(WeightsError, match="missing or damaged"):
        runner(tmp_path / "finder.onnx")
    with pytest.raises(WeightsError, match="missing or damaged"):
        run("finder", np.zeros((1, 3, 64, 64), np.float32), weights=tmp_path)


def test_both_that_can_run_networks_say_the_same() -> None:
    if not onnx_runs():
        pytest.skip("ONNX Runtime does not run here")
    chance = np.random.default_rng(5)
    for name, shape in (("finder", (1, 3, 96, 128)), ("finder", (1, 3, 160, 80)), ("face", (5, 3, 64, 64))):
        pictures = chance.normal(0, 1, shape).astype(np.float32)
        one, other = (runner(WEIGHTS / f"{name}.onnx")(pictures) for runner in RUNNERS)
        assert one.shape == other.shape
        assert np.abs(one - other).max() < 1e-3


def norm(rows: np.ndarray) -> np.ndarray:
    return np.linalg.norm(rows, axis=1, keepdims=True)


def test_eight_bits_say_nearly_the_same_as_all_of_them() -> None:
    if not (onnx_runs() and multiplies_bytes()):
        pytest.skip("ONNX Runtime does not run here, or not in 8 bits")
    image = photographed(rolled("123456"))
    found = find(image)
    for name, seen in (
        ("finder", batch([searched(image)])),
        ("face", batch(crops(image, found.centres, found.sides))),
    ):
        whole = OnnxRuntime(WEIGHTS / f"{name}.onnx")(seen)
        small = WEIGHTS / f"{name}{EIGHT_BIT}.onnx"
        assert brisk(WEIGHTS / f"{name}.onnx") == small
        short = OnnxRuntime(small)(seen)
        assert not np.array_equal(whole, short)
        assert np.abs(whole - short).mean() < 0.05 * np.abs(whole).mean()
        if name == "face":  # dice that were taught with the one are known by the other
            one, other = (told[:, :EMBEDDING] / norm(told[:, :EMBEDDING]) for told in (whole, short))
            assert (one * other).sum(axis=1).min() > 0.995
            assert np.abs(whole - short)[:, -SHAPE:].max() < 0.06  # outlines are no coarser, in sides


@pytest.mark.parametrize(
    ("told", "able"),
    [
        ("Features : fp asimd evtstrm aes crc32 cpuid asimdrdm lrcpc dcpop asimddp", True),  # Pi 5
        ("Features : fp asimd evtstrm crc32 cpuid", False),  # Pi 4
        ("flags : fpu avx2 avx512f avx512_vnni", True),
        ("flags : fpu avx2 bmi2", False),
        (None, False),
    ],
)
def test_eight_bits_are_for_processors_made_for_them(told: str | None, able: bool, tmp_path: Path) -> None:
    if told is not None:
        (tmp_path / "cpuinfo").write_text(told)
    assert multiplies_bytes(tmp_path / "cpuinfo") is able


def test_without_a_file_of_eight_bits_the_whole_network_is_run(tmp_path: Path) -> None:
    shutil.copy(WEIGHTS / "face.onnx", tmp_path)
    assert brisk(tmp_path / "face.onnx") == tmp_path / "face.onnx"
    nothing = np.zeros((1, 3, 64, 64), np.float32)
    assert run("face", nothing, weights=tmp_path).shape == run("face", nothing).shape


def test_a_library_that_ends_its_process_is_found_out_in_a_process_of_its_own() -> None:
    assert not survives("import os, signal; os.kill(os.getpid(), signal.SIGILL)")
    assert not survives("import there_is_no_such_library")
    assert survives("from vision.networks import trial; trial()") == onnx_runs()


def test_a_library_that_cannot_be_imported_leaves_the_networks_to_opencv(tmp_path: Path) -> None:
    (tmp_path / "onnxruntime.py").write_text("raise ImportError('made for another Python')")
    code = """
import numpy
from vision.networks import batch, onnx_runs, run
print(onnx_runs(), run("face", batch([numpy.zeros((64, 64, 3), numpy.uint8)])).shape)
"""
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.startswith("False (1, ")
    assert "cannot be imported (made for another Python)" in told.stderr


def test_weights_are_named_by_their_content(tmp_path: Path) -> None:
    assert len(edition("face")) == 12
    assert edition("face") != edition("finder")
    assert edition("face", weights=tmp_path / "nowhere") == ""
    shutil.copy(WEIGHTS / "face.onnx", tmp_path)
    assert edition("face", weights=tmp_path) == edition("face")


def test_the_weights_are_small() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.glob("*.onnx")) < 8_000_000


def test_each_thread_has_networks_of_its_own_where_opencv_runs_them() -> None:
    path = WEIGHTS / "face.onnx"
    others: list[OpenCv] = []
    thread = threading.Thread(target=lambda: others.append(of_this_thread(path)))
    thread.start()
    thread.join()
    assert of_this_thread(path) is of_this_thread(path) is not others[0]


def test_threads_may_look_at_once_and_agree() -> None:
    image = rolled("123456")
    alone = find(image)
    told: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: told.append(find(image).heat)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 3
    assert all(np.array_equal(heat, alone.heat) for heat in told)
    assert networks.run("finder", batch([image])).shape == (1, 4, 120, 160)


@pytest.mark.parametrize("side", [36, 56, 90])
def test_faces_are_found_where_they_lie_and_as_large_as_they_are(side: float) -> None:
    image = table()
    places = [(150, 130), (420, 110), (300, 330)]
    for n, place in enumerate(places):
        draw(image, "354"[n], place, turn=20 * n, side=side)
    found = find(photographed(image))
    likely = found.heat > 0.4
    assert likely.sum() == 3
    for place in places:
        away = np.linalg.norm(found.centres[likely] - place, axis=1)
        assert away.min() < 0.12 * side
        assert abs(found.sides[likely][away.argmin()] / side - 1) < 0.25


def test_the_same_dice_in_a_larger_picture_are_found_in_its_own_pixels() -> None:
    image = rolled("12")
    large = np.repeat(np.repeat(image, 2, axis=0), 2, axis=1)
    small, big = find(image), find(large)
    one, two = (f.centres[f.heat > 0.4] for f in (small, big))
    assert len(one) == len(two) == 2
    assert np.abs(2 * one[one[:, 0].argsort()] - two[two[:, 0].argsort()]).max() < 6


def test_a_crop_is_read_alike_in_any_company() -> None:
    image = rolled("12345")
    found = find(image)
    chosen = found.heat > 0.4
    together = look(image, found.centres[chosen], found.sides[chosen])
    assert len(together.white) == 5
    for n in range(5):
        alone = look(image, found.centres[chosen][n : n + 1], found.sides[chosen][n : n + 1])
        assert np.allclose(alone.symbols[0], together.symbols[n], atol=1e-4)
    assert np.allclose(np.linalg.norm(together.embeddings, axis=1), 1, atol=1e-4)
    assert np.allclose(together.symbols.sum(axis=1), 1, atol=1e-4)


def test_no_places_are_no_looks() -> None:
    nothing = look(table(), np.zeros((0, 2), np.float32), np.zeros(0, np.float32))
    assert nothing.symbols.shape == (0, len(SYMBOLS))
    assert nothing.corners.shape == (0, 4, 2)
