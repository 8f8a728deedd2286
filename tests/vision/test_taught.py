from pathlib import Path

import numpy as np
import pytest

from vision.faceheads import EMBEDDING
from vision.networks import edition
from vision.taught import FILE, Taught, TaughtError


def looks(n: int, count: int = 3, spread: float = 0.05, seed: int = 0) -> np.ndarray:
    """Vectors around the n-th axis."""
    rng = np.random.default_rng((seed, n))
    around = rng.normal(0, spread / np.sqrt(EMBEDDING), (count, EMBEDDING)).astype(np.float32)
    around[:, n] += 1
    return around


def test_what_was_shown_is_known_again() -> None:
    taught = Taught().add("fingerprint", "red", looks(0)).add("fingerprint", "brown", looks(1))
    found = taught.classify(np.concatenate((looks(1, 1, seed=9), looks(0, 1, seed=9))))
    assert [(f.kind, f.face) for f in found if f] == [("fingerprint", "brown"), ("fingerprint", "red")]
    assert all(f.confidence > 0.95 for f in found if f)
    assert taught.kinds == ("fingerprint",)
    assert taught.of("fingerprint") == ("red", "brown")


def test_what_is_like_nothing_shown_is_nothing() -> None:
    taught = Taught().add("fingerprint", "red", looks(0))
    assert taught.classify(looks(5, 2)) == [None, None]
    assert Taught().classify(looks(5, 2)) == [None, None]


def test_between_two_faces_it_is_unsure_and_names_the_other() -> None:
    taught = Taught().add("a", "brown", looks(0)).add("a", "purple", looks(1))
    (found,) = taught.classify((looks(0, 1) + looks(1, 1)) / 2)
    assert found is not None
    assert found.confidence < 0.8
    assert {found.face, *found.alternatives} == {"brown", "purple"}


def test_it_is_kept_and_forgotten(tmp_path: Path) -> None:
    taught = Taught().add("a", "1", looks(0)).add("b", "red", looks(1))
    taught.save(tmp_path / FILE)
    again = Taught.load(tmp_path / FILE)
    assert again.faces == taught.faces
    assert np.array_equal(again.vectors, taught.vectors)
    assert again.forget("a").kinds == ("b",)
    assert again.only(("a",)).kinds == ("a",)
    assert Taught.load(tmp_path / "other.npz").faces == ()


def test_the_oldest_pictures_of_a_face_make_room() -> None:
    taught = Taught().add("a", "1", looks(0, 50)).add("a", "2", looks(1, 2)).add("a", "1", looks(2, 20))
    assert taught.faces.count(("a", "1")) == 60
    assert taught.faces.count(("a", "2")) == 2
    (found,) = taught.classify(looks(2, 1, seed=3))
    assert found is not None
    assert found.face == "1"


def test_light_is_kept_with_its_dice(tmp_path: Path) -> None:
    lights = np.arange(9, dtype=np.float32).reshape(3, 3)
    taught = Taught().add("a", "1", looks(0)).add("b", "red", looks(1), lights, (-1.0, -2.0, -3.0))
    taught.save(tmp_path / FILE)
    again = Taught.load(tmp_path / FILE).only(("b",))
    assert np.array_equal(again.lights, lights)
    assert np.array_equal(again.grounds, np.float32([(-1, -2, -3)] * 3))
    assert np.isnan(Taught.load(tmp_path / FILE).forget("b").lights).all()
    assert again.add("b", "red", looks(2, 59), np.ones((59, 3), np.float32)).lights[0, 0] == 6


def test_a_file_from_before_light_was_kept_is_read(tmp_path: Path) -> None:
    old = {"vectors": looks(0), "faces": np.array(["a\t1"] * 3), "edition": edition("face")}
    np.savez_compressed(tmp_path / FILE, **old)
    taught = Taught.load(tmp_path / FILE)
    assert taught.of("a") == ("1",)
    assert taught.lights.shape == taught.grounds.shape == (3, 3)
    assert np.isnan(taught.lights).all()
    np.savez_compressed(tmp_path / FILE, **old, lights=np.zeros((2, 3)), grounds=np.zeros((3, 3)))
    with pytest.raises(TaughtError, match="do not fit together"):
        Taught.load(tmp_path / FILE)


def test_likeness_is_the_cosine_to_each_face() -> None:
    taught = Taught().add("a", "1", looks(0)).add("a", "2", looks(1)).add("b", "3", looks(2))
    told = taught.likeness("a", ("1", "2", "3"), looks(1, 2, seed=5))
    assert told[:, 1] == pytest.approx(1, abs=0.02)
    assert told[:, 0] == pytest.approx(0, abs=0.05)
    assert (told[:, 2] == -1).all()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"\x93NUMPY"])
def test_a_damaged_file_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(TaughtError, match=r"dice.npz cannot be used.*Teach the dice again"):
        Taught.load(tmp_path / FILE)


def test_what_other_weights_were_taught_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Taught().add("a", "1", looks(0)).save(tmp_path / FILE)
    monkeypatch.setattr("vision.taught.edition", lambda _: "other")
    with pytest.raises(TaughtError, match=r"learned to read anew since\. Teach the dice again"):
        Taught.load(tmp_path / FILE)
