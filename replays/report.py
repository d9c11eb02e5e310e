"""A whole game as one HTML file that replays it in a browser without a network."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from replays.analysis import results
from replays.analysis.results import Findings
from replays.picture import parts_of, pictures
from replays.score_chart import Round, legend, score_chart
from replays.sight import Chapter, chapters
from server.board.layouts import WHOLE
from server.board.listing import signed
from server.board.measure import clean
from server.engine.game import Game
from server.engine.ulm1.sentences import ENGLISH, Form, Speaker, counted, plain

_PIECE = 3 * 2048  # packed bytes that are given out together; threes, so that the letters of pieces can be joined
PERCENT = "\N{NO-BREAK SPACE}%"


def _one_line(value: object) -> object:
    return value if isinstance(value, Markup) else clean(str(value))


_TEMPLATES = Environment(
    loader=PackageLoader("replays", "assets"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True, keep_trailing_newline=True, finalize=_one_line,
)  # fmt: skip


def _say(speaker: Speaker, form: Form, num: int = 0, /, **values: object) -> str:
    """A text with what belongs into it."""
    return speaker.say(form, num) % {"num": num, **values}


def round_title(chapter: Chapter, speaker: Speaker = ENGLISH) -> str:
    """`Round 3: extra river`."""
    if not chapter.tower:
        return _say(speaker, plain("Round %(number)s"), number=chapter.round)
    tile = speaker.name(chapter.tower)
    return _say(speaker, plain("Round %(number)s: %(tile)s"), number=chapter.round, tile=tile)


def html(
    replay: Game,
    seat: int | None = None,
    theme: str = "light",
    language: str = "en",
    speaker: Speaker = ENGLISH,
    analysis: Findings | None = None,
    ply: int = 0,
) -> Iterator[str]:
    """One HTML page that steps through the game, in pieces: every board inside, nothing loaded from anywhere. The
    boards are taken apart at their groups; each part is stored once, and the whole is packed: some 100 to 300 kB. It is
    made while it is read, and never as a whole. `language` is that of the boards' words, `speaker` says all else. What
    an analysis found stands below the board. It begins at `ply`. Raises `ValueError` for an unknown theme or
    language."""
    record = replay.record
    return _TEMPLATES.get_template(
        "page.html"
    ).generate(
        plain=lambda text, **values: _say(speaker, plain(text), **values),
        counted=lambda one, many, number, **values: _say(speaker, counted(one, many), number, **values),
        round_title=lambda chapter: round_title(chapter, speaker),
        listing=speaker.listing,
        signed=signed,
        whole=whole,
        percent=PERCENT,
        language=language,
        title=record.name or record.id or _say(speaker, plain("A game of Ulm")),
        theme="dark" if theme.endswith("dark") else "light",
        style=_asset("page.css"),
        script=_asset("page.js"),
        policy=Markup(policy()),  # noqa: S704 - of ours
        names=replay.names,
        options=record.options,
        plies=len(record.moves),
        ply=ply,
        times=[entry.time[:10] for entry in record.moves if entry.time],
        result=record.result,
        winners=[replay.names[winner] for winner in record.result["winners"]] if record.result else [],
        chapters=chapters(replay, seat, speaker),
        analysis=analysis,
        chart=Markup(chances_chart(replay.names, analysis, speaker, lambda ply: f"#{ply}")) if analysis else "",  # noqa: S704 - it escapes
        moments=results.moments(replay, analysis["moments"], speaker) if analysis else (),
        boards=map(Markup, _packed(_boards(replay, seat, theme, language))),
    )


def collection(
    title: str,
    author: str,
    text: str,
    parts: Iterable[tuple[str, str, Iterator[str]]],
    theme: str = "light",
    language: str = "en",
    speaker: Speaker = ENGLISH,
) -> Iterator[str]:
    """Several games with a text as one HTML page, in pieces. Each of `parts` is what a game is called, a remark, and
    the page of `html`, which stands in a frame and is unpacked when that is opened. Nothing is loaded from anywhere."""
    return _TEMPLATES.get_template("collection.html").generate(
        plain=lambda words, **values: _say(speaker, plain(words), **values),
        language=language,
        theme="dark" if theme.endswith("dark") else "light",
        style=_asset("page.css"),
        policy=Markup(policy()),  # noqa: S704 - of ours
        title=title,
        author=author,
        text=text,
        parts=parts,
        escaped=lambda piece: escape(str(piece)),
    )


def policy() -> str:
    """What the page may do (Content-Security-Policy): run its own script, and nothing else."""
    script_hash = base64.b64encode(sha256(_asset("page.js").encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{script_hash}'; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


def _asset(name: str) -> Markup:
    return Markup((files("replays") / "assets" / name).read_text("utf-8"))  # noqa: S704 - of ours


def _boards(replay: Game, seat: int | None, theme: str, language: str) -> Iterator[str]:
    """`{layout: frames}` of the whole game as JSON."""
    for place, layout in enumerate(WHOLE):
        yield f'{"," if place else "{"}"{layout}":{{"from":0,"parts":['
        plies: list[str] = []
        drawn = pictures(replay, 0, replay.plies, seat, layout=layout, theme=theme, language=language)
        for fresh, numbers in parts_of(drawn):
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


def chances_chart(
    names: Sequence[str], found: Findings, speaker: Speaker, href: Callable[[int], str], ply: int = 0
) -> str:
    """The chances over the game as a chart, and whose line is which. Each round leads to `href` of its last ply; the
    marker stands at `ply`."""
    chances = [[whole(seat["first"]) for seat in found["seats"]]]
    chances += [[whole(chance) for chance in row["chances"]] for row in found["plies"]]
    points = [
        speaker.listing([f"{name} {chance}{PERCENT}" for name, chance in zip(names, row, strict=True)])
        for row in chances
    ]
    ends = {row["round"]: row["ply"] for row in found["plies"]}
    words = plain("Round %(number)s, move %(ply)s: %(points)s")
    drawn = score_chart(
        names,
        chances,
        None,
        [Round(last, _say(speaker, words, number=number, ply=last, points=points[last]), href(last))
         for number, last in ends.items()],
        ply=ply,
        title=_say(speaker, plain("Chance to win, in percent")),
        description=_say(speaker, plain("At the beginning: %(points)s."), points=points[0]),
        name="chances",
        unit=PERCENT,
    )  # fmt: skip
    return legend(names) + drawn


def whole(chance: float) -> int:
    """A chance in percent."""
    return round(100 * chance)
