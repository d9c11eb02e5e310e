"""Checks of what people send. Each returns the value as it is stored, or says what to change."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import available_timezones

from server import addresses
from server.language import gettext as _
from server.service.common.errors import bad_field

NAME_MAX = 60
CLIENT_SEED_MAX = 64
EMAIL_MAX = addresses.LONGEST
KEY_MAX = 128
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # not by every database; lone surrogates by no file either


def storable(value: str) -> bool:
    """Whether a text can be stored and given back as it is: it has neither NUL nor lone surrogates."""
    return _UNSTORABLE.search(value) is None


def text(field: str, value: object, longest: int, shortest: int = 0) -> str:
    """A text that any database and any page can hold: neither NUL nor lone surrogates, `shortest`..`longest` long."""
    if not isinstance(value, str):
        raise bad_field(field, _("give a text"))
    if not storable(value):
        raise bad_field(field, _("NUL characters and lone surrogates cannot be stored"))
    if not shortest <= len(value) <= longest:
        lengths = {"shortest": shortest, "longest": longest, "length": len(value)}
        raise bad_field(field, _("give %(shortest)s to %(longest)s characters, not %(length)s", **lengths))
    return value


def lines(field: str, value: object, longest: int) -> str:
    """The same in lines, trimmed, as long as a form may send it: whether it is too long is for the caller to say."""
    # A browser sends two characters for the end of a line.
    return text(field, value, 4 * longest).replace("\r\n", "\n").replace("\r", "\n").strip()


# What shows nothing although its category is that of letters, marks or signs: fillers, joiners, variants.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
# Keyboards put a variant behind emoji, and copied text has hyphens for ends of lines: they show nothing by themselves.
_NOTHING = str.maketrans("", "", "\ufe0e\ufe0f\u00ad")
_JOINERS = str.maketrans("", "", "\u200c\u200d")  # ZWNJ and ZWJ: Persian and Sinhala cannot be written without
MARKS_MAX = 4  # accents and vowel signs on one letter: more of them would cover the lines above and below


def name(field: str, value: object, shortest: int = 1) -> str:
    """A name for people: one line, trimmed, composed (NFC), without characters that cannot be seen."""
    given = text(field, value, 4 * NAME_MAX).translate(_NOTHING)
    trimmed = unicodedata.normalize("NFC", " ".join(given.split()))
    if unseen(trimmed) is not None or _INVISIBLE.search(trimmed):
        raise bad_field(field, _("a name may not contain invisible characters"))
    marks = "".join("m" if unicodedata.category(one) in ("Mn", "Me", "Cf") else "x" for one in trimmed)
    if re.search(f"m{{{MARKS_MAX + 1}}}", marks):
        raise bad_field(field, _("put at most %(number)s marks on one letter", number=MARKS_MAX))
    if has_web_address(trimmed.translate(_JOINERS)):
        raise bad_field(field, _("a name may not contain web addresses: put a space after the dot"))
    return text(field, trimmed, NAME_MAX, shortest)


def unseen(line: str) -> str | None:
    """The first character of a line that is none of letters, marks and signs, such as one that turns the direction of
    text: a name could forge the line it stands in. Between letters of scripts that join them, and between emoji, a
    joiner is seen."""
    for index, character in enumerate(line):
        if not character.isprintable() and not (character in "\u200c\u200d" and _joins(line, index)):
            return character
    return None


def _joins(line: str, index: int) -> bool:
    beside = line[max(index - 1, 0) : index] + line[index + 1 : index + 2]
    kinds = {unicodedata.category(one) for one in beside}
    scripts = all("\u0600" <= one <= "\u109f" or "\u1780" <= one <= "\u18af" for one in beside)
    return len(beside) == 2 and ((scripts and {kind[0] for kind in kinds} <= {"L", "M"}) or kinds <= {"So", "Sk"})


# What mail programs and messengers make a link of: a scheme, www, a word with a dot amid it, an address of numbers.
_DOT = "[.\uff0e\u3002\uff61\u2024\ufe52]"  # whatever a name server's dot is made of
_WEB_ADDRESS = re.compile(
    rf"""[a-z][a-z0-9+.-]*://\S*
    | \bwww{_DOT}\S*
    | [\w@-]+(?:{_DOT}[\w-]+)*{_DOT}(?:xn--[\w-]+|[^\W\d_]{{2,}})(?:[:/?\#]\S*)?
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\S*""",
    re.IGNORECASE | re.VERBOSE,
)


def has_web_address(shown: str) -> bool:
    """Whether a program might make a link of something in this text."""
    return _WEB_ADDRESS.search(shown) is not None


def without_web_addresses(shown: str) -> str:
    """The text with an ellipsis where an address of a web page stood: for people who know nobody here."""
    return _WEB_ADDRESS.sub("…", shown)


def alike(one: str, other: str) -> bool:
    """Whether two names read the same but for case, width, ligatures and joiners."""
    return folded(one) == folded(other)


def folded(name: str) -> str:
    """What names have in common that read the same but for case, width, ligatures and joiners."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name.translate(_JOINERS)).casefold())


def email(value: object) -> str | None:
    """An address that a mail can be sent to (`server/addresses.py`), or None; it need not be the caller's own."""
    if value is None or value == "":
        return None
    given = text("email", value, EMAIL_MAX)
    try:
        return addresses.mail_address(given)
    except ValueError:
        wrong = _("give an address such as ann@example.org, or leave it out")
        if not given.rpartition("@")[0].isascii():
            wrong = _("before the @ give only letters without accents: not every mail server accepts others")
        raise bad_field("email", wrong) from None


def client_seed(value: object) -> str:
    """A player's share of the seed (record.md §1); None counts as empty."""
    return text("client_seed", "" if value is None else value, CLIENT_SEED_MAX)


def flag(field: str, value: object) -> bool:
    """A yes or no; nothing that merely looks like one."""
    if not isinstance(value, bool):
        raise bad_field(field, _("give true or false"))
    return value


def whole(field: str, value: object, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise bad_field(field, _("give a whole number from %(least)s to %(most)s", least=least, most=most))
    return value


def number(field: str, value: object, least: float, most: float) -> float:
    """A number from `least` to `most`, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise bad_field(field, _("give a number from %(least)s to %(most)s", least=least, most=most))
    return float(value)


def moment(field: str, value: object) -> datetime:
    """A time as an aware `datetime` in UTC, from an aware `datetime` or from text such as `2026-11-21T09:30:00Z`."""
    example = _("give a time with its zone, such as 2026-11-21T09:30:00Z")
    if isinstance(value, str) and len(value) <= 40:
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise bad_field(field, example) from None
    if not isinstance(value, datetime) or value.tzinfo is None or not 1990 < value.year < 9000:
        raise bad_field(field, example)
    return value.astimezone(UTC)


def time_zone(field: str, value: object) -> str:
    """The name of a time zone of the IANA data base."""
    if not isinstance(value, str) or value not in time_zones():
        raise bad_field(field, _("give the name of a time zone, such as Europe/Berlin, America/New_York or UTC"))
    return value


@lru_cache(maxsize=1)
def time_zones() -> frozenset[str]:
    """Return the names of all time zones that may be chosen. To find them out is to walk the zone files: once."""
    # These three are what a machine is set to, or nothing: they would mean something else after a move.
    return frozenset(available_timezones() - {"localtime", "posixrules", "Factory"})
