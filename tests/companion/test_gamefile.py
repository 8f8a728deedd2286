"""Games as text that other people's editors, and other people, have had in hand."""

import pytest
from cryptography.fernet import Fernet

from companion import gamefile
from companion.errors import CompanionError
from companion.seal import Seal
from dash import GAME as DASH

GAMES = {"dash": DASH}
HEAD = "companion game 1\ngame dash\ntitle T\nseat anna Anna\nseat bert Bert\noption goal 20\n"
FACTS = "\n1.0 anna passed\n2.0 bert dice_rolled roll=r dice=white:2,white:3\n"


def folded(text, **more):
    return gamefile.fold(gamefile.read(text, GAMES, **more), DASH)


@pytest.mark.parametrize(
    "text",
    [
        (HEAD + FACTS).replace("\n", "\r\n"),
        "\N{BYTE ORDER MARK}" + HEAD + FACTS,
        "# a note\n" + HEAD + "# another\n" + FACTS + "\n\n   \n# the end\n",
        (HEAD + FACTS).rstrip("\n"),
    ],
)
def test_what_editors_do_to_a_text_does_it_no_harm(text):
    assert folded(text).state.scores == (0, 5)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + "seat anna Anna\n", "line 7: seat 'anna' stands there twice"),
        (HEAD + "option goal 40\n", "line 7: option 'goal' stands there twice"),
        (HEAD + "seat table Table\n", "line 7: 'table' is no seat"),
        (HEAD + "seat\n", "line 7: '' is no seat"),
        ("companion game 1\ngame dash\n", "this game has no seat"),
        (HEAD + "\nnan anna passed\n", "line 8: 'nan' is not a number of seconds"),
        (HEAD + "carried best {\n", "line 7: "),
        (HEAD + "\n1.0 anna passed " + "x" * 1_000_000, "is not name=value"),
        ("", "first line must be"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_its_line(text, why):
    with pytest.raises(CompanionError) as told:
        folded(text)
    assert why in str(told.value)


def test_a_sealed_word_in_another_place_opens_nothing_to_anybody():
    seal = Seal(Fernet.generate_key())
    setup = gamefile.read(HEAD + "deal planted-deal\n", GAMES).setup
    file = gamefile.GameFile("dash", "T", setup)
    text = gamefile.write(file, DASH, close=seal.close, over=False)
    assert gamefile.read(text, GAMES, open_seal=seal.open).setup.deal == "planted-deal"
    token = text.partition("sealed-deal ")[2].split()[0]
    with pytest.raises(CompanionError) as told:
        gamefile.read(f"{HEAD}\n1.0 anna sealed {token}\n", GAMES, open_seal=seal.open)
    assert "planted-deal" not in str(told.value)
    assert "line 8" in str(told.value)
    note = seal.close("1.0 anna whispered text=planted-note")
    with pytest.raises(CompanionError, match="line 7: what is sealed there is no deal"):
        gamefile.read(f"{HEAD}sealed-deal {note}\n", GAMES, open_seal=seal.open)


def test_a_very_long_evening_is_taken_in_whole_and_opens(make_table):
    table = make_table()
    many = "".join(f"{n}.0 {('anna', 'bert')[n % 2]} passed\n" for n in range(5000))
    game = table.import_game(HEAD + "\n" + many)
    assert game.facts == 5000
    table.open_game(game.id)
    assert len(table.snapshot().history) == 5000
