"""The app put together: routes, cookie, headers, errors."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path

import jinja2
from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from companion import games
from companion.errors import CompanionError, GameNotFoundError
from companion.table import Table
from web import acts, hosting, pages, sensors, teaching, tower
from web.assets import Assets, gathered
from web.desk import KEY, Desk, admit, desk, known_host
from web.ports import Ports
from web.refusals import Refused, sentence
from web.screens import Screens, furnish
from web.spec import OPERATIONS
from web.stream import Hub

_log = logging.getLogger(__name__)

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' blob:; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def create_app(table: Table, ports: Ports, *, now: Callable[[], float] = time.monotonic) -> Flask:
    """The web over ``table``. ``now`` is a monotonic clock in seconds, for limits and streams."""
    app = Flask("web", static_folder=None, template_folder=None)
    assets = gathered()
    app.secret_key = ports.secret_key
    app.config.update(
        SESSION_COOKIE_NAME=KEY,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        # else an answer begun before a seat was taken would put the old cookie back after it
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=90),
        MAX_CONTENT_LENGTH=sensors.PHOTO_BYTES,
        ASSETS=assets,
    )
    environment = _environment(assets)
    app.extensions[KEY] = Desk(table, ports, Screens(table, ports, environment), Hub(table), now=now)
    for blueprint in (pages.pages, acts.api, hosting.api, sensors.api, teaching.api, tower.api):
        app.register_blueprint(blueprint)
    app.before_request(_look)
    app.after_request(_guard)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(CompanionError, _companion_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _fault)
    return app


@cache
def _environment(assets: Assets) -> jinja2.Environment:
    """Templates of the web, and beside them what a game's folder brings as ``<slug>/<kind>.html``."""
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader("web"), *(jinja2.FileSystemLoader(Path(p)) for p in games.__path__)]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    furnish(environment, lambda name: f"/static/{assets.stamp}/{name}")
    environment.globals.update(stylesheets=assets.stylesheets, scripts=assets.scripts)
    return environment


def _look() -> None:
    if not known_host(request.host, desk().ports.addresses):
        raise Refused(421, "This address is not the companion's. Open the address that its QR code shows.")
    if request.endpoint is not None:
        admit(OPERATIONS[request.endpoint])


def _guard(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    answer.headers.setdefault("Cache-Control", "no-store")
    return answer


def _say(text: str, status: int) -> tuple[Response | str, int]:
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        return desk().screens.page("error.html", text=text, status=status), status
    return jsonify({"error": text}), status


def _refused(fault: Refused) -> tuple[Response | str, int]:
    return _say(fault.text, fault.status)


def _companion_error(fault: CompanionError) -> tuple[Response | str, int]:
    return _say(sentence(fault), 404 if isinstance(fault, GameNotFoundError) else 409)


def _http_error(fault: HTTPException) -> tuple[Response | str, int]:
    status = fault.code or 500
    texts = {
        404: "There is nothing at this address. Start at the lobby.",
        405: "This address does not take that method; /openapi.json lists what it takes.",
        413: sensors.TOO_BIG,
    }
    return _say(texts.get(status, fault.description or fault.name), status)


def _fault(fault: Exception) -> tuple[Response | str, int]:
    _log.error("%s %s failed", request.method, request.endpoint, exc_info=fault)
    return _say(
        "Something went wrong here. Nothing is lost; try again, and tell the host if it stays.", 500
    )
