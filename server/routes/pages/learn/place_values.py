"""What the template of a lesson is given: what the coach says, the moves, the boards, what came of the last move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from server.board import events
from server.board.cathedral import used_cells
from server.board.listing import Column, column, minus, sign_of
from server.engine.ulm1.shapes import Score, View
from server.engine.ulm1.state import State
from server.language import gettext as _
from server.language import listing, ngettext
from server.routes.pages.game import move_pictures
from server.routes.pages.learn import place_boards
from server.routes.pages.learn.place_boards import Choice
from server.service.explain import game_words, move_choices
from server.service.explain.move_choices import Group, Option
from server.service.learning import coach, lessons, pushes, walk
from server.service.learning.lessons import BOT, FREE, LAST, LEARNER, LESSONS, Played
from server.service.learning.pushes import Hint
from server.service.learning.walk import Place
from server.service.views.drafts import Draft

_CARD_SCORES: tuple[Column, ...] = ("cathedral", "trade", "chronicle")


Address = Callable[..., str]
"""Makes the address of a place in the guided game: `learn_pages.address`."""


class Deed(NamedTuple):
    """Something that the opponent did, and why."""

    what: str
    why: str


def contents(place: Place | None) -> list[dict[str, Any]]:
    """The lessons by number and name."""
    return [
        {"number": number, "name": _(lesson.name), "color": lesson.color, "here": place and place.number == number}
        for number, lesson in enumerate(LESSONS, 1)
    ]


def values(place: Place, address: Address, ask: str = "") -> dict[str, Any]:
    """The values for `pages/learn/lesson.html`; `ask`: the words that the moves begin with of which one is chosen."""
    state = place.state
    groups = (
        [] if place.over or place.tried else move_choices.groups(state.rules.masked(state, LEARNER), LEARNER, _names())
    )
    hints = [] if place.over or place.tried or not (place.lesson.is_free or state.pending) else coach.hints(state)
    if not place.lesson.is_free:
        hints = [hint._replace(why=_(lessons.GOLD)) if _is_golden(state, hint) else hint for hint in hints]
    choices = _choices(place, groups, address, hints)
    boards = place_boards.of(place, choices, lambda words: address(place.number, place.moves, ask=words))
    which: list[Choice] = []
    if place.lesson.is_free:
        which = [choice._replace(asked=True, then=False) for choice in choices if _begins(choice.option.move, ask)]
    choices = which or choices
    chosen = [choice for choice in choices if choice.asked]
    if which:  # there are several ways to do what was pressed on the board
        buys = which[0].option.move.startswith("buy ")
        say, why = _("Which two tiles do you give up?") if buys else _("How do you play it?"), ""
    else:
        say, why = _said(place, chosen, hints)
    back = place.moves if which else place.back
    seen = state.rules.view(state, LEARNER)
    forward = address(*walk.next_place(place)) if place.over and place.number < LAST else None
    return {
        "contents": contents(place),
        "last": LAST,
        "say": say,
        "why": why,
        "chosen": chosen,
        "others": [choice for choice in choices if not choice.asked],
        "gains": _gains(place),
        "deeds": _deeds(place),
        "back": None if back is None else address(place.number, back),
        "again": address(place.number, walk.again(place)) if place.moves != walk.again(place) else None,
        "forward": forward,
        "next_name": _(LESSONS[place.number].name) if place.number < LAST else "",
        "boards": boards,
        "me": seen["players"][LEARNER],
        "lain": ", ".join(game_words.words().card(card) for card in seen["players"][LEARNER]["table"]),
        "sparrows": game_words.sparrows if lessons.knows_sparrows(place.number, place.step) else None,
        "other": seen["players"][BOT],
        "in_hand": seen["turn"]["tiles"],
        "row": _row(seen),
        "label_of": lambda option: move_pictures.full_label(option, state.rules),
        "seals": place.number >= lessons.taught_in("seal"),
        "crests": lessons.knows_crests(place.number, _chose_coats(place)),
        "opponent": lessons.OPPONENT,
        "words": game_words.words(state.rules),
        "seats": {"me": LEARNER, "other": BOT},
        # As the page of a game shows them: what is learned here is what is met there.
        "pictures": move_pictures.of_moves(Draft(LEARNER, state.ply, state, seen, groups=groups)),
        "scores": _parts(state) if place.over and place.number == LAST else None,
        "free": place.number >= FREE,
    }


def _chose_coats(place: Place) -> bool:
    """Whether the learner chooses, or chose in this lesson, among coats of arms."""
    pending = place.state.pending
    return bool(pending and pending[-1][0] == "coat") or any(_begins(move, "coat") for move in place.moves)


def _begins(move: str, words: str) -> bool:
    return bool(words) and f"{move} ".startswith(f"{words} ")


def _choices(place: Place, groups: list[Group], address: Address, hints: list[Hint]) -> list[Choice]:
    """All legal moves; those that the coach asks for, or would think of, first."""
    options = {option.move: option for group in groups for option in group.options}
    if not lessons.knows_sparrows(place.number, place.step):  # a swap costs one
        options = {move: option for move, option in options.items() if not move.startswith("swap ")}
    if not options:
        return []
    asked = {place.step.move: ""} if place.step else {}
    if place.lesson.is_free or asked:  # a choice is seen whole, each side with what speaks for it
        asked |= {hint.move: hint.why for hint in hints}
    one_of = any(hint.instead for hint in hints)
    then = {hint.move for hint in hints[1:] if one_of and not hint.instead}
    order = [*(move for move in asked if move in options), *(move for move in options if move not in asked)]
    return [
        Choice(option, address(place.number, (*place.moves, move)), why, move in asked, move in then)
        for move in order
        for option, why in [_said_once(options[move], asked.get(move, ""), move == order[0])]
    ]


def _said_once(option: Option, why: str, first: bool) -> tuple[Option, str]:
    """A move, and what speaks for it: nothing where that is what it brings about and no more. The first choice is
    without those of its effects that are named there; of the others a phone shows the effects alone."""
    said = why.rstrip(".").casefold()
    if said in [effect.text.casefold() for effect in option.effects]:
        return option, ""
    if not first:
        return option, why
    return option._replace(effects=tuple(one for one in option.effects if one.text.casefold() not in said)), why


def _said(place: Place, chosen: list[Choice], hints: list[Hint]) -> tuple[str, str]:
    """What the coach says, and why."""
    if place.over:
        return _done(place), _(place.lesson.learned)
    if place.tried and place.last is not None:
        refused = "refused_push" if place.last.move[0] == "push" else "refused_other"
        return _("You can do that, too."), _(lessons.SAID[refused])
    if place.step is not None:
        say, why = _filled(place.step.say), _filled(place.step.why)
        return (_(lessons.REFUSED_END), say) if place.refused else (say, why)
    say, why = _free_words(place.state, hints)
    return say, why or (_refilled(place.last) if place.last is not None else "")


def _refilled(played: Played) -> str:
    """What came to the docks when the learner took a tile there (L3); "" where none was taken."""
    rules, refills = played.before.rules, [event for event in played.events if event.kind == "refill"]
    if not refills:
        return ""
    said = events.sentences(rules, refills, _names(), LEARNER, speaker=game_words.speaker(rules), you=LEARNER)
    return " ".join([_("Whatever leaves the docks is replaced from the bag."), *said])


def _done(place: Place) -> str:
    if place.number < LAST:
        return _("Well done!") if place.number < FREE else _("Your turn is over.")
    mine, theirs = (place.state.rules.final_scores(place.state)[seat]["total"] for seat in (LEARNER, BOT))
    if mine == theirs:
        return _("Well played! You and %(name)s are level.", name=lessons.OPPONENT)
    ahead = _("You lead by %(num)s VP!", num=mine - theirs)
    behind = _("Well played! %(name)s leads by %(num)s VP.", name=lessons.OPPONENT, num=theirs - mine)
    return ahead if mine > theirs else behind


def _filled(text: str) -> str:
    return _(text, **game_words.words().quarters)


def _free_words(state: State, hints: list[Hint]) -> tuple[str, str]:
    """What the coach says where the learner is free, and he names these moves; and why."""
    if state.pending:
        if len(hints) == 1:
            return _("This is yours to take."), ""
        return _("Which one? I would choose the first."), _of_gold(state, hints)
    match state.phase:
        case "draw":
            return _("This turn is all yours. Draw."), ""
        case "push":
            return _pushing(state, hints)
        case "keep":
            return _("Keep one of the two."), ""
    moves = state.rules.legal_moves(state, LEARNER)
    if len(moves) == 1:
        return _("End your turn."), ""
    if any(hint.instead for hint in hints):
        return _one_of(state, hints), ""
    return _("What first? I would do it in this order.") if len(hints) > 1 else _("I would do this now."), ""


def _of_gold(state: State, hints: list[Hint]) -> str:
    """What is to be known of the golden coats of arms among these moves (W4); "" where there is none."""
    golden = [_is_golden(state, hint) for hint in hints]
    if golden[0]:
        return _(
            "One of your family crests goes to the quarter named here. Those left over at the end are worth nothing."
        )
    if any(golden):
        return _("Gold also costs one of your family crests: shields in your colour, used only for that.")
    return ""


def _is_golden(state: State, hint: Hint) -> bool:
    """Whether a move keeps a golden coat of arms, which takes a family crest (W4)."""
    verb, *rest = hint.move.split()
    return verb == "coat" and state.rules.coats[rest[0]][1] is not None


def _pushing(state: State, hints: list[Hint]) -> tuple[str, str]:
    if len(hints) == 1:
        return _("Push your tile in here."), ""
    if why := pushes.why_first(state, hints):
        return _("Where do you push your tile? I like the first of these best."), why
    return _("Where do you push your tile? The first two are equally good."), ""


def _one_of(state: State, hints: list[Hint]) -> str:
    """What the coach says of moves that rule each other out."""
    color = coach.tile_for(state, hints)
    if color is None:
        return _("Do one of these. I like the first best.")
    names = game_words.words(state.rules).tile_kinds
    return _("Use your %(action)s tile for one of these. I like the first best.", action=names[color])


def _gains(place: Place) -> list[tuple[str, str]]:
    """What the learner's newest move brought and cost: a sign and words for each."""
    if place.last is None or place.over:
        return []
    before, after = place.last.before.players[LEARNER], place.last.after.players[LEARNER]
    changes = (
        (after.vp - before.vp, lambda n: _("%(vp)s VP", vp=n)),
        (after.coins - before.coins, game_words.coins),
        (sum(after.tiles) - sum(before.tiles), lambda n: ngettext("%(num)s tile", "%(num)s tiles", n)),
        (after.sparrows - before.sparrows, lambda n: ngettext("%(num)s sparrow", "%(num)s sparrows", n)),
        (after.seals - before.seals, lambda n: ngettext("%(num)s seal", "%(num)s seals", n)),
        (after.crests - before.crests, lambda n: ngettext("%(num)s family crest", "%(num)s family crests", n)),
        (len(after.hand) - len(before.hand), lambda n: ngettext("%(num)s card", "%(num)s cards", n)),
        (_later(place.last.after) - _later(place.last.before), lambda n: _("%(num)s VP at the end", num=n)),
    )
    return [(sign_of(number), words(abs(number))) for number, words in changes if number]


