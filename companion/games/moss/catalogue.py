"""Our own stand-in for the box: tiles, suspects, evidence and tokens that anybody may play with.

The designs of the published pieces are not public. These agree with all that the rulebook says
of them (counts, kinds, what its examples show); everything else is our own.
"""

from typing import Final

from companion.games.moss.tiles import Tile

VICTIM: Final = "John Dough"

SCENE_TILE: Final = Tile.parse("Scene of the Crime:scene:1:oooo:-")
CAR_NUMBER: Final = 3
PASSAGE_TOKEN_NUMBER: Final = 1

ROOM_TILES: Final = tuple(
    Tile.parse(text)
    for text in (
        # Ten suspects sit where families sit.
        "Drawing Room:suspect:2:oo.l:-",
        "Library:suspect:4:ol.o:2",
        "Music Room:suspect:3:oooo:-",
        "Dining Room:suspect:5:olo.:-",
        "Billiard Room:suspect:1:ooo.:-",
        "Winter Garden:suspect:3:ooo.:-",
        "Smoking Room:suspect:4:ol.o:-",
        "Nursery:suspect:2:oo.o:-",
        "Guest Room:suspect:5:oll.:-",
        "Gallery:suspect:1:oo.o:-",
        # Eight rooms where something was left lying.
        "Study:evidence:4:oo.l:1",
        "Kitchen:evidence:2:ooo.:-",
        "Bathroom:evidence:1:oo..:-",
        "Boot Room:evidence:3:ool.:-",
        "Wine Cellar:evidence:5:oo.o:3",
        "Master Bedroom:evidence:2:oool:-",
        "Attic:evidence:4:oo.o:-",
        "Laundry:evidence:3:oo.o:-",
        # Six rooms that help.
        "Hall:assistance:1:oooo:-",
        "Pantry:assistance:2:oo.o:1",
        "Workshop:assistance:3:ool.:-",
        "Chapel:assistance:5:ooo.:2",
        "Servants' Quarters:assistance:4:oo.o:-",
        "Boiler Room:assistance:1:ool.:-",
    )
)

SUSPECTS: Final = (
    "Rye Crumble",
    "Barley Mead",
    "Fennel Crisp",
    "Ginger Snapp",
    "Poppy Seedling",
    "Basil Crouton",
    "Olive Focaccia",
    "Clove Hotchkiss",
    "Sorrel Bunn",
    "Anise Pretzelli",
)

EVIDENCE: Final = ("four", "corner", "corner", "straight", "single", "alibi", "alibi", "tainted")

ASSISTANCE: Final = (
    "key",
    "key",
    "warrant",
    "lucky_break",
    "informant",
    "flashlight",
    "passageway",
    "no_time_to_lose",
    "switch",
    "bomb",
)
"""Nine kinds, ten tokens: which kind the box holds twice is not told; ours is the Key."""
