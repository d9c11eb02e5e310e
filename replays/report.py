"""A whole game as one HTML file that replays it in a browser without a network."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Literal

from replays.analysis.page import section
from replays.analysis.results import Findings
from replays.frames import taken_apart
from replays.sight import Chapter, chapters
from server.board.layouts import WHOLE
from server.engine.game import Game
from server.engine.record import Record
from server.engine.ulm1.sentences import ENGLISH, Form, Speaker, counted, plain

SCORES: tuple[Literal["vp", "sparrows", "barge", "cathedral", "trade"], ...] = (
    "vp", "sparrows", "barge", "cathedral", "trade",
)  # fmt: skip
_PIECE = 3 * 2048  # packed bytes that are given out together; threes, so that the letters of pieces can be joined
UNNAMED = plain("A game of Ulm")
_HEAD = (
    plain("Player"),
    plain("During the game"), plain("Sparrows"), plain("Barge"), plain("Cathedral"), plain("Trade"), plain("Chronicle"),
    plain("Total"), plain("Rank"),
)  # fmt: skip
_OPTIONS = {"tower": plain("advanced game"), "rotate_start": plain("rotating start player")}


def facts(record: Record, speaker: Speaker = ENGLISH) -> list[str]:
    """A few sentences on what kind of game it was and how it ended."""
    seats, plies = len(record.players), len(record.moves)
    chosen: Mapping[str, object] = record.options
    options = [words for name, words in _OPTIONS.items() if chosen[name]] or [plain("basic game")]
    phrases = [
        _say(speaker, counted("%(num)s player", "%(num)s players"), seats),
        *(_say(speaker, words) for words in options),
        _say(speaker, counted("%(num)s ply", "%(num)s plies"), plies),
    ]
    times = [entry.time for entry in record.moves if entry.time]
    said = [f"{', '.join(phrases)}."]
    if times:
        said.append(_say(speaker, plain("From %(first)s to %(last)s."), first=times[0], last=times[-1]))
    if record.result is None:
        said.append(_say(speaker, plain("The game is not finished.")))
    else:
        won = [str(record.players[seat]["name"]) for seat in record.result["winners"]]
        wins = counted("%(names)s wins.", "%(names)s share the victory.")
        said.append(_say(speaker, wins, len(won), names=speaker.listing(won)))
    return said


def score_table(record: Record, speaker: Speaker = ENGLISH) -> list[list[str]]:
    """The final scores, a head line first; [] while the game runs."""
    if record.result is None:
        return []
    table = [[_say(speaker, words) for words in _HEAD]]
    for player, score in zip(record.players, record.result["scores"], strict=True):
        row: list[int] = [score[name] for name in SCORES]
        row += [sum(score["chronicle"].values()), score["total"], score["rank"]]
        table.append([str(player["name"]), *map(str, row)])
    return table


def round_title(chapter: Chapter, speaker: Speaker = ENGLISH) -> str:
    """`Round 3: extra river`."""
    if not chapter.tower:
        return _say(speaker, plain("Round %(number)s"), number=chapter.round)
    tile = speaker.name(chapter.tower)
    return _say(speaker, plain("Round %(number)s: %(tile)s"), number=chapter.round, tile=tile)


def _say(speaker: Speaker, form: Form, num: int = 0, /, **values: object) -> str:
    """A text with what belongs into it."""
    return speaker.say(form, num) % {"num": num, **values}


# HTML

_PAGE = {
    "board": plain("Board"),
    "steps": plain("Step through the game"),
    "first": plain("To the set-up (Home)"),
    "turn_back": plain("One turn back (Page up)"),
    "back": plain("One move back (←)"),
    "space": plain("Play or pause (space)"),
    "play": plain("Play"),
    "pause": plain("Pause"),
    "on": plain("One move on (→)"),
    "turn_on": plain("One turn on (Page down)"),
    "last": plain("To the end (End)"),
    "turn": plain("Turn"),
    "move": plain("Move"),
    "unpacking": plain("The board is being unpacked …"),
    "no_script": plain("Stepping needs JavaScript. The moves are listed below all the same."),
    "moves": plain("Moves"),
    "setup": plain("The game is set up."),
    "locked": plain("This browser cannot unpack the boards; you can still read the moves."),
}
"""What the page says besides the game, by its place in `page.html`."""


def html(
    replay: Game,
    seat: int | None = None,
    theme: str = "light",
    language: str = "en",
    speaker: Speaker = ENGLISH,
    analysis: Findings | None = None,
) -> Iterator[str]:
    """One HTML page that steps through the game, in pieces: every board inside, nothing loaded from anywhere.

    The boards are taken apart at their groups; each part is stored once, and the whole is packed: some 100 to 300 kB.
    It is made while it is read, and never as a whole. `language` is that of the boards' words, `speaker` says all else.
    What an analysis found stands below the board. Raises `ValueError` for an unknown theme or language.
    """
    words = {
        **{name: _text(_say(speaker, words)) for name, words in _PAGE.items()},
        "language": language,
        "title": _text(replay.record.name or replay.record.id or _say(speaker, UNNAMED)),
        "theme": "dark" if theme.endswith("dark") else "light",
        "style": _asset("page.css"),
        "summary": "".join(_summary(replay.record, speaker)),
        "analysis": "" if analysis is None else "".join(section(replay, analysis, speaker)),
        "script": _asset("page.js"),
        "policy": policy(),
    }
    head, _log_here, rest = _asset("page.html").partition("$log")
    middle, _data_here, end = rest.partition("$data")
    yield Template(head).substitute(words)
    yield from _log(replay, seat, speaker)
    yield Template(middle).substitute(words)
    yield from _packed(_boards(replay, seat, theme, language))
    yield Template(end).substitute(words)


def policy() -> str:
    """What the page may do (Content-Security-Policy): run its own script, and nothing else."""
    script_hash = base64.b64encode(sha256(_asset("page.js").encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{script_hash}'; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


def _asset(name: str) -> str:
    return (files("replays") / "assets" / name).read_text("utf-8")


def _boards(replay: Game, seat: int | None, theme: str, language: str) -> Iterator[str]:
    """`{layout: frames}` of the whole game as JSON."""
    for place, layout in enumerate(WHOLE):
        yield f'{"," if place else "{"}"{layout}":{{"from":0,"parts":['
        plies: list[str] = []
        boards = taken_apart(replay, 0, replay.plies, seat, layout=layout, theme=theme, language=language)
        for fresh, numbers in boards:
            parts = json.dumps(fresh, separators=(",", ":"))[1:-1]
            yield f"{',' if parts and plies else ''}{parts}"
            plies.append(",".join(map(str, numbers)))
        yield f'],"plies":[[{"],[".join(plies)}]]}}'
    yield "}"


def _packed(texts: Iterable[str]) -> Iterator[str]:
    """Texts together, packed (zlib) and written in letters (base64), a piece at a time."""
    packer = zlib.compressobj(9)
    waiting = b""
    for text in texts:
        waiting += packer.compress(text.encode())
        if len(waiting) >= _PIECE:
            yield base64.b64encode(waiting[:_PIECE]).decode()
            waiting = waiting[_PIECE:]
    yield base64.b64encode(waiting + packer.flush()).decode()


def _text(text: str) -> str:
    return escape(" ".join(text.split()))


def _summary(record: Record, speaker: Speaker) -> Iterator[str]:
    yield f"<p>{_text(' '.join(facts(record, speaker)))}</p>\n"
    table = score_table(record, speaker)
    if table:
        yield "<div><table>\n<tr>" + "".join(f'<th scope="col">{_text(cell)}</th>' for cell in table[0]) + "</tr>\n"
        for row in table[1:]:
            yield "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>\n"
        yield "</table></div>\n"


def _log(replay: Game, seat: int | None, speaker: Speaker) -> Iterator[str]:
    number = 0
    for chapter in chapters(replay, seat, speaker):
        if chapter.round != number:
            number = chapter.round
            yield f"<h2>{_text(round_title(chapter, speaker))}</h2>\n"
        yield f"<h3>{_text(replay.names[chapter.seat])}</h3>\n<ol>\n"
        for line in chapter.lines:
            words = _text(" ".join(line.text))
            yield f'<li tabindex="0" data-ply="{line.ply}">{line.ply}. <code>{_text(line.move)}</code> '
            yield f"<span>{words}</span></li>\n"
        yield "</ol>\n"
