"""Style sheets, scripts and drawings of house and games, under an address that changes with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from companion import games

STATIC = Path(__file__).with_name("static")

KINDS: Mapping[str, str] = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What is served of a game's folder, and as what; nothing else in it leaves the server."""

_FIRST = ("values.css", "meanings.css", "dark.css", "base.css")
_SHEETS = ("face.css", "panels.css")


@dataclass(frozen=True, slots=True)
class Assets:
    """Every file there is, by the name in its address: ``css/base.css``, ``games/<slug>/face.css``.

    Nothing is looked up on the disk by what an address says, so that no address leads elsewhere.
    """

    files: tuple[tuple[str, Path], ...]
    stamp: str
    """Twelve hex digits over names and contents: one for all, so scripts may import each other."""

    @property
    def stylesheets(self) -> tuple[str, ...]:
        """In the order they are linked: values before meanings before everything else, games last."""
        house = [name for name, _ in self.files if name.startswith("css/")]
        first = [f"css/{name}" for name in _FIRST if f"css/{name}" in house]
        own = [
            name
            for sheet in _SHEETS
            for name, _ in self.files
            if name.startswith("games/") and name.endswith(f"/{sheet}")
        ]
        return (*first, *(name for name in house if name not in first), *own)

    @property
    def scripts(self) -> tuple[str, ...]:
        """The games' own scripts, which every page loads as modules after the house's."""
        return tuple(name for name, _ in self.files if name.startswith("games/") and name.endswith(".js"))

    def find(self, name: str) -> Path | None:
        """The file of an address, or None."""
        return dict(self.files).get(name)


def gathered(house: Path = STATIC, folders: Mapping[str, Path] | None = None) -> Assets:
    """The files of the house's folder and of each game's; ``folders`` by slug, all games' if left out."""
    there = {p.relative_to(house).as_posix(): p for p in sorted(house.rglob("*")) if p.is_file()}
    for slug, folder in sorted((games.folders() if folders is None else folders).items()):
        own = sorted(p for p in folder.iterdir() if p.suffix in KINDS and p.is_file())
        there |= {f"games/{slug}/{p.name}": p for p in own}
    return Assets(tuple(there.items()), _stamp(there))


def _stamp(files: Mapping[str, Path]) -> str:
    digest = sha256()
    for name, path in sorted(files.items()):
        digest.update(name.encode() + b"\0")
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]