def _later(state: State) -> int:
    """What the learner's barge and table would bring if the game ended now: what else counts then is told by itself."""
    score = state.rules.final_scores(state)[LEARNER]
    return score["barge"] + sum(column(score, kind) for kind in _CARD_SCORES)


def _deeds(place: Place) -> list[Deed]:
    """The opponent's turn in words: what was done several times once, each reason once, and of what no lesson has
    explained yet only in which one it comes."""
    told, later = [], set()
    for played in place.answer:
        if (number := lessons.taught_in(played.move[0])) > place.number:
            later.add(number)
        else:
            told += [deed for deed in (_deed(played), *_besides(played, place.number)) if deed is not None]
            if place.number < FREE and any(event.kind == _CREST for event in played.events):
                later.add(FREE)
    times = Counter(deed.what for deed in told)
    known: set[str] = set()
    deeds: list[Deed] = []
    for what, why in dict.fromkeys(told):
        again = times[what] - 1
        more = ngettext("And again.", "And %(num)s more times.", again) if again else ""
        deeds.append(Deed(f"{what} {more}".strip(), "" if why in known else why))
        known.add(why)
    if later:
        numbers = listing([str(number) for number in sorted(later)])
        more = ngettext(
            "He did more: you will learn it in lesson %(numbers)s.",
            "He did more: you will learn it in lessons %(numbers)s.",
            len(later),
            numbers=numbers,
        )
        deeds.append(Deed(more, ""))
    return deeds


