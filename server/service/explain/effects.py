"""What a legal move costs, gains and brings about: read off the position before and after, tried on a mask
(`Ruleset.masked`), of which only what does not depend on what is made up is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Literal, NamedTuple, TypedDict

from server.board.listing import sign_of
from server.engine.errors import UlmError
from server.engine.events import Event
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.tables import BROWN, CHRONICLE, COLORS, ORANGE, QUARTERS
from server.language import N_, listing, ngettext
from server.language import gettext as _
from server.service.explain import card_facts, game_words, history, why_not
from server.service.play import hints
from server.service.play.hints import Advice

Sign = Literal["cost", "gain", "idle", "theirs", "other"]
_ORDER: dict[Sign, int] = {"cost": 0, "gain": 1, "idle": 2, "theirs": 3, "other": 4}


class Effect(NamedTuple):
    """One thing that a move brings about: `−2 coins`, `Blue gets 1 VP`; `sign` is what it is to who moves. Of a push
    why tiles of `color` cannot be used, and how many (0: all can, once something else is done). Where the tiles of a
    push are pictured, what is `pictured` need not be said."""

    text: str
    sign: Sign
    color: str = ""
    number: int = 0
    pictured: bool = False


def of_move(state: State, seat: int, move: Move, names: Sequence[str]) -> tuple[Effect, ...]:
    """What a legal move of `seat` brings about, as far as `seat` can know: costs first, then gains, then the rest.
    `names` are those of the seats; `state` may be the true position or a mask of it."""
    mask = state.rules.masked(state, seat)
    return of_tried(mask, mask.rules.final_scores(mask), seat, move, *why_not.try_move(mask, move), names)


def of_tried(
    mask: State, scores: list[Score], seat: int, move: Move, after: State, events: list[Event], names: Sequence[str]
) -> tuple[Effect, ...]:
    """What `move` of `seat` brought about, which led from `mask`, of these final `scores`, to `after`."""
    found = [
        *_push(mask, after, seat, move),
        *_own(mask, after, seat, move),
        *_turn(mask, after, seat, move),
        *_revealed(after, seat, events),
        *_choices(after, seat, _raised(mask, after)),
        *_coat(mask, seat, move),
        *_in_the_end(scores, mask, after, seat, names),
        *_barge(mask, after, seat, events),
        *_others(mask, after, seat, move, names),
        *_next(mask, after, seat, names),
    ]
    return tuple(sorted(found, key=lambda effect: _ORDER[effect.sign]))


# What is counted in front of a player.


def _cards(number: int) -> str:
    return ngettext("%(num)s card", "%(num)s cards", number)


_WHERE_TO = {
    ("seal", "seals"): N_("1 seal (it goes into the quarter)"),
    ("coat", "seals"): N_("1 seal (it goes beside the gate)"),
    ("coat", "crests"): N_("1 family crest (it goes onto the quarter)"),
}
"""A seal or a crest that a move takes from one's own, and where it goes: A5, W2, W4."""
_COUNTED: dict[str, Callable[[int], str]] = {
    "coins": game_words.coins,
    "vp": lambda number: _("%(vp)s VP", vp=number),
    **{name: partial(game_words.number_of, "counted", name) for name in ("sparrows", "seals", "crests")},
}


def _signed(number: int, text: str) -> Effect:
    return Effect(sign_of(number) + text, "gain" if number > 0 else "cost")


def _own(before: State, after: State, seat: int, move: Move) -> Iterator[Effect]:
    """What the player who moves has more or less of."""
    was, has = before.players[seat], after.players[seat]
    for field, text in _COUNTED.items():
        if change := getattr(has, field) - getattr(was, field):
            where = _WHERE_TO.get((move[0], field)) if change == -1 else None
            yield _signed(change, _(where) if where else text(abs(change)) + _why(before, move, field))
    for color, old, new in zip(COLORS, was.tiles, has.tiles, strict=True):
        if old != new:
            yield _signed(new - old, game_words.action_tiles(color, abs(new - old)))
    # The card that is played or chosen is named by the move.
    named = {"play": 1, "choose": -1, "take": -1}.get(move[0], 0)
    if change := len(has.hand) - len(was.hand) + named:
        yield _signed(change, _cards(abs(change)))


