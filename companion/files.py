"""Files that survive a power cut."""

import os
from pathlib import Path


def write_whole(file: Path, content: bytes, *, mode: int = 0o644) -> None:
    """Write ``file`` so that after a power cut the old or the new content is there, never half.

    Raises OSError as the system gives it.
    """
    part = file.with_name(f".{file.name}.new")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
