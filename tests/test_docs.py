"""The guides: their settings are settings, their drawings can be drawn, and both say the same."""

import re
import shlex
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.__main__ import _parser
from companion.settings import parse

DOCS = Path(__file__).parents[1] / "docs"
DRAWINGS = sorted(DOCS.rglob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}"


def blocks(file):
    """The indented blocks of a guide, each without its indentation."""
    found = re.findall(r"(?:^ {4}.*\n|^\n)+", file.read_text(encoding="utf-8"), re.MULTILINE)
    return [textwrap.dedent(block).strip() for block in found if block.strip()]


SETTINGS = [block for file in sorted(DOCS.glob("*.md")) for block in blocks(file) if block.startswith("[")]


def test_there_are_examples_and_drawings():
    assert len(SETTINGS) >= 6
    assert len(DRAWINGS) >= 4


@pytest.mark.parametrize("text", SETTINGS)
def test_examples_of_settings_are_understood(text):
    parse(text)


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda path: path.name)
def test_drawings_are_well_formed_and_say_what_they_show(drawing):
    root = ET.fromstring(drawing.read_text(encoding="utf-8"))
    assert root.tag == f"{SVG}svg"
    labels = root.get("aria-labelledby", "").split()
    for child in ("title", "desc"):
        element = root.find(f"{SVG}{child}")
        assert element is not None
        assert len(element.text) > 10
        assert element.get("id") in labels
    assert "prefers-color-scheme: dark" in drawing.read_text(encoding="utf-8")


def test_what_the_guides_show_is_there():
    for file in DOCS.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
            assert (DOCS / target).exists(), f"{file.name}: {target}"


def test_the_drawing_of_the_header_and_the_settings_name_the_same_lines():
    said = ET.fromstring((DOCS / "pictures" / "tower-header.svg").read_text(encoding="utf-8"))
    drawn = dict(re.findall(r"\b(entry(?:_b)?|floor\d(?:_b)?) GPIO(\d+)", said.findtext(f"{SVG}desc")))
    lines = {}
    for text in SETTINGS:
        lines |= parse(text).lines
    mic = lines.pop("mic")
    assert {name: str(bcm) for name, bcm in lines.items()} == drawn
    assert f"module GPIO{mic} pin" in said.findtext(f"{SVG}desc")


def test_no_line_of_the_drawing_is_one_that_the_i2s_microphone_needs():
    text = max(SETTINGS, key=len)
    assert '"USB"' in text
    assert parse(text.replace('"USB"', '"googlevoicehat"')).lines == parse(text).lines


COMMANDS = [
    shlex.split(line.replace("[", "").replace("]", ""), comments=True)[1:]
    for line in (DOCS / "build-guide.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("    companion calibrate tower")
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_of_the_guide_are_understood(words):
    assert _parser().parse_args(words).act is not None


def test_no_figure_is_still_to_be_filled_in():
    for file in DOCS.glob("*.md"):
        assert "{{" not in file.read_text(encoding="utf-8"), file.name