def _why(before: State, move: Move, field: str) -> str:
    """Why a push brings sparrows (a seal at the gate where a tile falls out, K5) or VP (the city guard, N4)."""
    match move[0], field:
        case "push", "sparrows":
            return " " + _("(for the seal at %(slot)s)", slot=before.rules.pushed(before, move).falls_at)
        case "push", "vp":
            guard = game_words.words(before.rules).descendants["city_guard"]
            return " " + _("(%(name)s: a new line of three)", name=guard)
    return ""


def _others(before: State, after: State, seat: int, move: Move, names: Sequence[str]) -> Iterator[Effect]:
    """What the others have more or less of: W5, K5."""
    for other, (was, has) in enumerate(zip(before.players, after.players, strict=True)):
        for field, text in _COUNTED.items() if other != seat else ():
            change = getattr(has, field) - getattr(was, field)
            if change > 0:
                what = text(change) + _why(before, move, field)
                yield Effect(_("%(name)s gets %(what)s", name=names[other], what=what), "theirs")
            elif change:
                yield Effect(_("%(name)s loses %(what)s", name=names[other], what=text(-change)), "theirs")


# What the turn has more or less of.


def _turn(before: State, after: State, seat: int, move: Move) -> Iterator[Effect]:
    """The actions that a move uses or adds (A7, B8); at its end all of them are gone, which `lost_by_ending` tells."""
    if move[0] == "end":
        return
    was, has = before.turn, after.turn
    if move[0] == "play" and was.free_play and not has.free_play:
        yield Effect(_("without a Card action (once a turn)"), "other")
    elif move[0] == "play":
        yield Effect(_("uses a Card action"), "cost")
    paid = move[0] == "play" and not was.free_play and has.activated[BROWN] == was.activated[BROWN]
    if (more := has.card_credits - was.card_credits + paid) > 0:  # a play that a credit pays may bring another (B8)
        text = "+" + ngettext("%(num)s Card action", "%(num)s Card actions", more)
        yield _idle_card_action(after, seat) or Effect(text, "gain")
    if has.seal_at_1_credits > was.seal_at_1_credits:
        yield _seal_at_1(after, seat)
        if has.activated[ORANGE] < was.activated[ORANGE]:
            yield Effect(_("uses a Seal action"), "cost")
    if has.seal_credits > was.seal_credits:  # V5
        yield _seal_credit(after, seat, "seal", game_words.words(after.rules).tower_effects["free_seal"])
    if (more := has.step_credits - was.step_credits) > 0 and _space_ahead(after, seat):
        text = ngettext("%(num)s bonus step", "%(num)s bonus steps", more)
        after_it = " " + _("(then, if you like)") if move[0] == "river" else ""  # N8
        yield Effect(f"+{text}{after_it}", "gain")
    if move[0] == "sail":  # who has a Sail tile, too, wonders whether it waits, and how many there are
        left = ngettext("%(num)s bonus step left this turn", "%(num)s bonus steps left this turn", was.step_credits)
        yield Effect(left, "other")
    if has.levy_paid and not was.levy_paid:
        yield Effect(_("no %(vp)s VP lost at the end of the turn", vp=after.rules.levy_loss), "gain")
    if has.patrician and not was.patrician:
        yield Effect(_("choose your tile from the bag"), "gain")


