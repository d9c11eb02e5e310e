"""The parts of a mail by which a turn is played: every legal move with its number, and what came before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from server.engine.ulm1.tables import CARDS, QUARTERS
from server.language import gettext as _
from server.language import listing, ngettext
from server.notify.game_sections import Seen
from server.notify.mail_content import Item, Section
from server.service.accounts import link_urls
from server.service.explain import card_facts, game_words, history, move_choices
from server.service.explain.effects import Effect
from server.service.explain.move_choices import Group, Option
from server.service.views import since

SHOWN_MAX = 30  # of longer lists of moves (a builder's cards, say) so many are shown; the turn page has all
PREVIEW_MAX = 110
IMPOSSIBLE_MAX = 6


def choices(seen: Seen, token: str) -> list[Section]:
    """The legal moves in their groups, each with a link that prepares it on the page of the turn (`token`) and with
    its number in `move_choices.numbered`, and what helps to choose. [] when it is not the reader's turn."""
    found = move_choices.groups(seen.state, seen.seat, seen.names)
    groups = [group for group in found if group.options]
    sections, before = [], 0
    for group in groups:
        sections.append(_choice(seen, token, group, before))
        before += len(group.options)
    return sections + _impossible(seen, found) + _seals(seen, groups) + _hand(seen, groups)


def _choice(seen: Seen, token: str, group: Group, before: int) -> Section:
    """One group, whose first move has the number after `before`."""
    items: list[Item] = []
    pushes: dict[str, list[Item]] = {}
    for number, option in enumerate(group.options, before + 1):
        url = link_urls.move_url(seen.task.settings, token, option.move)
        if option.push is None:
            items.append(Item(option.label, _detail(seen, option), url, number=number, effects=_effects(option)))
        elif option.push.slot not in pushes:
            pushes[option.push.slot] = []
            label, more = _("Push at %(slot)s", slot=option.push.slot), pushes[option.push.slot]
            others = _("or one of your own:")
            unused = [place for place, (_color, never) in enumerate(option.line) if never]
            line, falls = option.push.line, option.push.falls
            items.append(Item(label, "", url, line, number, more, others, _effects(option), unused, falls))
        else:
            # A scholar may push several colours at one gate, which falls out and what is beside it stay the same.
            color = option.push.color
            pushes[option.push.slot].append(Item(_color(color), url=url, tiles=(color,), number=number))
    items = _swaps_in_one(items, group)
    shown = items[:SHOWN_MAX]
    rest = sum(1 + len(item.more) for item in items[SHOWN_MAX:])
    notes = (
        [ngettext("… and %(num)s more on the page of your turn.", "… and %(num)s more on the page of your turn.", rest)]
        if rest
        else []
    )
    notes += [f"{', '.join(one.slots)}: {one.why}." for one in group.unused]
    if any(option.move == "seal oath_house" for option in group.options):
        notes += _people(seen)
    lost = move_choices.lost_by_ending(seen.state, seen.seat) if group.kind == "end" else []
    if lost:
        notes.append(_("What you could still do is then lost: %(what)s.", what="; ".join(lost)))
    return Section(group.title, _before(seen, group.kind), shown, notes=notes)


def _swaps_in_one(items: list[Item], group: Group) -> list[Item]:
    """Swaps for tiles of the docks, which cost the same, as one item; all others as they are."""
    verbs = {option.move.split()[0] for option in group.options}
    if verbs != {"swap"} or len({item.said for item in items}) != 1:
        return items
    first, *rest = [
        replace(item, tiles=(option.move.split()[1],)) for item, option in zip(items, group.options, strict=True)
    ]
    more = [Item(_color(one.tiles[0]), url=one.url, tiles=one.tiles, number=one.number) for one in rest]
    return [replace(first, more=more, others=_("or for:"))]


def _before(seen: Seen, kind: str) -> list[str]:
    """What one has to know before the moves of a group are read: what came by chance."""
    if kind in ("draw", "push"):
        return _drawn(seen)
    new = history.new_cards(seen.state, seen.seat, seen.story.this_turn()) if kind == "choice" else ""
    return [new] if new else []


def _detail(seen: Seen, option: Option) -> str:
    """What an option says beside its label, where its effects do not say it; of a card that is offered all of it."""
    verb, *rest = option.move.split()
    if verb in ("choose", "take") and rest[0] in CARDS:
        return _card(seen, rest[0])
    return option.besides


def _effects(option: Option) -> Sequence[Effect]:
    """Cost and gain of a move, as the page of the game tells them, and whether it can be taken back."""
    return (*option.told, *([Effect(option.final, "cost")] if option.final else []))


