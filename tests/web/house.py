"""A parlour with Anna and Bert, and phones for them."""

from dataclasses import dataclass
from itertools import count

from web import Ports, create_app
from web.desk import KEY

PIN = "2468"
ROLL = [*(f"white:{face}" for face in "1234561"), "coloured:5"]
PLAIN = Ports(
    read_photo=None,
    rehearsal=None,
    camera=None,
    addresses=("http://192.168.1.23:8080", "http://moss.local:8080"),
    host_pin=PIN,
    secret_key=b"k" * 32,
    shutdown=lambda: None,
    version="1.2.3",
)
_ids = count()


@dataclass
class Phone:
    """A browser that talks to the companion as its pages do."""

    client: object
    seat: str | None = None

    def get(self, path, **more):
        return self.client.get(path, **more)

    def post(self, path, body=None):
        return self.client.post(path, json=body or {})

    def tap(self, word, args=None, **more):
        body = {"id": f"tap-{next(_ids)}", "word": word, "args": args or {}, "seen": 0, **more}
        return self.post("/api/tap", body)

    def throw(self, dice=ROLL):
        return self.post("/api/dice", {"id": f"roll-{next(_ids)}", "dice": list(dice)})

    def page(self, path="/play"):
        return self.get(path).get_data(as_text=True)


class House:
    """A table of two, its app, and phones."""

    def __init__(self, table, ports):
        self.table = table
        self.seconds = [0.0]
        self.app = create_app(table, ports, now=lambda: self.seconds[-1])
        self.desk = self.app.extensions[KEY]
        there = {seat.name: seat for seat in table.snapshot().seats}
        self.anna = there.get("Anna") or table.join("Anna")
        self.bert = there.get("Bert") or table.join("Bert")

    def phone(self, seat=None, *, host=False):
        phone = Phone(self.app.test_client(), seat.key if seat else None)
        if seat:
            assert phone.post("/api/rejoin", {"code": seat.code}).status_code == 200
        if host:
            assert phone.post("/api/host", {"pin": PIN}).status_code == 200
        return phone

    def start(self, slug="parlour", seats=None):
        keys = tuple(seat.key for seat in seats or (self.anna, self.bert))
        return self.table.start_game(slug=slug, title="", seats=keys, options={})
