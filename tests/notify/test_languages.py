"""Mails in the language of their reader."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest

from server.board.words import words_of
from server.language import LANGUAGES, catalogue, speaking
from server.language import gettext as _
from server.notify import times
from server.notify.compose import compose
from server.service.erasure import deletion
from server.service.outbox.deliveries import QueuedMail
from server.service.seating import creating, invitations
from tests.notify.test_compose import Table, plain  # noqa: F401 - a fixture
from tests.service.conftest import NOW
from tests.tables import Player as PlayerRow

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def table_of(store, settings, language: str) -> Table:
    return Table(store, settings, 2, 1, language=language)


def parts(message: EmailMessage | object) -> tuple[str, str]:
    assert isinstance(message, EmailMessage)
    text, html = (message.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    return text.get_content(), html.get_content()


def composed(table: Table, one: QueuedMail) -> EmailMessage:
    made = compose(table.store, table.settings, one, table.now)
    assert isinstance(made, EmailMessage)
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_is_told_in_the_reader_s_language(store, plain, language):  # noqa: F811
    table = table_of(store, plain, language)
    table.turn()
    one = table.notices("turn")[-1]
    made = composed(table, one)
    text, html = parts(made)
    assert f'<html lang="{language}">' in html
    words = words_of(language)
    # The board, the belongings and the choices: words of the board, whatever is translated as yet.
    assert any(name in text for name in words.tower.values())
    assert any(action in html for action in words.actions.values())
    with speaking(language):
        assert _("Before your first turn").upper() in text
        assert _("You have") in html
        assert str(made["Subject"]) == _("%(game)s: your turn, round %(round)s", game="A game", round=1)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_no_english_is_left_in_a_translated_mail(store, plain, language):  # noqa: F811
    """Every English text of a mail that has a translation is not in the mail any more."""
    english, other = table_of(store, plain, "en"), table_of(store, plain, language)
    texts = []
    for table in (english, other):
        for _each in range(3):
            table.turn()
        texts.append(parts(composed(table, table.notices("turn")[-1]))[0])
    translations = catalogue.of(language)
    lines = [line.strip("* ") for line in texts[0].splitlines()]
    for line in lines:
        if re.fullmatch(r"[A-Z][a-z ]{8,}", line) and translations.gettext(line) != line:
            assert line not in texts[1]


def test_the_same_notice_gives_the_same_mail_again(store, plain):  # noqa: F811
    table = table_of(store, plain, "de")
    one = table.notices("started", "turn")[0]
    first = composed(table, one)
    second = compose(store, plain, one, table.now + timedelta(hours=5))
    assert isinstance(second, EmailMessage)
    assert parts(first) == parts(second)
    assert first.items() == second.items()


def test_strangers_are_written_to_in_the_language_of_who_invites_them(store, plain):  # noqa: F811
    table = table_of(store, plain, "en")
    with store.write():
        PlayerRow.update(preferences=json.dumps({"language": "it"})).where(
            PlayerRow.id == table.players[0].id
        ).execute()
    host = table.players[0]
    game = creating.create(store, host, 2, "Another", {}, "", [], False, NOW)
    invitations.invite(store, host, game["id"], "stranger@example.net", NOW)
    one = next(one for one in table.notices("invitation"))
    html = parts(composed(table, one))[1]
    assert '<html lang="it">' in html
    # Nobody knows any more who invited: English.
    gone = replace(one, data={**one.data, "invitation": 0})
    assert not isinstance(compose(store, plain, gone, NOW), EmailMessage)


def test_a_deadline_is_told_as_its_reader_tells_the_time(store, plain):  # noqa: F811
    deadlines = {}
    for language in LANGUAGES:
        with speaking(language):
            deadlines[language] = times.local(NOW, "Europe/Berlin")
    assert len(set(deadlines.values())) == len(LANGUAGES)
    assert all(said.endswith(" (Europe/Berlin)") for said in deadlines.values())


def test_a_player_who_is_gone_has_a_name_in_the_language_of_who_reads(store, plain):  # noqa: F811
    table = Table(store, plain, 3, 1, language="de")
    while table.page(0)["to_move"] != 0:
        table.turn()
    deletion.delete_account(store, table.players[0], table.now)
    made = composed(table, table.notices("turn")[-1])
    text, html = parts(made)
    assert "Ehemaliger Mitspieler" in text
    assert "Ehemaliger Mitspieler" in html
    assert "Former player" not in text + html
