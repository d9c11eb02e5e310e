"""All letters in all languages: lines that fit a terminal, a tree of parts that every mail program knows, numbers that
mean moves."""

import email
import re
from collections.abc import Iterator
from dataclasses import replace
from email.policy import default
from html import unescape

import pytest

from server.board.measure import columns
from server.board.words import words_of
from server.engine.ulm1.tables import CARDS
from server.language import LANGUAGES, speaking
from server.language import gettext as _
from server.move_language.reply_mark import is_reply_mark
from server.notify import turn_sections
from server.notify.compose import KINDS
from server.notify.mime_message import flatten
from server.service.explain import move_choices
from server.service.views import since
from server.settings import Settings
from server.storage.database import Store
from tests.notify import letters
from tests.notify.letters import Letters, html, text

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

BOARD_WIDTH = 80


def test_every_letter_fits_a_terminal_and_is_whole(store: Store, answered: Settings) -> None:
    seen = set()
    for _language, name, mail in letters.written(store, answered):
        seen.add(name)
        for line in text(mail).splitlines():
            assert "://" in line or columns(line) <= BOARD_WIDTH, (name, line)
        assert "{" not in text(mail), name
        assert "None" not in text(mail), name
        shown = html(mail)
        assert len(shown.encode()) < 100_000, f"{name}: Gmail cuts what is longer than 102 KB"
        assert "http://" not in shown.replace("http://www.w3.org", ""), name
        preview = re.search(r'<div style="display:none[^>]*>([^<&]+)', shown)
        assert preview is not None, name
        assert preview[1].strip(), name
    assert {*KINDS} - seen <= {"rematch"}, "put these into letters.written"


def test_numbers_are_those_of_the_legal_moves(store: Store, answered: Settings) -> None:
    table = Letters(store, answered, "de", seed=3)
    for rounds in (1, 4, 6, 8):
        table.until(0, rounds)
        seen, mail = table.seen(), table.mail("turn")
        moves = move_choices.numbered(seen.state, 0)
        linked = re.findall(r'href="[^"]*/move/([^"]+)"', html(mail))
        assert [move.replace("/", " ") for move in linked] == moves
        for number, url in _linked(text(mail)):
            assert url.endswith("/move/" + moves[int(number) - 1].replace(" ", "/"))
        beside = re.findall(r"(?:gegen|eigenen):((?:,? *\d+ \w+)+)", text(mail))
        numbers = {*(number for number, _url in _linked(text(mail))), *re.findall(r"\d+", " ".join(beside))}
        assert numbers == {str(number) for number in range(1, len(moves) + 1)}


def test_numbers_are_right_where_moves_are_folded_or_left_out(store: Store, answered: Settings) -> None:
    """A scholar with four colours, whose pushes at one gate stand in one line, and a hand of everything."""
    table = Letters(store, answered, "en")
    table.until(0, 1)
    seen = table.seen()
    state = seen.state.copy()
    state.players[0].descendants, state.players[0].tiles = ("scholar",), [2, 1, 1, 1, 0]
    state.players[0].hand = tuple(CARDS)
    moves = move_choices.numbered(state, 0)
    sections = turn_sections.choices(replace(seen, state=state), "TOKEN")
    listed = [one for section in sections for item in section.items for one in (item, *item.more) if one.number]
    assert any(item.more for section in sections for item in section.items)
    assert all(one.url.endswith("/TOKEN/move/" + moves[one.number - 1].replace(" ", "/")) for one in listed)
    left_out = sum(int(note.split()[2]) for section in sections for note in section.notes)
    assert left_out > 0
    assert len(listed) + left_out == len(moves)


def _linked(shown: str) -> Iterator[tuple[str, str]]:
    number = ""
    for line in shown.splitlines():
        begun = re.match(r" *(\d+)\. ", line)
        number = begun[1] if begun else number
        if "/move/" in line:
            yield number, line.strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_is_asked_for_only_where_one_is_read(store: Store, answered: Settings, language: str) -> None:
    table = Letters(store, answered, language)
    table.until(0, 1)
    with speaking(language):
        hint = _("Or answer with one move a line: %(number)s from the list, push N1, end turn – or help.", number=1)
        back = _("Answer this mail to write back to all of them.")
    table.say("Hello")
    for mail, said in ((table.mail("turn"), hint), (table.told("message"), back)):
        assert said in " ".join(text(mail).split())
        assert is_reply_mark(text(mail).splitlines()[0]), "what is written stands above it"
        assert any(is_reply_mark(line) for line in re.sub("<[^>]*>", "", html(mail)).splitlines())
    table.settings = replace(answered, reply_domain="")
    assert hint not in " ".join(text(table.mail("turn")).split())
    assert back not in text(table.told("message"))
    assert not any(is_reply_mark(line) for line in text(table.mail("turn")).splitlines())