def _row(seen: View) -> list[tuple[str, bool]]:
    """The tiles of the line that was pushed this turn, as they lie on the board, and whether each was used."""
    turn = seen["turn"]
    cells = sorted(used_cells(seen["grid"], turn["slot"], turn["activated"]))
    return [(seen["grid"][cell // 3][cell % 3], used) for cell, used in cells]


def _deed(played: Played) -> Deed | None:
    """A move of the opponent in words; None for what goes without saying."""
    verb, rules = played.move[0], played.before.rules
    if verb in ("draw", "end", "choose", "dock", "barge", "coin", "pass", "keep"):
        return None
    if verb == "push":
        what = rules.pushed(played.before, played.move)
        names, times = game_words.words(rules).action_names, Counter(what.line)
        actions = listing(
            [names[color] if count == 1 else f"{count} × {names[color]}" for color, count in times.items()]
        )
        return Deed(
            _("%(name)s pushes at %(slot)s.", name=lessons.OPPONENT, slot=what.slot),
            _("His tiles: %(what)s.", what=actions),
        )
    said = _told(played)
    if verb == "descendant":  # no lesson explains them
        effect = game_words.words(rules).descendant_effects[played.move[1]]
        return Deed(said, _("A helper for the rest of the game: %(what)s.", what=effect))
    why = lessons.BOT_SAYS.get("lay" if verb == "play" and played.move[-1] == "table" else verb)
    return Deed(said, _(why) if why else "") if said else None


_CREST = "crest_vp"
_BESIDES = {"seal_sparrow": lessons.SAID["sparrow"], _CREST: lessons.SAID["crest"]}
"""What a move can bring somebody who did not play it, and why: K5, W5."""


def _besides(played: Played, number: int) -> Iterator[Deed]:
    """What seals at gates and family crests (from their lesson on) brought by a move of the opponent."""
    rules = played.before.rules
    for event in played.events:
        if event.kind in _BESIDES and (event.kind != _CREST or number >= FREE):
            [said] = events.sentences(rules, [event], _names(), LEARNER, speaker=game_words.speaker(rules), you=LEARNER)
            yield Deed(said, _(_BESIDES[event.kind]))


def _names() -> list[str]:
    """What the seats go by: the learner by their colour."""
    return [game_words.words().seats[LEARNER], lessons.OPPONENT]


def _told(played: Played) -> str:
    rules = played.before.rules
    sentences = events.sentences(rules, played.events, _names(), LEARNER, speaker=game_words.speaker(rules))
    return sentences[0] if sentences else ""


def _parts(state: State) -> list[tuple[str, str, str]]:
    """What both would have if the game ended now, part by part, and in all."""
    mine, theirs = (state.rules.final_scores(state)[seat] for seat in (LEARNER, BOT))
    names: list[tuple[str, Callable[[Score], int]]] = [
        (_("Points so far"), lambda score: score["vp"]),
        (_("Sparrows"), lambda score: score["sparrows"]),
        (_("The barge"), lambda score: score["barge"]),
        (_("Cards on the table"), lambda score: sum(column(score, kind) for kind in _CARD_SCORES)),
        (_("If the game ended now"), lambda score: score["total"]),
    ]
    return [(name, minus(value(mine)), minus(value(theirs))) for name, value in names]
