"""Views to phones, taps to the table."""

from web.app import create_app
from web.ports import CameraPort, LedgerPort, PhotoReading, Ports, RehearsalPort, TeachingPort
from web.server import Server, bound, serve, serve_at

__all__ = [
    "CameraPort",
    "LedgerPort",
    "PhotoReading",
    "Ports",
    "RehearsalPort",
    "Server",
    "TeachingPort",
    "bound",
    "create_app",
    "serve",
    "serve_at",
]
