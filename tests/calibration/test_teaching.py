"""Teaching a kind: prompts, pictures that are refused, and an honest table at the end."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.teaching import Lesson
from drawn import table
from pictured import COLOURS, picture
from plain_embedding import embed
from vision.dim import brightened
from vision.faceheads import EMBEDDING
from vision.frames import Frame
from vision.onelamp import body_lights, ground_light
from vision.taught import Taught


def taught(lesson, lamps=("day",)):
    """Show whatever is asked for."""
    seed = 0
    for lamp in lamps:
        if lamp != lesson.lamp:
            lesson = lesson.again((), lamp).again((), lamp)
        while lesson.face:
            seed += 1
            lesson, _ = lesson.show(*picture(lesson.face, seed=seed, lamp=lamp), embed)
    return lesson


def toy(vectors_of):
    """An embedding that says what it is told: (face of the frame's source) to a vector."""
    return lambda frame, outlines: np.stack([vectors_of(frame.source)] * len(outlines)).astype(np.float32)


def test_each_face_is_asked_for_twice_and_learned():
    lesson = Lesson.begin("fingerprint", tuple(COLOURS))
    assert lesson.prompt == ("Put the fingerprint dice down so that all show green. Take your hands away.")
    asked = []
    for seed in range(12):
        asked.append(lesson.face)
        lesson, told = lesson.show(*picture(lesson.face, seed=seed), embed)
        assert told == f"3 dice noted as {asked[-1]}."
    assert asked == [*COLOURS, *COLOURS]
    assert lesson.prompt == "All faces have been shown."
    gallery = lesson.gallery()
    assert gallery.of("fingerprint") == tuple(COLOURS)
    for face in COLOURS:
        (frame, outlines) = picture(face, seed=99)
        assert [like.face for like in gallery.classify(embed(frame, outlines))] == [face] * 3
    table_ = lesson.confusion()
    assert (table_.right, table_.total, table_.pairs) == (36, 36, ())
    assert any("in daylight only" in note and "under the evening lamp" in note for note in table_.notes)


def test_the_light_of_the_dice_and_of_the_table_is_kept():
    lessons = {
        lamp: Lesson.begin("fingerprint", tuple(COLOURS)).show(*picture("green", lamp=lamp), embed)[0]
        for lamp in ("day", "evening")
    }
    day, evening = (lesson.gallery() for lesson in lessons.values())
    assert np.isfinite(day.lights).all()
    green = np.exp(day.lights) - 0.05
    assert (green[:, 1] > 1.5 * green[:, 0]).all()  # as COLOURS has it
    assert (day.grounds == day.grounds[0]).all()
    assert (evening.lights[:, 2] < day.lights[:, 2]).all()
    assert (evening.grounds[:, 2] < day.grounds[:, 2]).all()


def test_a_lesson_at_dusk_is_measured_as_it_will_be_read():
    frame, outlines = picture("green")
    dusk = replace(frame, image=np.asarray(frame.image * 0.12, np.uint8))
    lesson, _ = Lesson.begin("fingerprint", tuple(COLOURS)).show(dusk, outlines, embed)
    (example,) = lesson.examples
    assert np.allclose(example.lights, body_lights(brightened(dusk.image), outlines))
    assert not np.allclose(example.lights, body_lights(dusk.image, outlines), atol=0.5)
    assert np.allclose(example.ground, ground_light(brightened(dusk.image), outlines))


def test_paints_that_tell_nothing_by_their_light_are_said_with_the_remedy():
    lesson = taught(Lesson.begin("fingerprint", tuple(COLOURS)), ("day", "evening"))
    dark = tuple(replace(e, lights=np.full_like(e.lights, np.nan)) for e in lesson.examples)
    (note,) = replace(lesson, examples=dark).confusion().notes
    assert "known by their looks alone" in note
    assert "plain ground" in note


def shown_beside(pattern, faces):
    """A lesson of two dice, beside which ``pattern`` outlines lie in every picture."""
    axes = np.eye(EMBEDDING, dtype=np.float32)
    lesson = Lesson.begin("cat", ("paw", "tail"))
    for n, face in enumerate(faces):
        frame, outlines = picture("green", dice=2, seed=n)
        frame = replace(frame, image=frame.image + np.uint8(n))  # so that something changed
        looks = [axes[("paw", "tail").index(face)]] * 2 + [axes[9]] * len(pattern)
        lesson, told = lesson.asking(face).show(
            frame, [*outlines, *pattern], lambda *_, v=looks: np.array(v)
        )
    return lesson, told


def test_what_lies_there_whichever_face_is_shown_is_no_die():
    flower = np.float32(((500, 300), (540, 300), (540, 340), (500, 340)))
    lesson, told = shown_beside([flower], ("paw", "tail", "tail"))
    assert told.startswith("2 dice noted as tail. What lies there whichever face is shown")
    assert lesson.awaited == ("cat", 2)
    assert len(lesson.gallery().faces) == 6
    assert {read for _, read in lesson.confusion().counts} <= {"paw", "tail"}
    lesson, told = shown_beside([flower], ("paw", "paw"))
    assert told == "3 dice noted as paw."  # one face is no proof
    assert len(lesson.gallery().faces) == 6


def test_dice_whose_faces_look_alike_are_kept_wherever_they_are_turned():
    axes = np.eye(EMBEDDING, dtype=np.float32)
    lesson = Lesson.begin("cat", ("paw", "tail"))
    for n, face in enumerate(("paw", "tail")):
        frame, outlines = picture("green", dice=1, seed=0)
        frame = replace(frame, image=np.roll(frame.image, 9 * n, axis=1))
        lesson, told = lesson.asking(face).show(frame, outlines, lambda *_: axes[:1])
        assert told == f"One die noted as {face}."
    assert lesson.gallery().of("cat") == ("paw", "tail")


def test_the_dice_looked_for_are_those_taught():
    lesson = Lesson.begin("cat", ("paw", "tail"))
    assert lesson.awaited == ("cat", 1)
    for dice in (3, 2):
        lesson, _ = lesson.show(*picture("green", dice=dice, seed=dice), embed)
    assert lesson.awaited == ("cat", 3)


def test_two_lamps_are_learned_apart_and_no_note_is_left():
    lesson = taught(Lesson.begin("fingerprint", tuple(COLOURS)), ("day", "evening"))
    seen = lesson.confusion()
    assert (seen.right, seen.total) == (72, 72)
    assert seen.notes == ()


def test_what_is_mixed_up_is_said_with_the_lamp_and_the_remedy():
    axes = np.eye(EMBEDDING)
    places = {"green": axes[0], "brown": axes[1], "purple": axes[1], "red": axes[2]}
    lesson = Lesson.begin("fingerprint", tuple(places), lamp="evening")
    for n in range(8):
        frame, outlines = picture("green", dice=5, seed=n)
        frame = Frame(frame.image, 0.0, lesson.face)
        lesson, _ = lesson.show(frame, outlines, toy(places.get))
    seen = lesson.confusion()
    (pair,) = seen.pairs
    assert pair.faces == ("brown", "purple")
    assert pair.total == 20
    assert pair.text == (
        f"brown and purple were mixed up {pair.times} times of 20: show both again under the evening lamp."
    )
    assert seen.right == 40 - pair.times
    assert seen.counts["green", "green"] == 10


def test_a_picture_is_refused_without_dice_and_when_nothing_was_turned():
    lesson = Lesson.begin("teatime", ("1", "glass"))
    with pytest.raises(ValueError, match="No die is seen"):
        lesson.show(Frame(table(), 0.0, "t"), [], embed)
    frame, outlines = picture("red", seed=1)
    lesson, _ = lesson.show(frame, outlines, embed)
    noisy = np.clip(frame.image + np.random.default_rng(9).normal(0, 3, frame.image.shape), 0, 255)
    with pytest.raises(ValueError, match=r"same picture as before\. Turn the dice to glass"):
        lesson.show(Frame(noisy.astype(np.uint8), 1.0, "t"), outlines, embed)
    lesson, told = lesson.show(*picture("blue", dice=1, seed=2), embed)
    assert told == "One die noted as glass."


def test_a_face_shown_once_is_not_judged_and_one_never_shown_is_named():
    lesson = Lesson.begin("teatime", ("1", "2", "glass"))
    lesson, _ = lesson.show(*picture("red", seed=1), embed)
    lesson, _ = lesson.show(*picture("blue", seed=2), embed)
    seen = lesson.skip().confusion()
    assert seen.total == 0
    assert "1, 2 were shown once only" in seen.notes[0]
    assert seen.notes[1].startswith("Never shown: glass.")


def test_what_was_taught_before_stays_and_helps():
    first = taught(Lesson.begin("fingerprint", tuple(COLOURS))).gallery()
    lesson = Lesson.begin("fingerprint", tuple(COLOURS), base=first)
    lesson = lesson.again(("brown", "purple"), "day")
    for _ in range(6):
        lesson = lesson.skip()
    while lesson.face:
        lesson, _ = lesson.show(*picture(lesson.face, seed=200 + len(lesson.queue)), embed)
    seen = lesson.confusion()
    assert seen.right == seen.total > 0
    assert len(lesson.gallery().faces) > len(first.faces)
    assert not any("Never" in note for note in seen.notes)


@pytest.mark.parametrize(
    ("kind", "faces", "why"),
    [
        ("", ("1", "2"), "is no name"),
        ("a<b", ("1", "2"), "is no name"),
        ("cat", ("1",), "two faces"),
        ("cat", ("1", "1"), "named twice"),
        ("cat", tuple(map(str, range(30))), "twenty at most"),
    ],
)
def test_kinds_that_cannot_be(kind, faces, why):
    with pytest.raises(ValueError, match=why):
        Lesson.begin(kind, faces)
    with pytest.raises(ValueError, match="have no 7"):
        Lesson.begin("cat", ("1", "2")).again(("7",), "day")


def test_the_plain_embedding_does_not_mind_a_quarter_turn():
    frame, outlines = picture("blue", dice=1)
    turned = [np.roll(outlines[0], 1, axis=0)]
    one, other = embed(frame, outlines)[0], embed(frame, turned)[0]
    assert float(one @ other) > 0.99
    assert embed(frame, []).shape == (0, EMBEDDING)
    assert Taught().classify(one[None]) == [None]