def _idle_card_action(after: State, seat: int) -> Effect | None:
    """Why the Card action of a quarter (Q7) is of no use however the turn goes on; None where it may be of use."""
    then = after
    if after.pending and after.pending[-1][0] == "credit":
        return None
    if after.pending:  # whichever tile comes from the docks, it is one more
        then = after.copy()
        then.rules.advance(then, then.rules.legal_moves(then, seat)[0], [])
    if then.pending or any(loss.kind == "card" for loss in then.rules.lost_by_ending(then, seat)):
        return None
    why = next((one.why for one in then.rules.remaining(then, seat) if one.kind == "card"), None)
    if why is None:  # it can be used now, but then a Card tile is left over
        return Effect(_("one Card action more than you can use this turn"), "idle")
    said = why.said(game_words.speaker(after.rules))
    if why.rule == "A3":  # of the tiles that there are then, of which the reader does not know yet
        held = then.players[seat].hand
        said = _("two tiles buy a card, and yours needs no Card action") if held else _("two tiles buy a card")
    return Effect(_("a Card action, of no use this turn: %(why)s", why=said), "idle")


def _seal_at_1(after: State, seat: int) -> Effect:
    """The seal of a card (B9), and what stands against its use now: the card is gone in any case."""
    price = after.rules.chronicle_seal_price
    text, mine = _("a seal for exactly %(coins)s", coins=game_words.coins(price)), after.players[seat].coins
    if mine < price:
        return Effect(_("%(what)s, and you have %(mine)s", what=text, mine=game_words.coins(mine)), "idle")
    return _seal_credit(after, seat, "seal_at_1", text)


def _seal_credit(after: State, seat: int, kind: str, text: str) -> Effect:
    """A seal action as a credit of that kind, with what stands against its use now."""
    why = next((one.why for one in after.rules.remaining(after, seat) if one.kind == kind), None)
    if why is not None:
        return Effect(f"{text}: {why.said(game_words.speaker(after.rules))}", "idle")
    return Effect(text, "gain")


def _push(before: State, after: State, seat: int, move: Move) -> Iterator[Effect]:
    """What a push activates that can be used, what of it cannot and why, and what falls out where (K2, K3)."""
    if move[0] != "push":
        return
    what, names = before.rules.pushed(before, move), game_words.words(before.rules).action_names
    idle = why_not.unusable(after, seat, what.activates)
    actions = []
    for color, count in Counter(what.line).items():
        if usable := count - (idle[color].number if color in idle else 0):
            actions.append(names[color] if usable == 1 else f"{usable} × {names[color]}")
    if actions:
        yield Effect(", ".join(actions), "gain", pictured=True)
    yield from (Effect(one.why, "idle", color, one.number) for color, one in idle.items())
    fallen = names[what.falls]
    yield Effect(_("%(action)s falls out at %(slot)s", action=fallen, slot=what.falls_at), "other", pictured=True)


# What is shown, and what is asked next.


def _revealed(after: State, seat: int, events: Sequence[Event]) -> Iterator[Effect]:
    for event in events:
        if event.kind == "sweep":  # at the end of a turn it is the first thing of the next one (T5)
            yield Effect(_("no gate is open then: all tiles outside go back into the bag"), "other")
        elif event.kind == "empty_bag":
            yield Effect(_("the bag is empty: all tiles outside go back into it"), "other")
        elif event.seat != seat:
            continue
        elif event.kind == "draw" and event.number > 1:
            yield Effect(_("draw %(num)s tiles, keep one", num=event.number), "gain")
        elif event.kind == "draw":
            yield Effect(_("a tile at random"), "gain")
        elif event.kind == "look_at_coats":
            yield Effect(_look_at_coats(event.number, after.players[seat]), "gain")
        elif event.kind == "keep":
            yield Effect(_("the other tile goes back into the bag"), "other")
        elif event.kind == "descendant":
            yield Effect(game_words.words(after.rules).descendant_effects[event.what[0]], "gain")


def _look_at_coats(number: int, player: Player) -> str:
    if number == 1:
        return _("see 1 coat of arms") if player.crests else _("see 1 coat of arms: only a silver one can be yours")
    if not player.crests:
        return _("see %(num)s coats of arms: only a silver one can be yours", num=number)
    return _("see %(num)s coats of arms, keep one", num=number)


