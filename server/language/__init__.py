"""Texts in the language of their reader.

English stands in the source, the others in catalogues under `translations/`.

Whoever makes a text for people marks it with `_` or `ngettext` and has it in the language in force: of the request
(chosen by `routes`), or of a `with speaking(language)` block (a mail). Where no language is in force, as in commands,
and in the JSON API, texts stay English. `N_` marks a text that is translated later, by `_(text)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from babel import Locale, dates, numbers
from babel.support import NullTranslations

from server.language import catalogue

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Flask

LANGUAGES = {"en": "English", "de": "Deutsch", "it": "Italiano"}
"""Every language by its code, as its speakers call it."""
DEFAULT = "en"

LocaleSelector = Callable[[], str | None]

_in_force: ContextVar[str | LocaleSelector] = ContextVar("ulm_language", default=DEFAULT)
"""The code of a language, or what tells it when it is asked for first."""


def surround(app: Flask, select: LocaleSelector) -> None:
    """Let every request of `app` have a language; `select` tells that of the running one (None: English)."""
    inner: WSGIApplication = app.wsgi_app

    def spoken(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        token = _in_force.set(select)
        try:
            return inner(environ, start_response)
        finally:
            _in_force.reset(token)

    app.wsgi_app = spoken  # type: ignore[method-assign]


def install(app: Flask) -> None:
    """Give the templates of `app` the languages: `_`, `gettext`, `ngettext` and `{% trans %}`."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: _texts().gettext(text),
        lambda one, many, number: _texts().ngettext(one, many, number),
        newstyle=True,
        pgettext=lambda context, text: _texts().pgettext(context, text),
    )
    app.jinja_env.policies["ext.i18n.trimmed"] = True


def gettext(message: str, **values: Any) -> str:
    """`message` in the language in force, its `%(name)s` filled in."""
    text = _texts().gettext(message)
    return text % values if values else text


_ = gettext


def ngettext(one: str, many: str, num: int, **values: Any) -> str:
    """`one` or `many` as `num` wants it, in the language in force; `%(num)s` is the number."""
    return str(_texts().ngettext(one, many, num)) % {"num": num, **values}


def pgettext(context: str, message: str, **values: Any) -> str:
    """`message` where one English word has several translations; `context` tells which is meant."""
    text = str(_texts().pgettext(context, message))
    return text % values if values else text


def N_(message: str) -> str:  # noqa: N802 - the name that extractors know
    """Mark a text for the catalogues; it is translated where it is shown."""
    return message


def capital(text: str) -> str:
    """A text with a capital at its beginning: of a sentence that begins with a name, however that is written."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A text as a sentence of its own: with a capital at its beginning, and a full stop where nothing ends it."""
    text = capital(text)
    return text if text.endswith((".", "!", "?")) else text + "."


def current() -> str:
    """The code of the language in force."""
    found = _in_force.get()
    if isinstance(found, str):
        return found
    code = found()
    code = code if code in LANGUAGES else DEFAULT
    _in_force.set(code)
    return code


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within the block texts are in `language`; an unknown one is English."""
    token = _in_force.set(language if language in LANGUAGES else DEFAULT)
    try:
        yield
    finally:
        _in_force.reset(token)


def date_and_time(moment: datetime, time_zone: str) -> str:
    """An aware time as its reader would say it: `Sat 21 Nov 2026, 10:30` on the clock of `time_zone`."""
    local = moment.astimezone(ZoneInfo(time_zone))
    locale = _locale()
    day = dates.format_skeleton("yMMMEd", local, locale=locale)
    return f"{day}, {dates.format_time(local, 'short', locale=locale)}"


def zone_name(moment: datetime, time_zone: str) -> str:
    """What a time zone is called in short at an aware time: `UTC`, `CET`."""
    return str(dates.get_timezone_name(moment.astimezone(ZoneInfo(time_zone)), "short", locale=_locale()))


def long_date_and_time(moment: datetime, time_zone: str) -> str:
    """An aware time in full, as in a letter: `Saturday 21 November 2026, 10:30`."""
    local = moment.astimezone(ZoneInfo(time_zone))
    return f"{_spelled(local, 'y')}, {dates.format_time(local, 'short', locale=_locale())}"


def weekday_and_day(moment: datetime, time_zone: str) -> str:
    """The day on which an aware time lies, without its year: `Saturday 21 November`."""
    return _spelled(moment.astimezone(ZoneInfo(time_zone)))


def _spelled(local: datetime, year: str = "") -> str:
    pattern = "EEEE, d. MMMM" if current() == "de" else "EEEE d MMMM"
    return dates.format_datetime(local, f"{pattern} {year}".rstrip(), locale=_locale())


def day(moment: date) -> str:
    """A day as its reader would write it: `21 Nov 2026`. Of an aware time the day where its own zone lies."""
    return dates.format_date(moment, "medium", locale=_locale())


def month(moment: date) -> str:
    """A month with its year: `November 2026`."""
    return dates.format_skeleton("yMMMM", moment, locale=_locale())


def span(length: timedelta | int) -> str:
    """A length of time, or so many seconds, in its greatest unit: `3 days`."""
    return str(dates.format_timedelta(length, threshold=1.2, locale=_locale()))


def ago(length: timedelta) -> str:
    """That something was so long ago, in its greatest unit: `3 days ago`."""
    return str(dates.format_timedelta(-length, threshold=1.2, add_direction=True, locale=_locale()))


def number(value: float) -> str:
    """A number as its reader would write it: `1,234.5` or `1.234,5`."""
    return str(numbers.format_decimal(value, locale=_locale()))


_IN_WORDS = (
    *("", "", N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven")),
    *(N_("eight"), N_("nine"), N_("ten"), N_("eleven"), N_("twelve")),
)  # one goes by the word that it stands with


def in_word(value: int) -> str:
    """A small number above one as running text has it: `three`; any other one in digits."""
    return gettext(_IN_WORDS[value]) if 1 < value < len(_IN_WORDS) else str(value)


def listing(words: Sequence[str], texts: NullTranslations | None = None) -> str:
    """`a, b and c` in the language in force, or in that of `texts`; `nothing` for no words."""
    texts = texts or _texts()
    if len(words) < 2:
        return words[0] if words else str(texts.gettext("nothing"))
    return str(texts.gettext("%(first)s and %(last)s")) % {"first": ", ".join(words[:-1]), "last": words[-1]}


def _texts() -> NullTranslations:
    return catalogue.of(current())


def _locale() -> Locale:
    return _locale_of(current())


@lru_cache
def _locale_of(code: str) -> Locale:
    # English as in Europe, with 24 hours and the day before the month.
    return Locale.parse("en_GB" if code == DEFAULT else code)
