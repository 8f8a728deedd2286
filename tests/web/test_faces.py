"""What each game looks like, out of its own folder: served, readable, and nothing else beside it."""

import re
import tomllib
from pathlib import Path

import pytest

from companion import games
from companion.games import all_games, folder
from web.assets import KINDS, STATIC, gathered

ROOT = Path(__file__).parents[2]
GAMES = [pytest.param(game, id=slug) for slug, game in all_games().items()]
THEMES = ("light", "dark")
MOTIFS = {"light": "motif-day.svg", "dark": "motif-night.svg"}
READ = (
    *((ink, paper) for ink in ("text", "text-soft", "accent") for paper in ("ground", "sheet", "sunken")),
    ("text", "accent-soft"),
    ("accent-strong", "accent-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("on-hush", "hush"),
)
"""Pairs of meanings, what is read on what, which every palette has to keep apart."""


# -- serving -----------------------------------------------------------------------------------------


@pytest.fixture
def made(tmp_path):
    """A house with one sheet and a game with everything, and what of it is found."""
    house, game = tmp_path / "house", tmp_path / "dash"
    for path in (house / "css" / "base.css", house / "js" / "main.js"):
        path.parent.mkdir(parents=True)
        path.write_text("/* */")
    (game / "playthroughs").mkdir(parents=True)
    for name in ("face.css", "panels.css", "motif-day.svg", "cups.js", "rules.py", "README.md", "cup.html"):
        (game / name).write_text("/* */")
    (game / "playthroughs" / "won.css").write_text("/* */")
    return lambda: gathered(house, {"dash": game})


def test_of_a_games_folder_its_looks_are_found_and_nothing_else(made):
    own = {name for name, _ in made().files if name.startswith("games/")}
    assert own == {f"games/dash/{name}" for name in ("face.css", "panels.css", "motif-day.svg", "cups.js")}
    assert made().stylesheets == ("css/base.css", "games/dash/face.css", "games/dash/panels.css")
    assert made().scripts == ("games/dash/cups.js",)


@pytest.mark.parametrize("changed", ["css/base.css", "games/dash/face.css", "games/dash/motif-day.svg"])
def test_the_address_follows_the_content(made, changed):
    first = made().stamp
    path = made().find(changed)
    path.write_text("b")
    assert made().stamp != first
    path.write_text("/* */")
    assert made().stamp == first
    path.rename(path.with_name(f"other{path.suffix}"))
    assert made().stamp != first


@pytest.mark.parametrize("game", GAMES)
def test_every_page_links_what_the_game_looks_like_after_the_house(house, game):
    page = house.phone().page("/")
    linked = re.findall(r'<link rel="stylesheet" href="/static/[0-9a-f]{12}/([^"]+)"', page)
    face = linked.index(f"games/{game.slug}/face.css")
    assert all(name.startswith("games/") for name in linked[face:])
    for path in folder(game).glob("*.js"):
        assert re.search(rf'<script type="module" src="/static/\w+/games/{game.slug}/{path.name}"', page)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_looks_like_is_served_for_a_year_and_under_the_houses_policy(house, game):
    assets = gathered()
    for path in (p for p in folder(game).iterdir() if p.suffix in KINDS):
        with house.phone().get(f"/static/{assets.stamp}/games/{game.slug}/{path.name}") as answer:
            assert answer.status_code == 200
            assert answer.get_data() == path.read_bytes()
            assert answer.mimetype == KINDS[path.suffix]
            assert "immutable" in answer.headers["Cache-Control"]
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    [
        "games/moss/rules.py",
        "games/moss/README.md",
        "games/moss/playthroughs/won.txt",
        "games/moss/__init__.py",
        "games/moss/nothing.css",
        "games/nothing/face.css",
        "games/moss/../moss/face.css",
        "games/moss/%2e%2e/%2e%2e/book.py",
        "games/../../pyproject.toml",
        "games/moss/",
        "games/moss",
        "/etc/passwd",
        "css/../js/main.js",
        "css\\base.css",
        "../assets.py",
        "",
    ],
)
def test_nothing_else_is_served(house, name):
    with house.phone().get(f"/static/{gathered().stamp}/{name}", follow_redirects=True) as answer:
        assert answer.status_code == 404
        assert b"GAME" not in answer.get_data()