def _card(seen: Seen, card: str) -> str:
    """What a card does either way, and what it would count now."""
    facts = card_facts.of_card(seen.game.rules, card, seen.state, seen.seat)
    both = _("%(top)s; on the table: %(table)s", top=facts.played, table=facts.table)
    return f"{both}; {facts.counts}" if facts.counts else both


def _impossible(seen: Seen, groups: list[Group]) -> list[Section]:
    """What cannot be done, and why: once the tile is pushed, when one wonders where an action has gone."""
    if seen.view["phase"] != "actions":
        return []
    items = [Item(one.label, one.why) for group in groups for one in group.impossible]
    return [Section(_("Not possible now"), items=items[:IMPOSSIBLE_MAX])] if items else []


def _color(color: str) -> str:
    return game_words.words().action_names[color]


def _drawn(seen: Seen) -> list[str]:
    tiles = seen.view["turn"]["tiles"]
    if not tiles:
        return []
    words = game_words.words(seen.game.rules)
    said = listing([f"{words.colors[color]} ({words.action_names[color]})" for color in tiles])
    if len(tiles) == 1:
        return [_("You have drawn: %(tile)s.", tile=said)]
    return [_("You have drawn %(tiles)s, and keep one.", tiles=said)]


def how_to_answer(choices: Sequence[Section]) -> list[str]:
    """What to write into an answer to a mail with these choices."""
    pushes = [item.number for section in choices for item in section.items if item.tiles and item.number]
    number = pushes[0] if pushes else 1
    return [_("Or answer with one move a line: %(number)s from the list, push N1, end turn – or help.", number=number)]


def _seals(seen: Seen, groups: list[Group]) -> list[Section]:
    """What a seal would bring, where the barge lies: it decides which push is worth something. Nothing when the moves
    say it already, or no seal can be placed whatever is pushed."""
    rules, view, own = seen.game.rules, seen.view, seen.own
    if not any(group.kind == "push" for group in groups) or not own["seals"]:
        return []
    if any(group.kind == "seals" for group in groups):
        return []
    far = bool(view["tower"]) and view["tower"][view["round"] - 1] == "long_reach"
    words = game_words.words(rules)
    items = []
    for index in (rules.reach_long if far else rules.reach)[own["barge"]]:
        name = QUARTERS[index]
        free = rules.seal_spaces[index] - len(view["quarters"][name])
        if not free:
            continue
        places = ngettext("%(num)s place is free", "%(num)s places are free", free)
        items.append(Item(words.quarters[name], "; ".join([words.privileges[name], places, *_crest(seen, name)])))
    notes = _people(seen) if any(item.label == words.quarters["oath_house"] for item in items) else []
    return [Section(_("What a seal would bring you now"), items=items, notes=notes, drawn=True)] if items else []


def _crest(seen: Seen, quarter: str) -> list[str]:
    """What a seal in a quarter brings the owner of the crest there, if there is one."""
    owner = seen.view["crests"].get(quarter)
    if owner is None:
        return []
    vp = seen.game.rules.crest_vp[QUARTERS.index(quarter)]
    if owner == seen.seat:
        return [_("%(vp)s VP for your family crest", vp=vp)]
    return [_("%(vp)s VP for the family crest of %(name)s", vp=vp, name=seen.names[owner])]


def _people(seen: Seen) -> list[str]:
    """Who may join the player in the Oath House, and how they help."""
    words = game_words.words(seen.game.rules)
    people = [f"{words.descendants[one]} ({words.descendant_effects[one]})" for one in seen.view["descendants"]]
    return [_("In the Oath House: %(people)s.", people="; ".join(people))] if people else []


def _hand(seen: Seen, groups: list[Group]) -> list[Section]:
    """The cards in hand whose upper effect is not among the moves: what they do."""
    listed = {option.move.split()[1] for group in groups for option in group.options if " top" in option.move}
    items = []
    for card in seen.own["hand"]:
        if card in listed:
            continue
        items.append(Item(game_words.card(seen.game.rules, card), _card(seen, card)))
    return [Section(_("Cards waiting in your hand"), items=items)] if items else []


def last_seen(seen: Seen) -> str:
    """What the others did last, as one short line: the newest turn of one of them."""
    story = seen.story
    others = [
        turn for turn in since.told(story, story.own_turn_ended, story.turn_began).turns if turn.seat != seen.seat
    ]
    text = since.sentence(others[-1], seen.names, seen.seat) if others else ""
    return text if len(text) <= PREVIEW_MAX else text[:PREVIEW_MAX].rsplit(" ", 1)[0] + " …"
