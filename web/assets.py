"""Static files under an address that changes with their content."""

from hashlib import sha256
from pathlib import Path

STATIC = Path(__file__).with_name("static")


def fingerprint(folder: Path = STATIC) -> str:
    """Twelve hex digits over names and contents: one for all, so scripts may import each other."""
    digest = sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def stylesheets(folder: Path = STATIC) -> tuple[str, ...]:
    """The style sheets in the order they are linked: values before meanings before everything else."""
    first = ("values.css", "meanings.css", "dark.css", "faces.css", "base.css")
    names = sorted(p.name for p in (folder / "css").glob("*.css"))
    return (*first, *(name for name in names if name not in first))
