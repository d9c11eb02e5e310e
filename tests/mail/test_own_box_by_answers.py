"""A box whose cards do something else than the house's: a whole game by letters and answers, in German and Italian."""

import re
from collections.abc import Sequence
from datetime import timedelta
from email.message import EmailMessage
from random import Random
from typing import Any

import pytest

from server.engine.rulesets import Rules
from server.language import speaking
from server.service.archive import verification
from server.service.explain import game_words
from server.service.games import loading
from server.service.lists import game_page
from tests.mail.test_whole_game_by_answers import LANGUAGES, SQLITE, Table, number, table  # noqa: F401 - a fixture
from tests.notify.letters import text
from tests.rulesets.other_cards import Player, check, had, is_top, other_cards, told  # noqa: F401 - a fixture

PLAY = {"de": "Spiele {} oben", "it": "Gioca {} sopra"}
SIDES = {
    "de": {"N": "Nord", "E": "Ost", "S": "Süd", "W": "West"},
    "it": {"N": "nord", "E": "est", "S": "sud", "W": "ovest"},
}
SIGNS = {
    "de": {"coins": "Münze", "vp": "SP", "sparrows": "Spatz"},
    "it": {"coins": "monet", "vp": "PV", "sparrows": "passer"},
}


@pytest.mark.slow
@SQLITE
def test_a_game_by_answers_goes_as_its_letters_say(other_cards: Rules, table: Table) -> None:  # noqa: F811
    player, letters, explained, in_words = Player(Random(5)), dict[int, EmailMessage](), 0, 0
    arrive(table, letters)
    while (seat := table.to_move) is not None:
        with table.store.read():
            position = loading.for_reader(table.store, table.id, table.players[seat]).seen_by(seat)
        options, hand, before = list(table.options(seat)), position.players[seat].hand, view(table, seat)
        pushes = {
            move: position.rules.pushed(position, position.rules.parse_move(move)).activates
            for move in options
            if move.startswith("push ") and len(move.split()) == 2
        }
        move, letter = player.choose(options, pushes), " ".join(text(letters[seat]).split())
        waiting = {*hand} - {*other_cards.cathedral} - {option.split()[1] for option in options if " top" in option}
        assert [card for card in waiting if getattr(told(card), LANGUAGES[seat]) not in letter] == []
        explained += len(waiting)
        answer = number(options, move)
        if is_top(move) and (said := spoken(other_cards, hand, move, LANGUAGES[seat])):
            answer, in_words = said, in_words + 1
        table.now += timedelta(minutes=4)
        table.send(seat, letters[seat], [answer])
        arrive(table, letters)
        if is_top(move):
            after, listed = view(table, seat), item(letter, options.index(move) + 1)
            check(before, move, after, seat)
            for name, change in had(before, after, seat).items():
                if sign := SIGNS[LANGUAGES[seat]].get(name):
                    assert re.search(rf"[+−]{abs(change)} {sign}", listed), (move, listed)
    assert in_words > 5
    assert explained > 5
    assert len(player.played) > 5, player.played
    assert verification.verify_game(table.store, table.id) == []


def arrive(table: Table, letters: dict[int, EmailMessage]) -> None:  # noqa: F811
    """Keep the newest letter of each."""
    for mail in table.mails():
        letters[["ann@example.org", "ben@example.org"].index(mail.to[0])] = mail.message


def view(table: Table, seat: int) -> dict[str, Any]:  # noqa: F811
    found: dict[str, Any] = game_page.page(table.store, table.id, table.players[seat])["view"]
    return found


def item(letter: str, number: int) -> str:
    """What a letter says of the move of that number."""
    found = re.search(rf" {number}\. .*?(?= {number + 1}\. |$)", letter)
    assert found, (number, letter)
    return found[0]


def spoken(rules: Rules, hand: Sequence[str], move: str, language: str) -> str:
    """The play of a card in words, as the letter calls it; "" where another card in hand is called the same."""
    _play, card, _top, *chosen = move.split()
    with speaking(language):
        names = [game_words.card(rules, one) for one in hand]
        name = game_words.card(rules, card)
    arguments = [SIDES[language].get(one, one) for one in chosen]
    return " ".join([PLAY[language].format(name), *arguments]) if names.count(name) == 1 else ""