def test_an_installed_package_brings_what_is_served():
    """Whoever installs a wheel has no checkout: each file must be among what setuptools packs."""
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    package = Path(games.__file__).parents[1]
    for slug, own in games.folders().items():
        brought = [p for p in own.rglob("*") if p.is_file() and p.suffix not in {".py", ".pyc"}]
        assert brought
        for path in brought:
            name = path.relative_to(package)
            assert any(name.match(pattern) for pattern in packed["companion"]), f"{slug}: {name}"


# -- faces -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_game_wears_the_face_of_its_folder(make_house, game):
    house = make_house({game.slug: game})
    house.start(game.slug)
    assert f'<html lang="en" data-face="{game.slug}">' in house.phone().page("/table")


@pytest.mark.parametrize("game", GAMES)
def test_a_face_speaks_for_its_own_game_only(game):
    for name in ("face.css", "panels.css"):
        sheet = folder(game) / name
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text() if sheet.exists() else "", flags=re.DOTALL)
        for selector in re.findall(r"(?:^|[{}])\s*([^@{}][^{}]*)\{", text) if name == "face.css" else ():
            assert all(f':root[data-face="{game.slug}"]' in part for part in selector.split(",")), selector
        for address in re.findall(r"url\(([^)]*)\)", text):
            assert (folder(game) / address.strip("\"'")).is_file(), address


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_a_palette_is_readable(game, theme):
    own, worn = palettes(game)[theme], colours(game, theme)
    assert {"ground", "sheet", "text", "text-soft", "accent"} <= set(own)
    for ink, paper in READ:
        assert contrast(worn[ink], worn[paper]) >= 4.5, f"--{ink} on --{paper}"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_a_motif_is_drawn_and_what_stands_over_it_is_readable(game, theme):
    text = (folder(game) / MOTIFS[theme]).read_text()
    assert text.startswith("<svg ")
    assert not re.search(r"<script|<image|<style|href|\bon\w+=|url\(", text)
    worn, drawn = colours(game, theme), set(re.findall(r"#[0-9a-f]{6}\b", text))
    assert len(drawn) >= 2
    for paint in drawn:
        for ink in ("text", "text-soft"):
            assert contrast(worn[ink], paint) >= 4.5, f"--{ink} over {paint}"
    assert MOTIFS[theme] in (folder(game) / "face.css").read_text()


def test_games_differ_in_colour_letters_and_motif():
    faces = [palettes(game.values[0])["light"] for game in GAMES]
    for name in ("ground", "accent", "serif"):
        assert len({face[name] for face in faces}) == len(faces), name
    assert len({(folder(g.values[0]) / MOTIFS["light"]).read_bytes() for g in GAMES}) == len(faces)


def test_contrast_is_what_the_guidelines_say():
    """The two ends, and the grey that WCAG 2 is known to just accept on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.01)


# -- reading sheets ----------------------------------------------------------------------------------


def palettes(game):
    """What a face redefines, by theme: names without dashes to what stands there."""
    text = (folder(game) / "face.css").read_text()
    mine = re.escape(f':root[data-face="{game.slug}"]')
    return {
        theme: properties(text, rf"{mine}{suffix}\s*")
        for theme, suffix in (("light", ""), ("dark", r'\[data-theme="dark"\]'))
    }


def properties(text, selector):
    """The custom properties of the one rule with this selector, a regular expression."""
    (rule,) = re.findall(rf"^{selector}\{{([^}}]*)\}}", text, re.MULTILINE)
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", rule))


def colours(game, theme):
    """What a page in this face and theme sees: the house's values and meanings under the face's own."""
    sheets = {name: (STATIC / "css" / f"{name}.css").read_text() for name in ("values", "meanings", "dark")}
    seen = properties(sheets["values"], r":root\s*") | properties(sheets["meanings"], r":root\s*")
    if theme == "dark":
        seen |= properties(sheets["dark"], r':root\[data-theme="dark"\]\s*')
    seen |= palettes(game)["light"] | (palettes(game)["dark"] if theme == "dark" else {})

    def resolved(value):
        named = re.fullmatch(r"var\(--([\w-]+)\)", value)
        return resolved(seen[named[1]]) if named else value

    return {name: resolved(value) for name, value in seen.items()}


def contrast(one, other):
    """WCAG 2's ratio of two colours written ``#rrggbb``, 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    assert re.fullmatch(r"#[0-9a-f]{6}", colour), colour
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
