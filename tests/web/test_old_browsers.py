"""A phone of five years ago shows the same: nothing newer than Chrome 95 or iOS 15 without a way back."""

import re

import pytest

from web.assets import gathered

FILES = gathered().files
SHEETS = [pytest.param(path, id=name) for name, path in FILES if name.endswith(".css")]
SCRIPTS = [pytest.param(path, id=name) for name, path in FILES if re.match(r"(js|games)/.*\.js$", name)]
NEWER_UNITS = re.compile(r"\d(?:[dsl]v[hw]|cq[iwbh])\b")
NEWER_SCRIPT = re.compile(
    r"structuredClone|\.findLast|\.toSorted|\.toSpliced|\.at\(|Object\.hasOwn|Promise\.withResolvers"
    r"|AbortSignal\.(?:any|timeout)|randomUUID|\bstatic \{|\binert\b|showPopover|startViewTransition"
)


def declarations(sheet):
    """(whether inside ``@supports``, the rule so far, property, value) of each declaration."""
    depth, supported, rule = 0, None, []
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    for piece in re.findall(r"[^{};]+[{;]|\}|[^{};]+(?=\})", text):
        if piece.endswith("{"):
            depth += 1
            rule = []
            if "@supports" in piece and supported is None:
                supported = depth
        elif piece == "}":
            supported = None if supported == depth else supported
            depth -= 1
        else:
            name, _, value = piece.strip().rstrip(";").partition(":")
            yield supported is not None, tuple(rule), name.strip(), value.strip()
            rule.append((name.strip(), value.strip()))


@pytest.mark.parametrize("sheet", SHEETS)
def test_colours_are_mixed_only_where_the_browser_can(sheet):
    for supported, _, name, value in declarations(sheet):
        assert supported or "color-mix(" not in value, f"{name}: {value}"


@pytest.mark.parametrize("sheet", SHEETS)
def test_newer_units_stand_after_older_ones_and_without_variables(sheet):
    for supported, rule, name, value in declarations(sheet):
        if supported or not NEWER_UNITS.search(value):
            continue
        # a declaration with a variable is dropped too late for the one before it to count
        assert "var(" not in value, f"{name}: {value}"
        earlier = [old for old, text in rule if not NEWER_UNITS.search(text)]
        assert name in earlier or (name == "font-size" and "font" in earlier), f"{name}: {value}"


def test_the_reader_of_sheets_sees_what_it_should(tmp_path):
    sheet = tmp_path / "x.css"
    sheet.write_text("a{width:1vh;width:1dvh}@supports (x:y){@media (z){b{c:color-mix(d)}}}e{f:g}")
    assert [(s, n, v) for s, _, n, v in declarations(sheet)] == [
        (False, "width", "1vh"),
        (False, "width", "1dvh"),
        (True, "c", "color-mix(d)"),
        (False, "f", "g"),
    ]


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_use_nothing_newer(script):
    text = script.read_text(encoding="utf-8")
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
    assert not NEWER_SCRIPT.search(code)
    assert script.name == "sheets.js" or "showModal" not in code
