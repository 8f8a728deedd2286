"""Which lines are read, through what, and what the doctor says of them."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from companion import tower
from companion.doctor import Health
from companion.settings import parse
from hardware.edges import Edge, Line, Turned
from hardware.gpio import GpioEdges
from hardware.gpiod_lines import GpiodEdges
from hardware.profile import TowerProfile, for_lines

TOWER = "[tower]\nentry = 17\nfloor5 = 5\nfloor5_b = 6\n"
pytest.importorskip("gpiod")


def test_sensors_that_pull_low_get_a_pull_up_and_others_a_pull_down():
    assert tower.wired(parse(TOWER)) == (Line("entry", 17), Line("floor5", 5), Line("floor5_b", 6))
    assert tower.wired(parse(TOWER + "active_low = false"))[0] == Line("entry", 17, pull_up=False)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (TOWER, GpiodEdges),
        (TOWER + "backend = 'gpiod'", GpiodEdges),
        (TOWER + "backend = 'gpiozero'", GpioEdges),
        (TOWER + "active_low = false", Turned),
        ("[gpio]\nentry = 17\npin_factory = 'native'", GpioEdges),
        ("[gpio]\nentry = 17", GpiodEdges),
    ],
)
def test_the_backend_is_as_set_or_the_one_that_loses_nothing(text, kind, tmp_path):
    assert type(tower.edge_source(parse(text), tmp_path, print)) is kind


def test_without_lines_nothing_is_read(tmp_path):
    assert tower.edge_source(parse(""), tmp_path, print) is None
    assert tower.sentence(parse("")) == "no line is set"


def test_the_greeting_names_every_line():
    assert (
        tower.sentence(parse(TOWER)) == "entry on GPIO17, floor5 on GPIO5, floor5_b on GPIO6, through gpiod"
    )


def test_a_profile_is_made_for_the_lines_and_kept_when_they_change(tmp_path):
    heard = []
    fresh = tower.profile(parse(TOWER), tmp_path, heard.append)
    assert fresh.lines == ("entry", "floor5", "floor5_b")
    missed = tuple((1.0, 9.0 + plate) for plate in range(8))
    replace(for_lines(("entry", "floor5")), cube_mm=10.0, hole_mm=18.0, missed=missed).save(
        tmp_path / tower.FILE
    )
    known = tower.profile(parse(TOWER), tmp_path, heard.append)
    assert known.lines == fresh.lines
    assert known.cube_mm == 10
    assert known.missed[7] == missed[7]  # the same beam as before
    assert known.missed[5] != missed[5]  # a pair now, of which nothing is known yet
    assert heard == []


def test_a_damaged_profile_is_a_notice_and_the_built_in_one_is_used(tmp_path):
    heard = []
    (tmp_path / tower.FILE).write_text("{")
    assert tower.profile(parse(TOWER), tmp_path, heard.append) == for_lines(parse(TOWER).lines)
    assert [n.source for n in heard] == ["tower profile"]
    assert "tower.json" in heard[0].remedy
    assert isinstance(for_lines(()), TowerProfile)


@pytest.mark.parametrize(
    ("game", "book", "named"),
    [(None, None, True), ("arosa", None, False), ("arosa", {}, True), ("arosa", {"s-1": "{}"}, True)],
)
def test_beams_inside_are_named_only_when_nothing_is_sealed(game, book, named):
    table = SimpleNamespace(snapshot=lambda: SimpleNamespace(game=game, book=book))
    assert tower.open_book(table) is named


def test_a_report_holds_the_entry_s_edges_and_none_that_tell_a_floor():
    lines = ("entry", "entry_b", "floor7", "floor3", "floor3_b", "mic")
    rows = tower.entry_rows(Edge(line, False, 7.0) for line in lines)
    assert rows == [{"at": 7.0, "line": line, "level": False} for line in ("entry", "entry_b")]


# -- the doctor -------------------------------------------------------------------------------------

CARDS = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
 1 [sndrpigooglevoi]: RPi-simple - snd_rpi_googlevoicehat_soundcar
"""


def test_an_i2s_card_and_a_beam_on_its_lines_are_named():
    found = tower.check_i2s(parse("[tower]\nentry = 17\nfloor2 = 20"), CARDS)
    assert found.health is Health.BAD
    assert "floor2 on GPIO20" in found.text
    assert "18, 19, 20, 21" in found.remedy
    assert tower.check_i2s(parse(TOWER), CARDS).health is Health.GOOD
    assert tower.check_i2s(parse("[tower]\nfloor2 = 20"), CARDS.splitlines()[0]).health is Health.GOOD


def test_without_chips_the_doctor_says_so_and_each_line_has_its_finding(tmp_path):
    found = [check() for check in tower.checks(parse(TOWER), tmp_path, devices=tmp_path)]
    names = [finding.name for finding in found]
    assert names == ["gpio", "line entry", "line floor5", "line floor5_b", "microphone", "i2s"]
    assert found[0].health is Health.NOTE
    assert all(f.health is Health.BAD and "not here" in f.text and f.remedy for f in found[1:4])


def test_a_chip_that_is_none_of_a_pi_s_is_named(tmp_path):
    (tmp_path / "gpiochip0").touch()
    found = tower.checks(parse("[tower]\nbackend = 'gpiod'"), tmp_path, devices=tmp_path)[0]()
    assert found.health is Health.BAD
    assert found.remedy
