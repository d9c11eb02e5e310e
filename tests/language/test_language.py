"""Languages: every text that a person reads is marked, collected, and (where a language is complete) translated."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from server import language
from server.board.events import sentences, told
from server.board.words import words_of
from server.engine.events import Event
from server.engine.ulm1.tables import CARDS, COLORS, DESCENDANTS, QUARTERS, TOWER
from server.engine.ulm2 import RULES
from server.language import LANGUAGES, collect, speaking
from server.service.explain import game_words

ROOT = Path(__file__).parent.parent.parent
TRANSLATIONS = [code for code in LANGUAGES if code != language.DEFAULT]
COMPLETE: tuple[str, ...] = ("de", "it")
"""Languages into which every text is translated; they have to stay so."""

MARKS = {"_", "gettext", "ngettext", "pgettext", "N_", "plain", "counted", "_tile"}

# ---- Catalogues


def test_every_text_is_in_the_template_of_catalogues():
    """`make messages` was called after the last change of a text."""
    with collect.TEMPLATE.open("rb") as file:
        kept = collect.read_po(file)
    found = {(message.id, message.context) for message in collect.collected() if message.id}
    assert found == {(message.id, message.context) for message in kept if message.id}, "call `make messages`"


def test_the_texts_of_every_part_are_found():
    """The collector sees the engine's sentences, service, mails, templates; blanks and line ends within {% trans %} are
    one blank each."""
    ids = {
        text
        for message in collect.collected()
        if message.id
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    }
    assert [text for text in ids if "\n" in text or "  " in text] == []
    for forms in told().values():
        for form in forms:
            assert form is None or {form.one, form.many} - {None} <= ids
    assert {"Draw from the bag", "Confirm your address", "%(num)s days", "you already have a seat in this game"} <= ids


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_catalogues_hold_the_same_texts(code):
    with collect.TEMPLATE.open("rb") as file:
        template = {(message.id, message.context) for message in collect.read_po(file)}
    assert {(message.id, message.context) for message in collect.stored(code)} == template, "call `make messages`"


@pytest.mark.parametrize("code", COMPLETE)
def test_complete_languages_are_complete(code):
    assert collect.untranslated(collect.stored(code)) == []


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_translations_keep_what_is_filled_in(code):
    """The same names in %(…)s and {…}, the same tags of HTML, the same blanks at the ends, no fuzzy text."""
    wrong = []
    for message in collect.stored(code):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        texts = [message.string] if isinstance(message.string, str) else list(message.string)
        for index, text in enumerate(texts):
            if text and not _fits(ids[min(index, len(ids) - 1)], ids, text):
                wrong.append(f"{ids} → {text}")
    assert wrong == []


PLACE = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
TAG = re.compile(r"</?[a-z][a-z0-9]*[^>]*>")


def _fits(source: str, sources: list[str], text: str) -> bool:
    needed = set(PLACE.findall(source)) - {"%(num)s", "{n}"}
    allowed = {place for one in sources for place in PLACE.findall(one)}
    places = set(PLACE.findall(text))
    stray = re.sub(r"%\(\w+\)[sd]|%%", "", text).count("%") if "%(" in source else 0
    blanks = [(one[:1].isspace(), one[-1:].isspace()) for one in (source, text)]
    # Of a plural "one tile" may say the number in a word; then it may be missing, but nowhere else.
    num = sources != [source] or "%(num)s" not in source or "%(num)s" in places
    return (
        needed <= places <= allowed
        and num
        and not stray
        and blanks[0] == blanks[1]
        and Counter(TAG.findall(source)) == Counter(TAG.findall(text))
    )


STRAY = {
    "de": re.compile(r"[a-zäöüß,;] (?:Du|Dich|Dir|Dein\w*)\b|\bMischung\b|[\"']"),
    "it": re.compile(r"[“”]|\w'\w|(?<!by )\b[Mm]ail\b|\b[Gg]riglia\b|\bstemm[ai] di famiglia\b|\b[Pp]roblem[ai] d"),
}
"""What is said otherwise everywhere else, by language: one word and one kind of quotation marks for one thing."""
_CODE = re.compile(r"`[^`]*`|\{\"[^}]*\}|<[^>]*>")


@pytest.mark.parametrize("code", sorted(STRAY))
def test_one_thing_has_one_word(code):
    """In English two words may be one; who reads a translation from start to end notices."""
    strays = []
    for message in collect.stored(code):
        texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
        strays += [text for text in texts if message.id and STRAY[code].search(_CODE.sub("", text))]
    assert strays == []


# ---- The game's own words


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_sentence_can_be_said(code):
    """In each language each sentence takes what events give it, for one and for many."""
    with speaking(code):
        speaker = game_words.speaker(RULES)
    for kind, (own, others, _) in told().items():
        for private in [False, True] if others else [False]:
            for number, what in ((1, ("gray",)), (3, ("gray", "N2", "fustian-gray", "N3"))):
                if number == 1 and re.search(r"\{[1-9]\}", own.one):
                    continue
                event = Event("round" if kind == "round_tower" else kind, 0, what, number, private)
                [said] = sentences(RULES, [event], ["Anna"], speaker=speaker)
                assert re.fullmatch(r"[^{}]+", said)


@pytest.mark.parametrize("code", LANGUAGES)
def test_names_of_things_are_words(code):
    """No name of the notation is shown as it is; two things never have one name within their kind."""
    with speaking(code):
        speaker = game_words.speaker(RULES)
    for kind in (COLORS, QUARTERS, DESCENDANTS, TOWER, CARDS):
        said = [speaker.name(name) for name in kind]
        assert len(set(said)) == len(said)
        assert not any("_" in name for name in said)
        if kind is CARDS:
            assert not any(re.search(r"-\d", name) for name in said)
    assert speaker.name("oath_house").removeprefix("the ") == words_of(code).quarters["oath_house"]


# ---- Numbers and dates


NOON = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(("code", "long", "day", "span", "number"), [
    ("en", "Sunday 22 November 2026, 10:30", "Sunday 22 November", "3 days", "1,234.5"),
    ("de", "Sonntag, 22. November 2026, 10:30", "Sonntag, 22. November", "3 Tage", "1.234,5"),
    ("it", "domenica 22 novembre 2026, 10:30", "domenica 22 novembre", "3 giorni", "1.234,5"),
    ("xx", "Sunday 22 November 2026, 10:30", "Sunday 22 November", "3 days", "1,234.5"),
])  # fmt: skip
def test_times_are_said_in_the_language_in_force(code, long, day, span, number):
    with speaking(code):
        assert language.long_date_and_time(NOON, "Europe/Berlin") == long
        assert language.weekday_and_day(NOON, "Europe/Berlin") == day
        assert language.date_and_time(NOON, "Europe/Berlin").endswith("10:30")
        assert language.span(timedelta(days=3)) == span
        assert language.number(1234.5) == number
    assert language.current() == "en"


@pytest.mark.parametrize(
    ("text", "said"),
    [("the game is over", "The game is over."), ("bot 1 wins.", "Bot 1 wins."), ("over?", "Over?"), ("öl", "Öl.")],
)
def test_a_text_is_made_a_sentence_of_its_own(text, said):
    assert language.sentence(text) == said


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_request_has_a_language_of_its_own(client):
    """Whoever is refused before any view reads why in it, too; and it is over with the request."""
    german = {"Accept-Language": "de"}
    with speaking("it"):
        assert client.get("/", headers=german).headers["Content-Language"] == "de"
        refused = client.get("/", headers=german, environ_overrides={"ulm.refused": 408})
        assert (refused.status_code, refused.headers["Content-Language"]) == (408, "de")
        assert language.current() == "it"
    assert language.current() == "en"


# ---- Nothing goes unmarked

SHOWN = {"aria-label", "title", "placeholder", "alt", "aria-description", "aria-roledescription", "aria-valuetext"}
SAME_EVERYWHERE = {
    "Ulm by mail", "Ulm", "·", "API", "SHA-256", "JSON", "N1", "N2", "N3", "PLY", "ID", "ann@example.org",
}  # fmt: skip
"""Names, which are the same in every language."""
TEMPLATES = sorted(
    path
    for path in ROOT.glob("server/**/templates/**/*.html")
    if "mail" not in path.parts and path.name != "api_docs.html"
)
SILENT = {"script", "style", "code", "kbd", "textarea"}
LETTERS = re.compile(r"[^\W\d_]{2,}")


class _Texts(HTMLParser):
    """The texts and the shown attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        names = dict(attributes)
        self.found += [value for name, value in attributes if value and name in SHOWN]
        if tag == "input" and names.get("type") in ("submit", "button", "reset"):
            self.found.append(names.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.append(data)


BRAND = 'Ulm<span class="more"> by mail</span>'
"""The name of the site where narrow windows show its beginning alone: the same in every language."""


def unmarked(source: str) -> Iterator[str]:
    """Texts in a template that no mark makes translatable."""
    bare = re.sub(r"\{#.*?#\}", "", source, flags=re.DOTALL).replace(BRAND, "")
    bare = re.sub(r"\{%-?\+?\s*trans\b.*?endtrans\s*-?%\}", "", bare, flags=re.DOTALL)
    bare = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", bare, flags=re.DOTALL)
    reader = _Texts()
    reader.feed(bare)
    for text in reader.found:
        # A block may hold an attribute for the tag that stands in another template.
        said = " ".join(re.sub(r'[\w-]+="[^"]*"|Ulm by mail', "", text).split()).strip(" .,:;…–—()[]")
        if LETTERS.search(said) and said not in SAME_EVERYWHERE:
            yield said
    parser = Environment(extensions=["jinja2.ext.i18n"])  # noqa: S701 - it renders nothing
    for output in parser.parse(source).find_all((nodes.Output, nodes.CallBlock)):
        yield from _literals(output)


def _literals(node: nodes.Node) -> Iterator[str]:
    """What looks like a sentence or a caption among the strings that a template puts out."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Call) and isinstance(child.node, nodes.Name) and child.node.name in MARKS:
            continue
        if isinstance(child, nodes.Const):
            if (
                isinstance(child.value, str)
                and re.match(r"[A-Z][a-zé]+\b|[a-z]+( [a-z]+){2}", child.value)
                and (child.value not in SAME_EVERYWHERE and "%" not in child.value)
            ):
                yield child.value
        elif not isinstance(child, nodes.TemplateData | nodes.Compare | nodes.Getitem | nodes.Test):
            yield from _literals(child)


@pytest.mark.parametrize("path", [*TEMPLATES, ROOT / "replays/assets/page.html"], ids=lambda path: path.name)
def test_templates_hold_no_text_that_is_not_marked(path):
    """What people read is filled in; in the page to keep at the names with a dollar."""
    assert list(unmarked(re.sub(r"\$\w+", "", path.read_text("utf-8")))) == []


FILES = ("routes/pages/**/*.py", "notify/*letter*.py", "service/explain/move_choices.py", "service/views/drafts.py")
CODE = sorted([*(path for name in FILES for path in ROOT.glob(f"server/{name}")), ROOT / "replays/report.py"])
NOT_SHOWN = {"Skip", "ValueError", "RuntimeError", "AssertionError", "compile", "debug", "info", "warning", "error"}


def unmarked_in_code(source: str) -> Iterator[str]:
    """Sentences in Python that no mark makes translatable; docstrings and SQL are none."""
    tree = ast.parse(source)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in MARKS | NOT_SHOWN:
                silent |= {id(child) for child in ast.walk(node)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value != "Ulm by mail"
            and id(node) not in silent
            and (re.match(r"\s?[A-Z]?[a-z]+,? [a-z]+ [a-z]+|[A-Z][a-z]+ [a-z]+", node.value))
        ):
            yield node.value


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_pages_and_mails_hold_no_text_that_is_not_marked(path):
    assert list(unmarked_in_code(path.read_text("utf-8"))) == []


def hidden_marks(path: Path) -> list[str]:
    """Marks within f-strings: before Python 3.12 the collector takes such a string whole, and sees none of them."""
    return [
        f"{path}: {ast.unparse(call)}"
        for string in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MARKS - {"_tile"}
    ]


def test_no_mark_hides_within_an_f_string():
    paths = [path for folder in ("server", "replays") for path in (ROOT / folder).rglob("*.py")]
    assert [mark for path in paths for mark in hidden_marks(path)] == []


SCRIPTS = sorted([*ROOT.glob("server/routes/pages/static/js/**/*.js"), ROOT / "replays/assets/page.js"])


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_hold_no_text_for_people(path):
    """They have their texts from the page, in `data-` attributes."""
    source = re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    source = re.sub(r"Error\(.*?\)", "", source)
    literals = [one or two or three for one, two, three in re.findall(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`', source)]
    assert [text for text in literals if re.match(r"[A-Z][a-z]+ [a-z]+ ?", text)] == []
