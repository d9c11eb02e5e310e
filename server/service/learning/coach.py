"""What the coach of the guided first game says about a position: moves that are good, and why.

All of it is computed from what the learner may see (a mask of the position), so that a hint neither tells a secret nor
says what is not so: each names a legal move, and each number in it is the difference that the rules make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from server.board.listing import card_colors
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLOR_INDEX, QUARTERS
from server.language import gettext as _
from server.language import listing, ngettext, sentence
from server.service.explain import card_facts, effects, game_words
from server.service.learning import lessons, pushes
from server.service.learning.lessons import LEARNER
from server.service.learning.pushes import COLOR_WORTH, Hint, after_move, legal, me, settled, total, uses

HINTS = 3
"""The coach names so many moves at most."""


def hints(state: State) -> list[Hint]:
    """The best moves of the learner, who is to move: one at least, `HINTS` at most, the best first. Of actions the
    first is followed by those which it rules out, and these by what can be done after it, in this order."""
    seen = state.rules.masked(state, LEARNER)
    found = list(_CHOICES[seen.pending[-1][0]](seen) if seen.pending else _PHASES.get(seen.phase, _actions)(seen))
    found.sort(key=lambda hint: -hint.worth)
    if seen.pending or seen.phase != "actions":
        return found[:HINTS]
    return _in_order(seen, found)[:HINTS]


def _in_order(state: State, found: list[Hint]) -> list[Hint]:
    """Actions, the best first, as `hints` tells them: what is neither ruled out nor possible in the end is left out."""
    first, *others = found
    if not others:
        return found
    after = _done(state, first)
    ruled_out = [hint._replace(instead=True) for hint in others if not _is_legal(after, hint)]
    later = []
    for hint in others:
        if _is_legal(after, hint):
            later.append(hint)
            after = _done(after, hint)
    return [first, *ruled_out, *later]


def _is_legal(state: State, hint: Hint) -> bool:
    return state.rules.parse_move(hint.move) in legal(state)


def _done(state: State, hint: Hint) -> State:
    return settled(after_move(state, state.rules.parse_move(hint.move)))


def tile_for(state: State, found: list[Hint]) -> str | None:
    """The colour of the tile that the first of these actions and all that it rules out use; None where they differ."""
    seen = state.rules.masked(state, LEARNER)
    moves = [found[0].move, *(hint.move for hint in found if hint.instead)]
    used = {_tile(seen, seen.rules.parse_move(move)) for move in moves}
    return used.pop() if len(used) == 1 else None


def _tile(state: State, move: Move) -> str | None:
    return next((color for color in COLOR_INDEX if uses(state, move, color)), None)


# The draw


def _draw(state: State) -> Iterator[Hint]:
    for move in legal(state, "draw"):
        yield Hint(format_move(move), 1, _("Nobody knows which it will be. Then you push it in."))


def _keep(state: State) -> Iterator[Hint]:
    for move in legal(state, "keep"):
        words = game_words.words(state.rules)
        yield Hint(format_move(move), COLOR_WORTH[move[1]], _("Its action: %(action)s.", action=words.actions[move[1]]))


# The actions


def _actions(state: State) -> Iterator[Hint]:
    found: list[Hint] = []
    for move in legal(state, "money"):
        why = _("It costs nothing. You have %(coins)s now, and a seal costs two.", coins=me(state).coins)
        found.append(Hint(format_move(move), 30, why))
    sailing = legal(state, "river", "sail")
    found += [Hint(format_move(move), _sailing_worth(state), _sail(state, move)) for move in sailing]
    for move in legal(state, "seal"):
        found.append(Hint(format_move(move), 25 + _QUARTER_WORTH[move[1]], _(lessons.QUARTERS[move[1]])))
    found += _clearing(state)
    found += _playing(state)
    found += _buying(state)
    found += [
        Hint(format_move(move), 8, _("The tile that fell out becomes yours.")) for move in legal(state, "salvage")
    ]
    if not found:
        yield from _ending(state)
    yield from found


def _ending(state: State) -> Iterator[Hint]:
    for move in legal(state, "end"):
        left = sum(state.turn.activated)
        why = _("What is left cannot be used now.") if left else _("You have used all that you can.")
        yield Hint(format_move(move), 0, why)


_QUARTER_WORTH = {"leaning_house": 5, "garden": 5, "oath_house": 4.5, "town_hall": 4, "reichenauer_hof": 3,
                  "goose_tower": 3.5, "tillage": 4.2, "shipyard": 3.8}  # fmt: skip


def _sailing_worth(state: State) -> float:
    """Before a seal, where the next space reaches a better quarter; else after it."""
    rules, here = state.rules, me(state).barge
    if not legal(state, "seal"):
        return 27
    moves = legal(state, "river", "sail")
    ahead = me(settled(after_move(state, moves[0]))).barge if moves else here
    best = [max((_QUARTER_WORTH[QUARTERS[q]] for q in rules.reach[space]), default=0.0) for space in (here, ahead)]
    return 32 if best[1] > best[0] else 24


def _sail(state: State, move: Move) -> str:
    rules, here = state.rules, me(state).barge
    ahead = me(after_move(state, move)).barge
    more = rules.space_value[ahead] - rules.space_value[here]
    new = [game_words.quarter(QUARTERS[q], rules) for q in rules.reach[ahead] if q not in rules.reach[here]]
    skips = [_("Occupied spaces are skipped.")] if effects.skips_spaces(state, LEARNER, ahead) else []
    if new:
        said = _("%(num)s more VP at the end, and you reach %(quarters)s from there.", num=more, quarters=listing(new))
    else:
        said = _("%(num)s more VP at the end.", num=more)
    return " ".join([said, *skips])


def _clearing(state: State) -> Iterator[Hint]:
    for move in legal(state, "clear"):
        taken = sum(me(after_move(state, move)).tiles) - sum(me(state).tiles)
        why = ngettext("It brings you %(num)s tile. Two tiles buy a card.",
                       "It brings you %(num)s tiles. Two tiles buy a card.", taken)  # fmt: skip
        yield Hint(format_move(move), 15 + taken, why)


def _buying(state: State) -> Iterator[Hint]:
    best: Hint | None = None
    for move in legal(state, "buy"):
        pair = len(move) > 2 and move[1] == move[2]
        why = (
            _("Two tiles of one kind: you see two cards and keep one.")
            if pair and len(state.pile) + len(state.discard) > 1
            else _("A card may bring points now, or at the end.")
        )
        hint = Hint(format_move(move), 13 if pair else 10, why)
        best = hint if best is None or hint.worth > best.worth else best
    if best is not None:
        yield best


def _playing(state: State) -> Iterator[Hint]:
    """The best way to play a card, where one brings points now or at the end; else any."""
    best: Hint | None = None
    moves = legal(state, "play")
    for move in moves:
        after = after_move(state, move)
        now, end = me(after).vp - me(state).vp, total(after) - total(state)
        if move[2] == "table":
            above = [me(after_move(state, one)).vp - me(state).vp for one in moves if one[1:3] == (move[1], "top")]
            brings = card_facts.top(state.rules, move[1])
            worth, why = float(end), _rather_table(end, brings) if any(above) else _at_the_end(end)
        elif now > 0:
            worth, why = now + 0.5, _("It brings %(num)s VP at once.", num=now)
        else:
            what = card_facts.top(state.rules, move[1])
            worth, why = 3.5, _("What it does: %(what)s.", what=what)
        if best is None or worth > best.worth:
            best = Hint(format_move(move), worth, why)
    if best is not None:
        yield best._replace(worth=12 + best.worth / 10)


def _at_the_end(points: int) -> str:
    if points <= 0:
        return _("It counts at the end of the game.")
    return _("If the game ended now, it would count %(num)s VP.", num=points)


def _rather_table(points: int, above: str) -> str:
    """Why a card is laid on the table whose upper effect would bring points at once; `above` is all that it brings."""
    return _(
        "It scores %(num)s VP at the end; its top half would bring %(above)s, and cost a tile.", num=points, above=above
    )


# Answers to choices


def _coat(state: State) -> Iterator[Hint]:
    for move in legal(state, "coat"):
        vp, quarter, later = state.rules.coats[move[1]]
        if quarter is None:
            why = _("Silver, costs a seal: %(vp)s VP at once.", vp=vp)
        else:
            name = game_words.quarter(QUARTERS[quarter], state.rules)
            why = _(
                "Gold, costs a seal and a family crest: %(vp)s VP at once, then %(later)s whenever anybody "
                "places a seal in %(quarter)s.",
                vp=vp,
                later=later,
                quarter=name,
            )
        yield Hint(format_move(move), vp + 0.3 * later, why)


def _descendant(state: State) -> Iterator[Hint]:
    words = game_words.words(state.rules)
    for move in legal(state, "descendant"):
        yield Hint(format_move(move), _PEOPLE.get(move[1], 1.0), sentence(words.descendant_effects[move[1]]))


_PEOPLE = {"barge_driver": 4.0, "mint_master": 3.0, "abbot": 2.0}


def _cards(state: State) -> Iterator[Hint]:
    """Of cards on offer, or in the discard pile: what each does, and whether it can be paid now."""
    for move in legal(state):
        if move[0] not in ("choose", "take"):
            yield Hint(format_move(move), 1.5, _("You see the top cards of the pile and keep one."))
            continue
        payable = any(me(state).tiles[COLOR_INDEX[color]] for color in card_colors(state.rules, move[1]))
        why = card_facts.offered(state, LEARNER, move[1])
        yield Hint(format_move(move), 3.0 if payable else 2.0, why)


def _docks(state: State) -> Iterator[Hint]:
    for move in legal(state):
        if move[0] == "dock":
            pair = me(state).tiles[COLOR_INDEX[move[1]]] % 2 == 1
            why = _("It makes a pair with one of yours.") if pair else _("One more tile towards a card.")
            yield Hint(format_move(move), 2.0 if pair else 1.0, why)
        elif move[0] == "coin":
            short = me(state).coins < state.rules.seal_price
            yield Hint(format_move(move), 2.5 if short else 1.5, _("A seal costs two coins."))
        else:
            yield Hint(format_move(move), 0.1, _("Then you take nothing."))


def _barge(state: State) -> Iterator[Hint]:
    for move in legal(state, "barge"):
        if move[1] == "0":
            yield Hint(format_move(move), 0.5, _("You stay where you are."))
        else:
            yield Hint(format_move(move), 1.0 + int(move[1]), _sail(state, move))


_CHOICES: dict[str, Callable[[State], Iterator[Hint]]] = {
    "coat": _coat, "choose": _cards, "goose_tower": _cards, "barge": _barge, "descendant": _descendant,
    "town_hall": _docks, "tillage": _docks, "shipyard": _docks, "dock": _docks, "abbot": _docks,
}  # fmt: skip
_PHASES: dict[str, Callable[[State], Iterator[Hint]]] = {"draw": _draw, "keep": _keep, "push": pushes.hints}