def _raised(before: State, after: State) -> list[Choice]:
    """The choices that wait now and did not before, in their order; but for what is told elsewhere: coats, and credits
    that are used at once."""
    known = len(before.pending) - bool(before.pending)
    return [choice for choice in reversed(after.pending[known:]) if choice[0] not in ("coat", "credit")]


def _choices(after: State, seat: int, raised: list[Choice]) -> Iterator[Effect]:
    """What the choices that wait bring; tiles from the docks one after the other are told at once."""
    docks = sum(choice[0] == "dock" for choice in raised)
    idle = _idle_card_action(after, seat) if any(choice[0] == "shipyard" for choice in raised) else None
    for choice in raised:
        if docks < 2 or choice[0] != "dock":
            yield Effect(_choice(after, choice, idle is None), "gain")
    if docks > 1:
        yield Effect(ngettext("%(num)s tile from the docks", "%(num)s tiles from the docks", docks), "gain")
    if idle:
        yield idle


def _choice(after: State, choice: Choice, card_action: bool) -> str:
    kind = choice[0]
    match kind:
        case "choose":
            number = len(choice[1])
            return _("see %(num)s cards, keep one", num=number) if number > 1 else "+" + _cards(1)
        case "barge":
            return ngettext("sail %(num)s step if you like", "sail up to %(num)s steps", choice[1])
        case "goose_tower":
            number = min(after.rules.goose_look, len(after.pile) + len(after.discard))
            return _("a card from the discard pile, or the best of %(num)s", num=number)
    brings = kind in game_words.TEXTS["choice_brings"] and (kind != "shipyard" or card_action)
    return game_words.text("choice_brings", kind if brings else "dock")


def _coat(before: State, seat: int, move: Move) -> Iterator[Effect]:
    """What a coat of arms brings later (W5, K5)."""
    if move[0] != "coat":
        return
    _at_once, quarter, later = before.rules.coats[move[1]]
    if quarter is not None:
        name = game_words.quarter(QUARTERS[quarter])
        said = _("%(vp)s VP for you whenever anybody places a seal in %(quarter)s", vp=later, quarter=name)
        yield Effect(said, "gain")
    if before.players[seat].seals:
        yield Effect(_("1 sparrow for you whenever a tile falls out at %(slot)s", slot=move[1]), "gain")


# What the game is worth in the end.


def _beside_points(score: Score) -> int:
    """What a final score counts that is not told already as points or sparrows."""
    return score["total"] - score["vp"] - score["sparrows"]


def _in_the_end(was: list[Score], before: State, after: State, seat: int, names: Sequence[str]) -> Iterator[Effect]:
    """How the final scoring would change: the barge's space, cards on the tables, Chronicle cards by name."""
    if after.active is None:
        return
    now = after.rules.final_scores(after)
    for other in range(len(now)):
        change = _beside_points(now[other]) - _beside_points(was[other])
        if change and other == seat:
            by_card = _by_lying_cards(before, after, seat) if now[seat]["chronicle"] != was[seat]["chronicle"] else {}
            if rest := change - sum(by_card.values()):
                yield _at_the_end(rest)
            yield from (_at_the_end(points, f" ({card})") for card, points in by_card.items())
        elif change:
            said = _at_the_end(change).text
            yield Effect(_("%(name)s: %(what)s", name=names[other], what=said), "theirs")


def _at_the_end(points: int, by: str = "") -> Effect:
    return _signed(points, _("%(vp)s VP at the end", vp=abs(points)) + by)


def _by_lying_cards(before: State, after: State, seat: int) -> dict[str, int]:
    """How much more or less each Chronicle card that lay on the table of `seat` before counts then, by its name."""
    words, worth = game_words.words(before.rules), card_facts.worth_of
    lying = [card for card in before.players[seat].table if card in CHRONICLE]
    more = {words.card(card): worth(after, seat, card) - worth(before, seat, card) for card in lying}
    return {name: points for name, points in more.items() if points}


