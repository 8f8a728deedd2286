"""Views to phones, taps to the table."""

from web.app import create_app
from web.ports import CameraPort, PhotoReading, Ports, RehearsalPort
from web.server import Server, serve

__all__ = ["CameraPort", "PhotoReading", "Ports", "RehearsalPort", "Server", "create_app", "serve"]
