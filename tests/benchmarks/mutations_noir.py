"""Noir with one rule broken at a time: N0 to N16, the readings and the secrets."""

from mutate import Mutation

# What follows is code as text, so its lines are as long as that code's.
TESTS = tuple(
    f"tests/games/test_noir_{name}.py"
    for name in ("rules", "acceptance", "readings", "mistakes", "screen", "secrets", "evenings")
)

ANSWERS, DEALING, GRID, NOTEBOOK, OFFERS, OPTIONS, PIECES, PROMPTS, RULES, STEPS, TOLD, TURNS, VIEW = (
    f"{name}.py"
    for name in (
        *("answers", "dealing", "grid", "notebook", "offers", "options", "pieces", "prompts", "rules"),
        *("steps", "told", "turns", "view"),
    )
)

MUTATIONS = (
    # setting up
    Mutation("N0", "three may play", RULES, "len(setup.seats) != self.seats[0]", "len(setup.seats) < 2"),
    Mutation("N0", "nobody is asked who is the killer", DEALING, 'if rules.killer == "ask":', "if False:"),
    Mutation("N0", "no lot is drawn", DEALING, 'shuffled(setup.deal, "killer", (0, 1)) if', "(0, 1) if"),
    Mutation(
        "N0", "the first seat kills whoever is named", DEALING, "state.seats.index(event.player)", "0"
    ),
    Mutation("N0", "a shuffled grid is in order", DEALING, '== "shuffled" else', '== "never" else'),
    Mutation(
        "N0",
        "the evidence is not shuffled",
        DEALING,
        'shuffled(state.deal, "evidence", range(CARDS)) if',
        "tuple(range(CARDS)) if",
    ),
    Mutation(
        "N0", "every evening is dealt alike", DEALING, 'shuffled(state.deal, "evidence"', 'shuffled("", "e"'
    ),
    Mutation("N0", "the inspector is dealt three", PIECES, "FOUR: Final = 4", "FOUR: Final = 3"),
    Mutation("N0", "a suspect may lie twice", DEALING, "if card in state.grid.cards:", "if card < 0:"),
    Mutation(
        "N0", "the grid tapped in is never complete", DEALING, "len(state.grid.cards) == CARDS", "False"
    ),
    Mutation(
        "N0", "the rest replaces what was laid", DEALING, "Grid((*state.grid.cards, *rest))", "Grid(rest)"
    ),
    Mutation("N0", "the inspector begins", "state.py", "role: int = KILLER", "role: int = INSPECTOR"),
    Mutation(
        "N0",
        "nobody's turn ends",
        STEPS,
        "role, grid = 1 - state.role, state",
        "role, grid = state.role, state",
    ),
    # the first turns
    Mutation(
        "N1",
        "the killer may begin with a shift",
        STEPS,
        "Phase.FIRST: _kinds(ev.SuspectKilled,",
        "Phase.FIRST: _kinds(ev.SuspectKilled, ev.LineShifted,",
    ),
    Mutation(
        "N2", "a kill turns nobody", TURNS, "alive=state.alive & ~bit(card), asked=card", "asked=card"
    ),
    Mutation(
        "N3",
        "the identity stays in the hand",
        DEALING,
        "hand=(*state.hand[:place], *state.hand[place + 1 :]),\n        chosen",
        "hand=state.hand,\n        chosen",
    ),
    Mutation(
        "N3",
        "another card becomes the identity",
        DEALING,
        "card = state.hand[place]",
        "card = state.hand[-1]",
    ),
    Mutation(
        "N3", "the choice is part of a turn", DEALING, "return next_turn(state, event.at)", "return state"
    ),
    Mutation(
        "N3",
        "there are ten cards to choose from",
        DEALING,
        "if not 0 <= place < len(state.hand):",
        "place %= len(state.hand)\n    if False:",
    ),
    # turns
    Mutation(
        "N4",
        "the killer may arrest",
        STEPS,
        "ev.SuspectKilled, ev.DisguiseDrawn",
        "ev.SuspectArrested, ev.DisguiseDrawn",
    ),
    Mutation(
        "N5",
        "the inspector may disguise",
        STEPS,
        "ev.EvidenceDrawn, ev.GridCollapsed",
        "ev.DisguiseDrawn, ev.EvidenceDrawn, ev.GridCollapsed",
    ),
    Mutation(
        "N5",
        "the other player's phone acts",
        STEPS,
        "return frozenset({state.seat_of(acting(state))})",
        "return frozenset(state.seats)",
    ),
    # shifts
    Mutation(
        "N6",
        "lines move the wrong way",
        GRID,
        "if way in {LEFT, UP} else (along[-1]",
        "if way in {RIGHT, DOWN} else (along[-1]",
    ),
    Mutation(
        "N6",
        "the card that falls off is lost at its place",
        GRID,
        "else (along[-1], *along[:-1])",
        "else along",
    ),
    Mutation("N6", "a row moves up", TURNS, "if way not in WAYS[line.kind]:", "if not way:"),
    Mutation(
        "N6",
        "a line that is gone moves",
        TURNS,
        "if line.number > state.grid.count(line.kind):",
        "if line.number > 5:",
    ),
    Mutation(
        "N7",
        "undoing is allowed",
        TURNS,
        "if last is None or last.line != line or",
        "if True or last is None or last.line != line or",
    ),
    Mutation(
        "N7",
        "the same shift again is refused",
        TURNS,
        "(way != OPPOSITE[last.way] and length > 2)",
        "False",
    ),
    Mutation(
        "N7", "the whole grid is protected", TURNS, "last.line != line or", "last.line.kind != line.kind or"
    ),
    Mutation(
        "C1",
        "the ban lasts",
        STEPS,
        "last_shift=_standing(shift, gone)",
        "last_shift=_standing(shift or state.last_shift, gone)",
    ),
    Mutation("C2", "with two cards one way is free", TURNS, "and length > 2)", "and length > 0)"),
    Mutation("C3", "a single card is shifted", TURNS, "if length == 1:", "if length == 0:"),
    Mutation(
        "C4",
        "a removed line still bans",
        STEPS,
        "if shift is None or shift.line in gone:",
        "if shift is None:",
    ),
    Mutation(
        "C4", "the number of the line stays", STEPS, "shift.line.number - before", "shift.line.number"
    ),
    Mutation(
        "C4", "columns count for rows", STEPS, "line.kind == shift.line.kind and line.number", "line.number"
    ),
    # neighbours
    Mutation("C5", "no diagonals", GRID, "if (r, c) != (row, column)", "if (r == row) != (c == column)"),
    Mutation(
        "C9", "the suspect is next to itself", GRID, "if (r, c) != (row, column)", "if (r, c) is not None"
    ),
    Mutation(
        "C5",
        "the grid goes round to the left",
        GRID,
        "range(max(0, column - 1), min(columns, column + 2))",
        "range(column - 1, min(columns, column + 2))",
    ),
    Mutation("C5", "two cells away is next to it", GRID, "min(rows, row + 2)", "min(rows, row + 3)"),
    # kills and arrests
    Mutation(
        "N8",
        "anybody may be killed",
        TURNS,
        "if state.rules.phones and not within_reach(state) & bit(card):\n        raise "
        'OutOfPlace(f"{event.name} is not next to you now, and the grid does not go round its '
        'edges.")',
        "pass",
    ),
    Mutation(
        "N8",
        "the deceased are killed again",
        TURNS,
        'if not state.lives(card):\n        raise OutOfPlace(f"{event.name} is deceased already.")',
        "pass",
    ),
    Mutation(
        "N8",
        "a killed inspector plays on",
        TURNS,
        "if state.rules.phones and card == state.identity[INSPECTOR]:",
        "if False:",
    ),
    Mutation(
        "N8",
        "on cards nobody is asked",
        TURNS,
        "if not state.rules.phones and state.chosen and",
        "if False and",
    ),
    Mutation(
        "N8",
        "the victim's answer is turned round",
        ANSWERS,
        "if event.inspector else spared",
        "if not event.inspector else spared",
    ),
    Mutation(
        "N9",
        "the own identity cannot be arrested",
        TURNS,
        "own = bit(mine) if state.role == INSPECTOR else 0",
        "own = 0",
    ),
    Mutation(
        "N9",
        "the killer may kill the own identity",
        TURNS,
        "own = bit(mine) if state.role == INSPECTOR else 0",
        "own = bit(mine)",
    ),
    Mutation(
        "N9",
        "anybody may be arrested",
        TURNS,
        "if state.rules.phones and not within_reach(state) & bit(card):\n        raise "
        'OutOfPlace(\n            f"',
        'if False:\n        raise OutOfPlace(\n            f"',
    ),
    Mutation("N9", "an arrested killer plays on", TURNS, "if card == state.identity[KILLER]:", "if False:"),
    Mutation(
        "N9",
        "the arrest's answer is turned round",
        ANSWERS,
        "if event.killer else missed",
        "if not event.killer else missed",
    ),
    Mutation(
        "N9",
        "the killer wins by an arrest",
        ANSWERS,
        "role = INSPECTOR if state.end is End.ARRESTED else KILLER",
        "role = KILLER",
    ),
    Mutation(
        "C18",
        "the deceased are arrested",
        TURNS,
        'if not state.lives(card):\n        raise OutOfPlace(f"{event.name} is deceased, and so is '
        'not the killer.")',
        "pass",
    ),
    Mutation(
        "C18",
        "no warning for an innocent",
        OFFERS,
        "doubt = known if card in state.shown else",
        "doubt = known if False else",
    ),
    # disguises
    Mutation(
        "N10",
        "a dead card becomes the identity",
        TURNS,
        "if not state.lives(card):\n        return kept",
        "if False:\n        return kept",
    ),
    Mutation(
        "N10",
        "the old identity is kept",
        TURNS,
        "identity=(card, state.identity[INSPECTOR])), old",
        "identity=state.identity), old",
    ),
    Mutation("N10", "the new card is shown instead", TURNS, "old = state.identity[KILLER]", "old = card"),
    Mutation(
        "N10",
        "the drawn card stays on the deck",
        TURNS,
        "deck=state.deck[1:], gone=(), taken=()",
        "taken=()",
    ),
    Mutation(
        "N10",
        "a failed disguise is no turn",
        TURNS,
        "return next_turn(notebook.after_discard(state, card), at)",
        "return state",
    ),
    Mutation(
        "N10",
        "a deceased suspect was the killer",
        TURNS,
        'raise OutOfPlace(f"{event.name} is deceased, and so was not the killer.")',
        "pass",
    ),
    Mutation("N10c", "in the classic mode nobody dies", TURNS, "if state.rules.old_dies:", "if False:"),
    Mutation(
        "N10s", "in the standard mode the old one dies", OPTIONS, "old_dies=not standard and", "old_dies="
    ),
    Mutation(
        "N10s", "no innocent mark", TURNS, "innocent=state.innocent | bit(old)", "innocent=state.innocent"
    ),
    Mutation("C12", "the option is ignored", OPTIONS, 'and chosen["old_identity"] == "deceased"', ""),
    # exonerating
    Mutation(
        "N11",
        "no card is drawn",
        TURNS,
        "hand=(*state.hand, card), phase=Phase.EXONERATE",
        "hand=state.hand, phase=Phase.EXONERATE",
    ),
    Mutation(
        "N11",
        "four cards stay",
        TURNS,
        "hand=(*state.hand[:place], *state.hand[place + 1 :]),\n        shown",
        "hand=state.hand,\n        shown",
    ),
    Mutation("N11", "any card may be laid open", TURNS, "if held not in state.hand:", "if False:"),
    Mutation(
        "N11",
        "the deceased are marked",
        TURNS,
        "innocent=state.innocent | (bit(card) & state.alive)",
        "innocent=state.innocent | bit(card)",
    ),
    Mutation(
        "N11",
        "the card does not lie open",
        TURNS,
        "shown=(*state.shown, card),\n        innocent",
        "innocent",
    ),
    Mutation(
        "C19",
        "the card just drawn cannot be laid open",
        TURNS,
        "if held not in state.hand:",
        "if held not in state.hand[:-1]:",
    ),
    Mutation(
        "C19",
        "a deceased suspect's card cannot be laid open",
        TURNS,
        "    _unseen(state, card)\n    place = state.hand",
        "    _unseen(state, card)\n    if not state.lives(card):\n        raise OutOfPlace(NO_EVIDENCE)\n"
        "    place = state.hand",
    ),
    Mutation("C15", "a card lies open twice", TURNS, "if card in state.shown:", "if card < 0:"),
    # canvassing
    Mutation(
        "N12",
        "no canvass after exonerating",
        TURNS,
        "if state.rules.canvass and card in state.grid.cards:",
        "if False:",
    ),
    Mutation(
        "N12",
        "the classic mode canvasses",
        OPTIONS,
        'canvass=standard and chosen["canvass"] == "on"',
        'canvass=chosen["canvass"] == "on"',
    ),
    Mutation(
        "N12",
        "the switch is ignored",
        OPTIONS,
        'canvass=standard and chosen["canvass"] == "on"',
        "canvass=standard",
    ),
    Mutation(
        "N13",
        "no canvass after killing an innocent",
        TURNS,
        "if marked and state.rules.canvass:",
        "if False:",
    ),
    Mutation(
        "N13",
        "every kill is canvassed",
        TURNS,
        "if marked and state.rules.canvass:",
        "if state.rules.canvass:",
    ),
    Mutation(
        "N13",
        "the player whose turn it is answers",
        STEPS,
        "return 1 - state.role if state.phase in ASKING else state.role",
        "return state.role",
    ),
    Mutation(
        "C8",
        "who was taken away is canvassed",
        TURNS,
        "if state.rules.canvass and card in state.grid.cards:",
        "if state.rules.canvass:",
    ),
    Mutation(
        "C10",
        "the grid closes before the answer",
        TURNS,
        "return replace(state, phase=Phase.CANVASS)\n    if state.rules.draws_after",
        "gone = state.grid.all_in(ALL & ~state.alive)\n        return replace(state, "
        "grid=state.grid.closed(gone), phase=Phase.CANVASS)\n    if state.rules.draws_after",
    ),
    Mutation(
        "C11", "an untrue answer is taken", ANSWERS, "if why_untrue(state, near=event.near):", "if False:"
    ),
    Mutation(
        "C11",
        "the true answer is refused",
        ANSWERS,
        'return "" if near == bool',
        'return "" if near != bool',
    ),
    Mutation(
        "C21",
        "on cards an innocent victim is asked for",
        TURNS,
        "and state.chosen and not state.innocent & bit(card):",
        "and state.chosen:",
    ),
    Mutation(
        "C24",
        "the mark stays on the dead",
        TURNS,
        "replace(state, innocent=state.innocent & ~bit(card))",
        "state",
    ),
    # the deck, lines, the end
    Mutation("N14", "an empty deck is drawn from", TURNS, "if not state.deck:", "if False:"),
    Mutation(
        "N14", "the button is not greyed", OFFERS, 'why = "" if state.deck else NO_EVIDENCE', 'why = ""'
    ),
    Mutation(
        "N15",
        "dead lines stay",
        STEPS,
        "state.grid.closed(gone) if gone else state.grid\n",
        "state.grid\n",
    ),
    Mutation(
        "N15",
        "only rows close up",
        STEPS,
        "gone = state.grid.all_in(ALL & ~state.alive)",
        'gone = tuple(line for line in state.grid.all_in(ALL & ~state.alive) if line.kind == "row")',
    ),
    Mutation(
        "N15",
        "living lines close up",
        STEPS,
        "state.grid.all_in(ALL & ~state.alive)",
        "state.grid.all_in(state.alive)",
    ),
    Mutation("N15", "a lost column leaves the width", GRID, "self.columns - fewer", "self.columns"),
    Mutation(
        "C6",
        "shifts close nothing",
        TURNS,
        "return next_turn(state, event.at, Shift(event.line, event.way))",
        "return replace(next_turn(state, event.at, Shift(event.line, event.way)), grid=state.grid)",
    ),
    Mutation(
        "N16",
        "seventeen are needed",
        TURNS,
        "state = notebook.after_kill(replace(state, innocent=state.innocent & ~bit(card)), card)\n "
        "   if state.dead >= state.rules.target:",
        "state = notebook.after_kill(replace(state, innocent=state.innocent & ~bit(card)), card)\n "
        "   if state.dead > state.rules.target:",
    ),
    Mutation(
        "N16",
        "a classic disguise never wins",
        TURNS,
        "state = notebook.after_disguise(state)\n    if state.dead >= state.rules.target:",
        "state = notebook.after_disguise(state)\n    if False:",
    ),
    Mutation("N16", "always sixteen", OPTIONS, 'target=int(chosen["target"])', "target=16"),
    Mutation(
        "C13",
        "those taken away do not count",
        "state.py",
        "return CARDS - self.alive.bit_count()",
        "return len(self.grid.cards) - self.alive.bit_count()",
    ),
    Mutation(
        "C14",
        "the open cards are shuffled into a deck",
        TURNS,
        "    if not state.deck:\n        raise OutOfPlace(NO_EVIDENCE)",
        "    if not state.deck:\n        state = replace(state, deck=state.shown)",
    ),
    Mutation(
        "C16",
        "a deceased suspect is chosen",
        DEALING,
        "if card != UNSEEN and not state.lives(card):",
        "if False:",
    ),
    Mutation(
        "C22",
        "the option is ignored",
        OPTIONS,
        'draws_after=chosen["draws"] == "after"',
        "draws_after=False",
    ),
    Mutation(
        "C22",
        "nothing is drawn after the first kill",
        TURNS,
        "if state.rules.draws_after and not state.chosen:",
        "if False:",
    ),
    Mutation(
        "C23",
        "the number comes first",
        TURNS,
        "    if state.rules.phones and card == state.identity[INSPECTOR]:",
        "    if state.dead >= state.rules.target:\n        return ended(state, End.SPREE)\n    if "
        "state.rules.phones and card == state.identity[INSPECTOR]:",
    ),
    Mutation(
        "C26",
        "contradictions are not noticed",
        PROMPTS,
        "if state.phase is not Phase.END and not state.could[role]:",
        "if False:",
    ),
    Mutation(
        "C26",
        "no word of care on cards",
        OFFERS,
        "if state.rules.phones or state.could[role] & reach:",
        "if True:",
    ),
    # the Black Box's collapse
    Mutation(
        "collapse",
        "the option is ignored",
        OPTIONS,
        'by_action=chosen["collapse"] == "action"',
        "by_action=False",
    ),
    Mutation(
        "collapse",
        "dead lines close up as well",
        STEPS,
        "if not state.rules.by_action:\n        gone",
        "if True:\n        gone",
    ),
    Mutation(
        "collapse",
        "the farthest is taken",
        GRID,
        "there[0] if way in {LEFT, UP} else there[-1]",
        "there[-1] if way in {LEFT, UP} else there[0]",
    ),
    Mutation(
        "collapse",
        "a line without a deceased does not matter",
        GRID,
        "if not there:\n                return None",
        "if not there:\n                continue",
    ),
    Mutation(
        "collapse",
        "columns close like rows",
        GRID,
        "if way in WAYS[ROW]:\n            return Grid(tuple(card",
        "if way:\n            return Grid(tuple(card",
    ),
    # the notebook
    Mutation(
        "notebook",
        "a kill says nothing",
        NOTEBOOK,
        "killer & state.grid.next_to(card), inspector & ~bit(card)",
        "killer, inspector & ~bit(card)",
    ),
    Mutation(
        "notebook",
        "an arrest places the inspector nowhere",
        NOTEBOOK,
        "inspector & (state.grid.next_to(card) | bit(card))",
        "inspector",
    ),
    Mutation(
        "notebook",
        "an arrest leaves the inspector out",
        NOTEBOOK,
        "inspector & (state.grid.next_to(card) | bit(card))",
        "inspector & state.grid.next_to(card)",
    ),
    Mutation(
        "notebook",
        "an arrested suspect may be the killer",
        NOTEBOOK,
        "killer & ~bit(card), inspector & (",
        "killer, inspector & (",
    ),
    Mutation(
        "notebook",
        "an open card is nobody's matter",
        NOTEBOOK,
        "return _noted(state, killer & ~bit(card), inspector & ~bit(card))",
        "return _noted(state, killer, inspector)",
    ),
    Mutation(
        "notebook",
        "a disguise leaves the old suspects",
        NOTEBOOK,
        "ALL & ~shown, state.could[INSPECTOR]",
        "state.could[KILLER] & ~shown, state.could[INSPECTOR]",
    ),
    Mutation(
        "notebook",
        "answers are turned round",
        NOTEBOOK,
        "area if near else ~area & ~bit(card)",
        "area if not near else ~area & ~bit(card)",
    ),
    Mutation(
        "notebook",
        "answers place the wrong player",
        NOTEBOOK,
        "if role == KILLER else _noted",
        "if role != KILLER else _noted",
    ),
    Mutation(
        "notebook",
        "the deceased stay possible",
        NOTEBOOK,
        "could=(killer & state.alive, inspector & state.alive)",
        "could=(killer, inspector)",
    ),
    Mutation(
        "notebook",
        "it is shown to everybody",
        VIEW,
        "    if role is None or state.phase is Phase.END or not (state.chosen or role == "
        "INSPECTOR):\n        return None",
        "    role = role or KILLER",
    ),
    Mutation(
        "notebook",
        "it shows the own role",
        VIEW,
        "return state.could[1 - role]",
        "return state.could[role]",
    ),
    # secrets
    Mutation(
        "secrets",
        "the cloak is on every screen",
        VIEW,
        "    if role is None or not state.rules.phones:\n        return []",
        "    if not state.rules.phones or state.phase in _CAST:\n        return []\n    role = "
        "role or KILLER",
    ),
    Mutation(
        "secrets",
        "each sees the other's cloak",
        VIEW,
        "return KILLER if seat == state.seat_of(KILLER) else INSPECTOR",
        "return INSPECTOR if seat == state.seat_of(KILLER) else KILLER",
    ),
    Mutation("secrets", "targets are not veiled", OFFERS, "warning=sure, veiled=phones", "warning=sure"),
    Mutation(
        "secrets",
        "the four cards are not veiled",
        OFFERS,
        "            cell=NAMES[card],\n            veiled=True,",
        "            cell=NAMES[card],",
    ),
    Mutation(
        "secrets",
        "the hand to exonerate is not veiled",
        OFFERS,
        "warning=sure, cell=NAMES[card], veiled=True)",
        "warning=sure, cell=NAMES[card])",
    ),
    Mutation(
        "secrets",
        "the killer sees the hand",
        VIEW,
        "held = state.hand if role == INSPECTOR else ()",
        "held = state.hand",
    ),
    Mutation(
        "secrets",
        "the veil marks everybody",
        VIEW,
        "            return within_reach(state)\n",
        "            return state.alive\n",
    ),
    Mutation(
        "secrets",
        "the killer's reach marks the shared grid",
        VIEW,
        "replace(cell, lit=bool(lit & bit(card)))",
        "replace(cell, lit=bool(lit & bit(card)), reachable=bool(within_reach(state) & bit(card)))",
    ),
    Mutation(
        "secrets",
        "kills are offered to both",
        OFFERS,
        "if state.role == KILLER and _may(desk, ev.SuspectKilled):",
        "if state.role == KILLER:",
    ),
    Mutation(
        "secrets",
        "kills wait for somebody in reach",
        RULES,
        "kinds = (kind for kind in allowed(state) if kind is not BellRang or running)",
        "from companion.games.noir.turns import within_reach\n        kinds = (kind for kind in "
        "allowed(state) if (kind is not BellRang or running) and (kind is not ev.SuspectKilled or "
        "within_reach(state).bit_count() > 3))",
    ),
    Mutation(
        "secrets",
        "a hand is in the log",
        "state.py",
        "hand: tuple[int, ...] = field(default=(), repr=False)",
        "hand: tuple[int, ...] = ()",
    ),
    Mutation(
        "secrets",
        "corrections try where somebody is",
        RULES,
        "return not start.rules.phones",
        "return True",
    ),
    Mutation(
        "secrets",
        "who tries learns before whose turn it is",
        RULES,
        "if seats is not None and event.by not in seats:",
        "if False:",
    ),
    Mutation(
        "secrets",
        "the canvass's answer is in the area's list",
        PROMPTS,
        "living = state.grid.next_to(state.asked) & state.alive",
        "living = state.grid.next_to(state.asked) & state.alive & ~sum(1 << c for c in "
        "state.identity if c >= 0)",
    ),
    Mutation(
        "secrets",
        "the end keeps its identities",
        ANSWERS,
        "if card != UNSEEN and state.end is not end:",
        "if False:",
    ),
    Mutation(
        "secrets",
        "the history names the choice",
        TOLD,
        'return f"{who} has chosen a secret identity."',
        'return f"{who} is {NAMES[after.identity[INSPECTOR]]}."',
    ),
)
