"""Asking the running companion for its last minute, as the camera's page does."""

import json
import shutil
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from companion.errors import CompanionError

_PATIENCE_S = 30.0


def fetch_minute(address: str, data: Path, file: Path) -> int:
    """Save the last minute of the companion at ``address`` into ``file``; return its size in bytes.

    The host PIN is read in ``data``. Raises CompanionError with what helps.
    """
    if not address.startswith(("http://", "https://")):
        raise CompanionError(f"{address} is no address of a companion; write http://...")
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    try:
        pin = (data / "host.pin").read_text(encoding="ascii").strip()
        body = json.dumps({"pin": pin}).encode()
        heads = {"Content-Type": "application/json", "X-Companion": "1", "Accept": "application/json"}
        signed = urllib.request.Request(f"{address}/api/host", body, heads)  # noqa: S310 - http, see above
        opener.open(signed, timeout=_PATIENCE_S).close()
        with (
            opener.open(f"{address}/api/camera/minute", timeout=_PATIENCE_S) as answer,
            file.open("wb") as kept,
        ):
            shutil.copyfileobj(answer, kept)
    except urllib.error.HTTPError as fault:
        raise CompanionError(f"{address} refused: {_reason(fault)}") from fault
    except (OSError, UnicodeDecodeError) as fault:
        raise CompanionError(
            f"no minute could be saved from {address}: {fault}. Is the companion running, with this --data?"
        ) from fault
    return file.stat().st_size


def _reason(fault: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(fault.read())["error"])
    except (ValueError, KeyError, TypeError):
        return f"{fault.code} {fault.reason}"
