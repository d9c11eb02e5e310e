"""A whole game to be read: Markdown, and one HTML file that replays it in a browser without a network."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

from replays.frames import frames
from replays.replay import Replay
from replays.sight import Chapter, chapters
from server.board.svg import LAYOUTS
from server.engine.record import Record
from server.engine.sentences import pretty

SCORES = ("vp", "sparrows", "barge", "cathedral", "trade")


def facts(record: Record) -> list[str]:
    """A few sentences on what kind of game it was and how it ended."""
    options = [words for name, words in (("tower", "advanced game"), ("rotate_start", "rotating start player"))
               if record.options[name]]  # fmt: skip
    times = [entry.time for entry in record.moves if entry.time]
    said = [f"{len(record.players)} players, {', '.join(options) or 'basic game'}, {len(record.moves)} plies."]
    if times:
        said.append(f"From {times[0]} to {times[-1]}.")
    if record.result is None:
        said.append("The game is not finished.")
    else:
        won = [str(record.players[seat]["name"]) for seat in record.result["winners"]]
        said.append(f"{' and '.join(won)} {'wins' if len(won) == 1 else 'share the victory'}.")
    return said


def score_table(record: Record) -> list[list[str]]:
    """The final scores, a head line first; [] while the game runs."""
    if record.result is None:
        return []
    table = [["Player", "In play", "Sparrows", "Barge", "Cathedral", "Trade", "Chronicle", "Total", "Rank"]]
    for player, score in zip(record.players, record.result["scores"], strict=True):
        row = [score[name] for name in SCORES]
        row += [sum(score["chronicle"].values()), score["total"], score["rank"]]
        table.append([str(player["name"]), *map(str, row)])
    return table


# Markdown


def markdown(replay: Replay, seat: int | None = None) -> Iterator[str]:
    """The lines of a report in Markdown, as `seat` knew the game or with nothing withheld."""
    record, names = replay.record, replay.names
    yield f"# {_plain(record.name or record.id or 'A game of Ulm')}"
    yield ""
    yield _plain(" ".join(facts(record)))
    table = score_table(record)
    if table:
        yield ""
        yield "| " + " | ".join(table[0]) + " |"
        yield "|---|" + "---:|" * (len(table[0]) - 1)
        for row in table[1:]:
            yield "| " + " | ".join([_plain(row[0]), *row[1:]]) + " |"
    number = 0
    for chapter in chapters(replay, seat):
        if chapter.round != number:
            number = chapter.round
            yield ""
            yield f"## {round_title(chapter)}"
        yield ""
        yield f"### {_plain(names[chapter.seat])}"
        yield ""
        for line in chapter.lines:
            yield f"- {line.ply}. `{line.move}` {_plain(' '.join(line.text))}"
        vp = ", ".join(f"{_plain(name)} {points}" for name, points in zip(names, chapter.lines[-1].vp, strict=True))
        yield ""
        yield f"VP: {vp}"


def round_title(chapter: Chapter) -> str:
    """`Round 3: extra river`."""
    return f"Round {chapter.round}" + (f": {pretty(chapter.tower)}" if chapter.tower else "")


def _plain(text: str) -> str:
    """Text from a record as Markdown shows it, whatever is in it."""
    return re.sub(r"([\\`*_\[\]<>#|~!&])", r"\\\1", " ".join(text.split()))


# HTML


def html(replay: Replay, seat: int | None = None, theme: str = "light") -> str:
    """One HTML page that steps through the game: every board inside, nothing loaded from anywhere.

    The boards are taken apart at their groups; each part is stored once, and the whole is packed: some 100 to 300 kB.
    Raises `ValueError` for an unknown theme.
    """
    assets = files("replays") / "assets"
    script = (assets / "page.js").read_text("utf-8")
    boards = {layout: frames(replay, 0, replay.plies, seat, layout=layout, theme=theme) for layout in LAYOUTS}
    data = json.dumps(boards, separators=(",", ":"))
    return Template((assets / "page.html").read_text("utf-8")).substitute(
        title=_text(replay.record.name or replay.record.id or "A game of Ulm"),
        theme="dark" if theme == "dark" else "light",
        style=(assets / "page.css").read_text("utf-8"),
        summary="".join(_summary(replay.record)),
        moves="".join(_log(replay, seat)),
        data=base64.b64encode(zlib.compress(data.encode(), 9)).decode(),
        script=script,
        script_hash=base64.b64encode(sha256(script.encode()).digest()).decode(),
    )


def _text(text: str) -> str:
    return escape(" ".join(text.split()))


def _summary(record: Record) -> Iterator[str]:
    yield f"<p>{_text(' '.join(facts(record)))}</p>\n"
    table = score_table(record)
    if table:
        yield "<div><table>\n<tr>" + "".join(f'<th scope="col">{_text(cell)}</th>' for cell in table[0]) + "</tr>\n"
        for row in table[1:]:
            yield "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>\n"
        yield "</table></div>\n"


def _log(replay: Replay, seat: int | None) -> Iterator[str]:
    number = 0
    for chapter in chapters(replay, seat):
        if chapter.round != number:
            number = chapter.round
            yield f"<h2>{_text(round_title(chapter))}</h2>\n"
        yield f"<h3>{_text(replay.names[chapter.seat])}</h3>\n<ol>\n"
        for line in chapter.lines:
            words = _text(" ".join(line.text))
            yield f'<li tabindex="0" data-ply="{line.ply}">{line.ply}. <code>{_text(line.move)}</code> '
            yield f"<span>{words}</span></li>\n"
        yield "</ol>\n"