def test_a_message_stands_first_and_cannot_pass_for_the_letter(store: Store, answered: Settings) -> None:
    table = Letters(store, answered, "en")
    table.say("Hello\n-- \nOpen your turn:\nhttps://evil.example/t/x")
    lines = text(table.told("message")).splitlines()[2:]
    assert lines[0].startswith("Béla writes to the players of The rather long")
    said = lines[3:7]
    assert said == ["| Hello", "| --", "| Open your turn:", "| https://evil.example/t/x"]
    assert "Béla" in str(table.told("message")["Subject"])


def test_the_parts_of_a_mail_with_a_picture(store: Store, answered: Settings) -> None:
    """alternative(text, related(html, png)), and the type of the whole named (RFC 2387)."""
    pytest.importorskip("resvg_py")
    table = Letters(store, replace(answered, mail_pictures=True), "en")
    table.until(0, 1)
    mail = email.message_from_bytes(flatten(table.mail("turn"), "x"), policy=default)
    assert mail.get_content_type() == "multipart/alternative"
    plain, related = mail.iter_parts()
    assert plain.get_content_type() == "text/plain"
    assert (related.get_content_type(), related["Content-Type"].params["type"]) == ("multipart/related", "text/html")
    shown, *pictures = related.iter_parts()
    assert shown.get_content_type() == "text/html"
    assert {picture.get_content_type() for picture in pictures} == {"image/png"}
    assert not [defect for part in mail.walk() for defect in part.defects]
    there = {picture["Content-ID"].strip("<>") for picture in pictures}
    assert there == {*re.findall(r'src="cid:([^"]+)"', shown.get_content())}, "the board, and the tiles that are named"
    assert len(there) > 3
    assert "<table" in shown.get_content()


def test_a_letter_says_what_a_seal_would_bring_where_the_barge_lies(store: Store, answered: Settings) -> None:
    table = Letters(store, answered, "en")
    table.until(0, 1)
    seen = table.seen()
    state = seen.state.copy()
    state.players[0].barge, state.players[0].seals = 7, 3
    state.quarters = ((1, 1, 1, 1), *state.quarters[1:6], (2,), *state.quarters[7:])
    view = {**state.rules.view(state, 0), "crests": {"garden": 1, "oath_house": 0}}
    shown = replace(seen, state=state, view=view)
    [section] = [one for one in turn_sections.choices(shown, "T") if one.title.startswith("What a seal")]
    assert [item.label for item in section.items] == ["Oath House", "Garden"]
    assert section.items[0].detail == "one of these joins you; 4 places are free; 1 VP for your family crest"
    assert section.items[1].detail.endswith("3 places are free; 2 VP for the family crest of Béla")
    [people] = section.notes
    assert len(view["descendants"]) == 4
    assert all(words_of("en").descendant_effects[one] in people for one in view["descendants"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_says_what_moves_cost_and_gain_in_the_words_of_the_page(
    store: Store, answered: Settings, language: str
) -> None:
    """Before the push and after it, as text and as HTML; what is not possible with its reason; how it would end now."""
    table = Letters(store, answered, language)
    table.until(0, 4)
    for phase in ("push", "actions"):
        with speaking(language):
            seen, mail = table.seen(), table.mail("turn_link")
            assert seen.view["phase"] == phase
            groups = move_choices.groups(seen.state, 0, seen.names)
            told = since.told(seen.story, seen.story.own_turn_ended, seen.story.turn_began)
            wanted = [" · ".join(effect.text for effect in one.told) for group in groups for one in group.options]
            wanted += [f"{', '.join(one.slots)}: {one.why}." for group in groups for one in group.unused]
            wanted += [since.sentence(turn, seen.names, 0) for turn in told.turns]
            refused = [one for group in groups for one in group.impossible] if phase == "actions" else []
            wanted += [f"{one.label}: {one.why}" for one in refused[: turn_sections.IMPOSSIBLE_MAX]]
            totals = [str(score["total"]).replace("-", "−") for score in seen.state.rules.final_scores(seen.state)]
            now = " ".join([_("If it ended now"), *totals])
        assert sum(map(bool, wanted)) > 5
        for shown in (text(mail), unescape(re.sub("<[^>]*>", "", re.sub("(</?t[dh]|<br)", r" \1", html(mail))))):
            said = " ".join(shown.split())
            assert [one for one in [*wanted, now] if " ".join(one.split()) not in said] == []
        table.move()
