"""Unusual Suspects with one rule broken at a time: U1 to U10, the readings and the secrets."""

from mutate import Mutation

# What follows is code as text, so its lines are as long as that code's.
TESTS = tuple(
    f"tests/games/test_suspects_{name}.py"
    for name in ("acceptance", "rules", "readings", "mistakes", "screen", "secrets", "evenings")
)

CASES, DEALING, OFFERS, PIECES, PROMPTS, RULES, TURNS, VIEW = (
    f"{name}.py" for name in ("cases", "dealing", "offers", "pieces", "prompts", "rules", "turns", "view")
)

MUTATIONS = (
    Mutation(
        "U1", "nobody is asked who deals", RULES, "return state if rules.dealer_asked else ", "return "
    ),
    Mutation(
        "U1", "the first seat deals whoever is named", DEALING, "state.seats.index(event.player))", "0)"
    ),
    Mutation("U2", "five may play", RULES, "= (2, 4)", "= (2, 5)"),
    Mutation("U2", "there are 48 cards", PIECES, "CARDS: Final = 54", "CARDS: Final = 48"),
    Mutation(
        "U2",
        "the deck is not shuffled",
        DEALING,
        'return shuffled(state.deal, f"case {case}", cards)',
        "return tuple(cards)",
    ),
    Mutation(
        "U2", "every case is dealt alike", DEALING, 'shuffled(state.deal, f"case {case}"', 'shuffled("", ""'
    ),
    Mutation("U3", "a file has five cards", PIECES, "FILE: Final = 6", "FILE: Final = 5"),
    Mutation(
        "U3",
        "six at a time instead of one",
        DEALING,
        "files[order.index(player) :: players]",
        "files[order.index(player) * FILE : (order.index(player) + 1) * FILE]",
    ),
    Mutation("U3", "the dealer is dealt first", DEALING, "player - dealer - 1)", "player - dealer)"),
    Mutation("U4", "the card turned up stays in the pile", DEALING, "pile=state.pile[1:], d", "d"),
    Mutation("U4", "no card lies open", DEALING, "discard=(colour,), phase", "discard=(), phase"),
    Mutation("U4", "any word is a colour", DEALING, "if colour not in COLOURS:", "if not COLOURS:"),
    Mutation("U5", "five dice", PIECES, "DICE: Final = 6", "DICE: Final = 5"),
    Mutation(
        "U5",
        "dice have five faces",
        PIECES,
        "ALL_DICE: Final = DiceExpected(((KIND, DICE),), faces=COLOURS)",
        "ALL_DICE: Final = DiceExpected(((KIND, DICE),), faces=COLOURS[:5])",
    ),
    Mutation(
        "U5",
        "the dice are sorted on the way",
        TURNS,
        "tuple(die.face for die in event.dice)",
        "tuple(sorted(die.face for die in event.dice))",
    ),
    Mutation(
        "U5",
        "nothing is compared after the transfer",
        TURNS,
        "event.dice), phase=Phase.TRANSFER)",
        "event.dice), phase=Phase.TURN, active=state.left_of(state.dealer))",
    ),
    Mutation("U6", "the dealer begins", TURNS, "active=state.left_of(state.dealer)", "active=state.dealer"),
    Mutation("U6", "play goes right", "state.py", "(player + 1) %", "(player - 1) %"),
    Mutation(
        "U7",
        "anybody may act on phones",
        RULES,
        "if kind in _ACTS and event.by not in may_act(state):",
        "if event.by not in (*state.seats, None):",
    ),
    Mutation(
        "U7a",
        "drawing ends the turn",
        TURNS,
        "taken=taken, phase=Phase.DRAWN)",
        "taken=taken, phase=Phase.TURN, active=state.left_of(state.active))",
    ),
    Mutation(
        "U7a",
        "the pile gives its last card",
        TURNS,
        "card, state = state.pile[0]",
        "card, state = state.pile[-1]",
    ),
    Mutation("U7a", "the pile does not shrink", TURNS, "replace(state, pile=state.pile[1:])", "state"),
    Mutation(
        "U7a",
        "the taken card stays open",
        TURNS,
        "replace(state, discard=state.discard[:-1]), card",
        "state, card",
    ),
    Mutation(
        "U7a", "what is discarded vanishes", TURNS, "discard=(*state.discard, event.colour)", "rung=False"
    ),
    Mutation(
        "U7a",
        "a discard goes under the others",
        TURNS,
        "(*state.discard, event.colour)",
        "(event.colour, *state.discard)",
    ),
    Mutation(
        "U7a",
        "another card leaves the file",
        TURNS,
        "place = hand.index(card)",
        "place = (hand.index(card) + 1) % len(hand)",
    ),
    Mutation(
        "U7a",
        "the turn goes on after the discard",
        TURNS,
        'taken="")\n    return next_turn(state, event.at)',
        'taken="")\n    return replace(state, phase=Phase.TURN)',
    ),
    Mutation(
        "U7b",
        "another die changes",
        TURNS,
        "put(state.locker, state.die, now)",
        "put(state.locker, 0, now)",
    ),
    Mutation("U7b", "the old face stays", TURNS, "put(state.locker, state.die, now)", "state.locker"),
    Mutation("U7b", "all six are thrown", PIECES, "held=held, faces", "faces"),
    Mutation(
        "U7b",
        "a roll does not end the turn",
        TURNS,
        "die=NOBODY,\n    )\n    return next_turn(state, event.at)",
        "die=NOBODY,\n    )\n    return replace(state, phase=Phase.TURN)",
    ),
    Mutation("U7b", "who tampered is not kept", TURNS, "tampers=(*state.tampers, tamper)", "tampers=()"),
    Mutation(
        "U8",
        "only the roller's file is looked at",
        CASES,
        "file, identity = state.file[player]",
        "file, identity = state.file[state.active]",
    ),
    Mutation("U9", "the cards need not match", CASES, "and not same(file, state.locker)", "and not file"),
    Mutation(
        "U9",
        "colours count once",
        PIECES,
        "return Counter(cards) == Counter(locker)",
        "return set(cards) == set(locker)",
    ),
    Mutation(
        "U9",
        "the order matters",
        PIECES,
        "return Counter(cards) == Counter(locker)",
        "return tuple(cards) == tuple(locker)",
    ),
    Mutation("U9", "the identity may lie in the locker", CASES, "if face == identity]", "if not face]"),
    Mutation("U10", "two cases win", PIECES, "CASES: Final = 3", "CASES: Final = 2"),
    Mutation("U10", "four cases win", PIECES, "CASES: Final = 3", "CASES: Final = 4"),
    Mutation(
        "U10",
        "the case goes to the active player",
        CASES,
        "n + (player in state.proven)",
        "n + (player == state.active)",
    ),
    Mutation("C1", "never on another's turn", CASES, "if not state.rules.own_turn:", "if False:"),
    Mutation("C1", "the own turn does not bind", CASES, "if not state.rules.own_turn:", "if True:"),
    Mutation(
        "C1",
        "the own turn ends with the action",
        CASES,
        "{state.active, state.last} if",
        "{state.active} if",
    ),
    Mutation(
        "C1", "seven cards may solve", CASES, "if player == state.active and full(state):", "if player < 0:"
    ),
    Mutation(
        "C1",
        "not with another's seven cards",
        CASES,
        "OPEN = frozenset({Phase.TURN, Phase.DRAWN})",
        "OPEN = frozenset({Phase.TURN})",
    ),
    Mutation(
        "C2",
        "the first tap wins though another comes first",
        CASES,
        "order = state.from_active(state.claims)",
        "order = state.claims",
    ),
    Mutation(
        "C2",
        "the last caller comes first",
        "state.py",
        "key=lambda player: (player - self.active)",
        "key=lambda player: -(player - self.active)",
    ),
    Mutation("C2", "all score", CASES, "order if state.rules.all_score else order[:1]", "order"),
    Mutation("C2", "only one scores", CASES, "order if state.rules.all_score else order[:1]", "order[:1]"),
    Mutation(
        "C2",
        "the moment has no end",
        CASES,
        "if state.phase is Phase.CALLED:\n        return Timer",
        "if False:\n        return Timer",
    ),
    Mutation("C2", "one may call twice", CASES, "if player not in state.claims)", ")"),
    Mutation(
        "C2",
        "on cards only the first is compared where all score",
        CASES,
        "if not state.rules.all_score:\n            return _won",
        "if True:\n            return _won",
    ),
    Mutation("C3", "which die is not said", CASES, "lies in the locker: {which}.", "lies in the locker."),
    Mutation("C3", "the file is not looked at", CASES, "if identity in file:", "if not file:"),
    Mutation(
        "C4",
        "a false call is believed",
        CASES,
        "if why_no_call(state, player):",
        "if player not in callers(state):",
    ),
    Mutation(
        "C4",
        "a refusal tells why to whoever asks",
        CASES,
        "raise OutOfPlace(UNSOLVED)",
        'raise OutOfPlace(" ".join(flaws(state, player)) or UNSOLVED)',
    ),
    Mutation(
        "C4",
        "a button on the own phone says why, under no veil",
        CASES,
        "return UNSOLVED if found and state.rules.phones else",
        "return",
    ),
    Mutation(
        "C4",
        "it always costs the next turn",
        CASES,
        "if not state.rules.forfeit:\n        return state",
        "if False:\n        return state",
    ),
    Mutation(
        "C4", "it never costs the next turn", CASES, "put(state.forfeits, player, True)", "state.forfeits"
    ),
    Mutation(
        "C4",
        "the turn is forfeited for ever",
        TURNS,
        "forfeits = put(forfeits, player, False)\n",
        "forfeits = (*forfeits,)\n        if player == state.active:\n            break\n",
    ),
    Mutation("C4", "the forfeited turn is played", TURNS, "while forfeits[player]:", "while False:"),
    Mutation(
        "C4",
        "the declarer compares the own cards",
        CASES,
        "if _player(state, event.by) == player:",
        "if event.by is None:",
    ),
    Mutation("C4", "wrong cards solve the case", CASES, "if event.match:", "if True:"),
    Mutation(
        "C4",
        "after a false call the drawn card is forgotten",
        CASES,
        "phase=state.back, began",
        "phase=Phase.TURN, began",
    ),
    Mutation(
        "C4",
        "the phone does not check before the call",
        OFFERS,
        "event, SOLVE, refused=why, warning=warning)",
        "event, SOLVE, warning=warning)",
    ),
    Mutation(
        "C4",
        "on cards nothing is said before the call",
        OFFERS,
        'f"Check before you call. {solution(state)}"',
        '""',
    ),
    Mutation(
        "C5",
        "the lowest discard is taken",
        TURNS,
        "card = state.discard[-1]\n    return",
        "card = state.discard[0]\n    return",
    ),
    Mutation(
        "C6",
        "the same dealer deals again",
        DEALING,
        "dealt(state, state.left_of(state.dealer))",
        "dealt(state, state.dealer)",
    ),
    Mutation(
        "C6",
        "identities are always kept",
        DEALING,
        "kept = state.identity if state.rules.identities_kept else ()",
        "kept = state.identity",
    ),
    Mutation(
        "C6",
        "identities are never kept",
        DEALING,
        "kept = state.identity if state.rules.identities_kept else ()",
        "kept = ()",
    ),
    Mutation("C6", "the dice stay for the next case", DEALING, "locker=(),\n        tampers=(),", ""),
    Mutation("C6", "kept identities are dealt a second time", DEALING, "cards.remove(identity)", "pass"),
    Mutation(
        "C7",
        "an empty pile stays empty",
        DEALING,
        "if state.pile:\n        return state",
        "if True:\n        return state",
    ),
    Mutation(
        "C7", "the open card is shuffled in", DEALING, "under = state.discard[:-1]", "under = state.discard"
    ),
    Mutation(
        "C7", "the discards are not shuffled", DEALING, "shuffled(state.deal, name, under) if", "under if"
    ),
    Mutation("C7", "each shuffle is the same", DEALING, 'discards {state.shuffles}"', 'discards"'),
    Mutation(
        "C8",
        "the taken colour may be put back",
        TURNS,
        "why = why_not_back(state, event.colour)",
        'why = ""',
    ),
    Mutation(
        "C8",
        "it may never be put back",
        TURNS,
        "if state.rules.same_allowed or not state.taken",
        "if not state.taken",
    ),
    Mutation(
        "C8",
        "the taken colour is forbidden in later turns",
        TURNS,
        'event.colour), taken="")',
        "event.colour))",
    ),
    Mutation("C8", "a file of one colour may take it", TURNS, "why = why_not_taken(state)\n", 'why = ""\n'),
    Mutation(
        "C9",
        "what was drawn from the pile must be kept",
        TURNS,
        '_in_hand(state, card, "")',
        "_in_hand(state, card, card)",
    ),
    Mutation(
        "C10",
        "the old colour is rolled again",
        TURNS,
        "now = _face(state, event.dice)\n",
        "now = _face(state, event.dice)\n    if now == state.locker[state.die]:\n        return state\n",
    ),
    Mutation(
        "C11", "a die need not be named", TURNS, "if not 1 <= event.die <= DICE:", "if event.die > DICE:"
    ),
    Mutation("C11", "die 7 exists", TURNS, "if not 1 <= event.die <= DICE:", "if event.die < 1:"),
    Mutation(
        "C12",
        "nothing is said of a die on the floor",
        PROMPTS,
        'Only this die, and once: whatever comes up stays.", _LOOSE)',
        'Only this die, and once: whatever comes up stays.",)',
    ),
    Mutation("C13", "dice that turned are believed", TURNS, "if left.total() != 1:", "if not left:"),
    Mutation(
        "C13",
        "the die in the air counts among the others",
        TURNS,
        "if place != state.die)\n    left",
        ")\n    left",
    ),
    Mutation("C13", "a throw is counted twice", TURNS, "if event.roll in state.rolls:", "if False:"),
    Mutation(
        "C15",
        "the identity is shown in turns only",
        VIEW,
        "or not state.case:",
        "or state.phase is not Phase.TURN:",
    ),
    Mutation("C16", "a tie is decided by the seat", CASES, "if n >= CASES)", "if n >= CASES)[:1]"),
    Mutation(
        "C17",
        "time passes the turn on",
        CASES,
        "return replace(state, rung=True)",
        "return replace(state, rung=True, active=state.left_of(state.active))",
    ),
    Mutation(
        "secrets",
        "everybody sees the first seat's cards",
        VIEW,
        "    place = state.seats.index(Seat(str(seat)))\n    file",
        "    place = 0\n    file",
    ),
    Mutation(
        "secrets",
        "guests see a file",
        VIEW,
        "if seat not in state.seats or not state.rules.phones or not state.case:\n        return []\n"
        "    place = state.seats.index(Seat(str(seat)))",
        "if not state.rules.phones or not state.case:\n        return []\n"
        "    place = state.seats.index(Seat(str(seat))) if seat in state.seats else 0",
    ),
    Mutation(
        "secrets", "the own file lies open on the phone", VIEW, 'tuple(lines), "secret")', "tuple(lines))"
    ),
    Mutation(
        "secrets",
        "who could solve is expected",
        CASES,
        "    return _allowed(state, state.phase)\n",
        "    return tuple(p for p in _allowed(state, state.phase) if not flaws(state, p))\n",
    ),
    Mutation(
        "secrets",
        "somebody's solution leads",
        OFFERS,
        '_draft("solve", "I have solved the case", event, SOLVE, refused',
        '_draft("solve", "I have solved the case", event, SOLVE, lead=not why, refused',
    ),
    Mutation(
        "secrets",
        "others see that a file is of one colour",
        OFFERS,
        "why = why or turns.why_not_taken(state)",
        "why = turns.why_not_taken(state) if state.discard else why",
    ),
    Mutation(
        "secrets",
        "a discard can be corrected, so tried",
        RULES,
        "return not start.rules.phones or isinstance(event, DiceRolled)",
        "return True",
    ),
    Mutation(
        "secrets",
        "on cards the companion remembers what was taken",
        TURNS,
        "card if state.rules.phones else UNSEEN",
        "card",
    ),
)
