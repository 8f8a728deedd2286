"""The tower's part of companion.toml: what it understands, and what it says of the rest."""

import re
import textwrap
from pathlib import Path

import pytest

from companion.errors import SettingsError
from companion.settings import GpioSettings, Settings, TowerSettings, parse


def test_lines_have_their_names_and_what_is_not_wired_is_left_out():
    settings = parse("[tower]\nfloor3_b = 6\nfloor3 = 5\nentry = 17\nmic = 24")
    assert settings.lines == {"entry": 17, "floor3": 5, "floor3_b": 6, "mic": 24}
    assert settings.broken_is_low
    assert parse("").lines == {}


def test_every_line_of_the_tower_can_be_set():
    floors = [f"floor{n}{b}" for n in range(8) for b in ("", "_b")]
    names = ["entry", "entry_b", *floors, "mic"]
    text = "\n".join(f"{name} = {4 + n}" for n, name in enumerate(names))
    assert parse(f"[tower]\n{text}").lines == {name: 4 + n for n, name in enumerate(names)}


@pytest.mark.parametrize(
    ("text", "lines", "low"),
    [
        ("[gpio]\nentry = 17", {"entry": 17}, True),
        ("[gpio]\nentry = 17\nactive_low = false", {"entry": 17}, False),
        ("[gpio]\nentry = 17\n[tower]\nentry = 17\nfloor0 = 5", {"entry": 17, "floor0": 5}, True),
        ("[gpio]\nentry = 17\n[tower]\nactive_low = false", {"entry": 17}, False),
        ("[gpio]\npin_factory = 'native'\n[tower]\nentry = 4", {"entry": 4}, True),
    ],
)
def test_the_older_words_still_mean_the_entry(text, lines, low):
    settings = parse(text)
    assert settings.lines == lines
    assert settings.broken_is_low is low


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("floor3 = 28", r"tower.floor3 = 28 must be from 0 to 27 \(the BCM numbers"),
        ("floor3 = -1", "tower.floor3 = -1 must be from 0 to 27"),
        ("floor8 = 5", "tower.floor8 is not a setting; did you mean floor"),
        ("entry = '17'", "tower.entry = '17' must be a whole number"),
        ("entry = 2", "tower.entry = 2 is no line for a sensor .2 and 3 have fixed pull-ups"),
        ("floor0_b = 3", "tower.floor0_b = 3 is no line for a sensor"),
        ("mic = 1", "memory of add-on boards"),
        ("entry = 17\nfloor4 = 17", "tower.entry and tower.floor4 are both 17; give every sensor"),
        ("floor4 = 5\nfloor4_b = 5", "tower.floor4 and tower.floor4_b are both 5"),
        ("backend = 'lgpio'", "tower.backend = lgpio must be auto or gpiozero or gpiod"),
        ("floor4 = 19\nmicrophone = 'googlevoicehat'", "tower.floor4 = 19 cannot be used with the I2S mic"),
        ("entry = 4\n[gpio]\nentry = 17", "are the same beam; remove gpio.entry"),
        ("entry = 17\nfloor4 = 17", "both 17"),
    ],
)
def test_what_cannot_be_meant_is_named_with_what_to_do(text, words):
    with pytest.raises(SettingsError, match=words) as caught:
        parse(f"[tower]\n{text}", name="companion.toml")
    assert str(caught.value).startswith("companion.toml: ")


def test_an_entry_from_before_collides_like_any_other():
    with pytest.raises(SettingsError, match=r"tower.entry and tower.mic are both 17"):
        parse("[gpio]\nentry = 17\n[tower]\nmic = 17")


def test_i2s_lines_are_free_for_beams_with_a_usb_microphone():
    text = "[tower]\nentry = 18\nfloor7 = 21\nmicrophone = 'USB PnP Sound Device'"
    assert parse(text).lines == {"entry": 18, "floor7": 21}


def test_settings_made_without_a_file_have_the_same_lines():
    assert Settings(gpio=GpioSettings(entry=17)).lines == {"entry": 17}
    assert Settings(tower=TowerSettings(floor5_b=6)).lines == {"floor5_b": 6}


def test_every_example_of_the_build_guide_can_be_set():
    guide = (Path(__file__).parents[2] / "docs" / "build-guide.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?m)^    \[tower\]\n(?:    .+\n)+", guide)
    assert len(blocks) >= 4
    for block in blocks:
        assert parse(textwrap.dedent(block)).lines["entry"]
