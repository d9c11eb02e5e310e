"""What seats and games are called: by people, in words of theirs, or by the server, by a kind that is stored.

What the server gives (bots, players who have gone, "Game of Ann") is English in the API and in records, and is said in
the language of their reader on pages and in mails. It is known by its kind, never by its text. A title names a player
by reference: when the account goes, so does the name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from server import language
from server.language import N_, catalogue, current
from server.service.common.checks import NAME_MAX
from server.storage import sql

FORMER = N_("Former player")
"""What a seat is called whose player has gone; with a number behind it when there are several at a table."""
EXAMPLE = N_("An example: three bots, advanced game")
"""What the example game is called."""
MASTERS = N_("Master builders among themselves")
"""What games of bots are called that came with the release."""
BOTS = {
    "random": N_("random bot"),
    "apprentice": N_("Apprentice"),
    "journeyman": N_("Journeyman"),
    "master": N_("Master builder"),
    "steady": N_("steady bot"),
}
"""What seats of bots are called, by kind; the last is the apprentice of games from before he had a name."""

LEVELS = {
    "random": N_("random: plays anything"),
    "apprentice": N_("apprentice: plays by rules of thumb"),
    "journeyman": N_("journeyman: plans the whole turn"),
    "master": N_("master builder: the strongest"),
}
"""How well each bot plays, for those who choose one; from the easiest on."""

COLOURS = {"red": N_("Red"), "green": N_("Green"), "blue": N_("Blue")}
"""What seats of the example game are called, by kind: by their colours on the board."""

GONE, UNNAMED = "former", "unnamed"
"""Kinds of names of other seats: of players who have gone, and where a record gave none."""
OF, AGAINST_BOT, AGAINST_BOTS, SHOWN_FIRST, PACKED, IMPORTED = "of", "bot", "bots", "example", "masters", "imported"
OF_DAY = "day"
"""Kinds of titles that the server gives (`_TITLES`)."""

_TITLES = {
    OF: N_("Game of %(name)s"),
    AGAINST_BOT: N_("%(name)s against a bot"),
    AGAINST_BOTS: N_("%(name)s against bots"),
    SHOWN_FIRST: EXAMPLE,
    PACKED: MASTERS,
    IMPORTED: N_("Imported game"),
    OF_DAY: N_("Deal of %(day)s"),
}
_SEATS = {GONE: FORMER, **BOTS, **COLOURS}
_UNNAMED = "Player "


class ServerName(str):
    """A name that the server gave, in English; `spoken` says it in other languages."""

    kind: str
    _message: str
    _values: Mapping[str, object]
    _rest: str

    def __new__(
        cls, english: str, kind: str, message: str, values: Mapping[str, object] | None = None, rest: str = ""
    ) -> ServerName:
        """`message` is the text of the catalogues, with `values` for its places; `rest` stands behind it as it is."""
        name = super().__new__(cls, english)
        name.kind, name._message, name._values, name._rest = kind, message, values or {}, rest
        return name

    def __reduce__(self) -> tuple[type[ServerName], tuple[str, str, str, Mapping[str, object], str]]:
        """What makes a copy of it: data with such names are copied, and passed to other processes."""
        return ServerName, (str(self), self.kind, self._message, self._values, self._rest)

    def say(self, code: str) -> str:
        """The name in a language."""
        text = str(catalogue.of(code).gettext(self._message))
        with language.speaking(code):
            values = {key: _spoken_part(value) for key, value in self._values.items()}
        return f"{text % values if values else text}{self._rest}"

    def numbered(self, number: int) -> ServerName:
        """The same with a number behind it."""
        behind = f" ({number})"
        return ServerName(f"{self}{behind}", self.kind, self._message, self._values, self._rest + behind)


def spoken(name: str, code: str | None = None) -> str:
    """The name of a seat or a game for people: one that the server gave in the language in force (or in `code`)."""
    return name.say(code or current()) if isinstance(name, ServerName) else name


def _spoken_part(value: object) -> object:
    if isinstance(value, date):
        return language.day(value)
    return spoken(value) if isinstance(value, str) else value


# Seats


def server_name(kind: str) -> ServerName:
    """What the server calls a seat of that kind (a bot's name, a colour or `GONE`)."""
    return ServerName(_SEATS[kind], kind, _SEATS[kind])


def unnamed(seat: int) -> ServerName:
    """What the server calls a seat for which a record has no name."""
    return ServerName(f"{_UNNAMED}{seat}", UNNAMED, N_("Player %(number)s"), {"number": seat + 1})


def seat_name(words: str | None, kind: str | None, seat: int) -> str | None:
    """The name of a seat as it is stored: its words (None of a free one) and its kind. Undone by `kind_of`."""
    if words is None or kind is None:
        return words
    if kind == UNNAMED:
        return unnamed(seat)
    return ServerName(words, kind, _SEATS[kind], rest=words.removeprefix(_SEATS[kind]))


def kind_of(name: str | None) -> str | None:
    """The kind that is stored beside the words of a seat's name; None for words of people."""
    return name.kind if isinstance(name, ServerName) else None


# Titles


@dataclass(frozen=True, slots=True)
class Title:
    """What a game is called, as it is stored."""

    words: str = ""  # what somebody called it; where the server did, the day of a deal, or nothing
    kind: str | None = None  # which title the server gave; None where somebody did
    player: str | None = None  # the id of whom the server's title names; None when that account is gone
    plies: tuple[int, ...] = ()
    """Of sandboxes: at which plies they left the game that is called so, one sandbox out of the other."""

    def at(self, ply: int) -> Title:
        """The title of what is played on from there."""
        return replace(self, plies=(*self.plies, ply))

    def called(self, player: str | None) -> str:
        """The title with the name of its player (None: gone) in it."""
        title = self._first(server_name(GONE) if player is None else player)
        for ply in self.plies:
            english = f"{_short(title)}, from ply {ply}"
            title = ServerName(english, "branch", N_("%(game)s, from move %(ply)s"), {"game": title, "ply": ply})
        return title

    def _first(self, player: str) -> str:
        if self.kind is None or self.kind not in _TITLES:
            return self.words
        message = _TITLES[self.kind]
        day = date.fromisoformat(self.words) if self.kind == OF_DAY else None
        values = {"name": player, "day": day} if "%" in message else {}
        return ServerName((message % values if values else message)[:NAME_MAX].strip(), self.kind, message, values)

    def columns(self) -> dict[str, str | None]:
        """The columns of `game` that it is stored in; undone by `title_of`."""
        plies = " ".join(map(str, self.plies)) or None
        return {"name": self.words, "title": self.kind, "title_player_id": self.player, "title_plies": plies}


_LEFT = 40
"""So much of a title stays in that of what is played on from it; with the rest it has room in `NAME_MAX`."""


def _short(title: str) -> str:
    """A title that is cut between two words, and says so."""
    if len(title) <= _LEFT:
        return title
    words = title[:_LEFT].rpartition(" ")[0] or title[: _LEFT - 1]
    return f"{words.rstrip(' ,;:-')}…"


TITLE = """g.name, g.title, g.title_player_id, g.title_plies,
        (SELECT t.name FROM player t WHERE t.id = g.title_player_id) AS title_player"""
"""The columns of a game `g` that say what it is called."""


def title_of(
    words: str, kind: str | None, player: str | None, plies: str | None, name: str | None
) -> tuple[Title, str]:
    """The title that the columns of `TITLE` hold, and what the game is called by it."""
    title = Title(words, kind, player, tuple(map(int, plies.split())) if plies else ())
    return title, title.called(name)


def with_name(game: sql.ByName) -> sql.ByName:
    """A row with the columns of `TITLE` with `name` alone instead of them, which is what the game is called."""
    found = [game.pop(column) for column in ("title", "title_player_id", "title_plies", "title_player")]
    game["name"] = title_of(game["name"], *found)[1]
    return game