def skips_spaces(state: State, seat: int, space: int) -> bool:
    """Whether the barge of `seat` passes another one on its way to `space`: no step ends or counts there (D2)."""
    here = state.players[seat].barge
    return any(here < one.barge < space for one in state.players)


def _space_ahead(state: State, seat: int) -> bool:
    """Whether a space ahead of the barge of `seat` is free, so that a step can be made (D2)."""
    here, last = state.players[seat].barge, len(state.rules.space_value) - 1
    return sum(one.barge > here for one in state.players) < last - here


def _barge(before: State, after: State, seat: int, events: Sequence[Event]) -> Iterator[Effect]:
    """How far a card moves the barge (D3), where it lies then, and which quarters it reaches from there that it did
    not, or no more (D5)."""
    here, space = before.players[seat].barge, after.players[seat].barge
    if space == here:
        return
    rules = before.rules
    for made in (event.number for event in events if event.kind == "card_steps"):
        yield Effect(ngettext("sail %(num)s step", "sail %(num)s steps", made), "gain")
    near = rules.reach_long if before.tower_tile == "long_reach" else rules.reach
    new, left = (
        [game_words.quarter(QUARTERS[q], rules) for q in there if q not in before_it]
        for there, before_it in ((near[space], near[here]), (near[here], near[space]))
    )
    if new and left:
        said = _("to space %(space)s, within reach of %(quarters)s, no longer of %(left)s", space=space,
                 quarters=listing(new), left=listing(left))  # fmt: skip
    elif new:
        said = _("to space %(space)s, within reach of %(quarters)s", space=space, quarters=listing(new))
    elif left:
        said = _("to space %(space)s, no longer within reach of %(left)s", space=space, left=listing(left))
    else:
        said = _("to space %(space)s", space=space)
    yield Effect(said, "other")
    if skips_spaces(before, seat, space):
        yield Effect(_("occupied spaces are skipped"), "other")


def _next(before: State, after: State, seat: int, names: Sequence[str]) -> Iterator[Effect]:
    """Who is next when the turn is over."""
    if after.active is None:
        yield Effect(_("the game ends"), "other")
    elif after.round != before.round:
        said = _("round %(round)s begins with %(name)s", round=after.round, name=names[after.active])
        yield Effect(said, "other")
    elif after.active != seat:
        yield Effect(_("%(name)s is next", name=names[after.active]), "other")


# A hint: what a bot would play.


class AdvisedMove(TypedDict):
    """A move of a hint, and what it costs, gains and brings about."""

    move: str
    effects: Annotated[list[str], "What it costs, gains and brings about, in words."]


class Hint(TypedDict):
    """What `bot` would play from `ply` on, up to the first move that reveals something; not `ready` while it thinks."""

    ply: Annotated[int, "On which it builds."]
    ready: Annotated[bool, "false: it is thought about, ask again."]
    bot: Annotated[str, "Which bot was asked."]
    moves: Annotated[list[AdvisedMove], "Up to the first that reveals something; empty while it is thought about."]


def hint_in_words(advice: Advice) -> Hint:
    """The hint for who asked for it. What is told is read off a mask: what is hidden is in none of it."""
    moves: list[AdvisedMove] = []
    game, seat, names = advice.game, advice.seat, history.names_of(advice.game)
    mask = game.rules.masked(game.position, seat)
    with suppress(UlmError):  # what a reveal brings is made up in a mask: nothing is told of what comes after
        for text in advice.moves:
            move = mask.rules.parse_move(text)
            moves.append({"move": text, "effects": [one.text for one in of_move(mask, seat, move, names)]})
            mask, _events = why_not.try_move(mask, move)
    return {"ply": game.position.ply, "ready": bool(advice.moves), "bot": hints.ADVISER, "moves": moves}
