"""A parlour with Anna and Bert, and phones for them."""

from dataclasses import replace

import pytest

from house import PLAIN, House
from parlour import GAME
from web import serve


@pytest.fixture
def make_house(make_table):
    made = []

    def make(games=None, **ports):
        house = House(make_table(games or {"parlour": GAME}), replace(PLAIN, **ports))
        made.append(house)
        return house

    yield make
    for house in made:
        house.desk.hub.close()


@pytest.fixture
def house(make_house):
    """The parlour, with a game open."""
    house = make_house()
    house.start()
    return house


@pytest.fixture
def open_house(make_house):
    servers = []

    def make(games=None, **ports):
        house = make_house(games, **ports)
        server = serve(house.app, "127.0.0.1", 0, threads=24)
        servers.append(server)
        house.address = f"http://localhost:{server.port}"
        return house

    yield make
    for server in servers:
        server.close()
