"""An analysis as a part of the page that replays a game offline: chances as a chart, sums, the moves that decided."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from replays.analysis import telling
from replays.analysis.results import Findings
from replays.score_chart import Round, legend, score_chart
from server.board.listing import signed
from server.engine.game import Game
from server.engine.ulm1.sentences import ENGLISH, Form, Speaker, plain

_HEAD = (
    plain("Player"), plain("At the beginning"), plain("Luck"), plain("Opportunities"), plain("Own errors"),
    plain("Others’ errors"), plain("At the end"),
)  # fmt: skip
_TITLE, _DECIDED, _NONE = plain("Analysis"), plain("The moves that decided it"), plain("No move gave much away.")
_PLAYED, _BETTER = plain("Played:"), plain("Better:")
_MOMENT = plain("Round %(round)s, move %(ply)s: %(name)s, from %(before)s to %(after)s")
_ROUND = plain("Round %(number)s, move %(ply)s: %(points)s")
PERCENT = "\N{NO-BREAK SPACE}%"


def section(replay: Game, found: Findings, speaker: Speaker = ENGLISH) -> Iterator[str]:
    """Yield the pieces of the section; its links lead to plies of the page."""

    def say(form: Form, **values: object) -> str:
        return escape(speaker.say(form, 0) % values if values else speaker.say(form, 0))

    yield f'<section id="analysis">\n<h2>{say(_TITLE)}</h2>\n<div class="parts"><figure>'
    yield _chart(replay, found, speaker)
    yield "</figure>\n<div><table>\n<tr>" + "".join(f'<th scope="col">{say(form)}</th>' for form in _HEAD) + "</tr>\n"
    for seat in found["seats"]:
        first, last = _whole(seat["first"]), _whole(seat["last"])
        luck, error, others = (_whole(part) for part in (seat["luck"], seat["error"], seat["others"]))
        # Rounded, they still add up: what is offered takes the rest.
        parts = [luck, last - first - luck - error - others, error, others]
        cells = [f"{first}{PERCENT}", *map(signed, parts), f"{last}{PERCENT}"]
        name = escape(replay.names[seat["seat"]])
        yield f'<tr><th scope="row">{name}</th>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>\n"
    yield f"</table></div></div>\n<h2>{say(_DECIDED)}</h2>\n"
    if not found["moments"]:
        yield f"<p>{say(_NONE)}</p>\n"
    for told in telling.moments(replay, found["moments"], speaker):
        moment = told.moment
        after = moment["before"] - moment["loss"]
        said = say(_MOMENT, round=moment["round"], ply=moment["ply"] + 1, name=replay.names[moment["seat"]],
                   before=f"{_whole(moment['before'])}{PERCENT}", after=f"{_whole(after)}{PERCENT}")  # fmt: skip
        yield f'<h3 class="seat-{moment["seat"]}"><a href="#{moment["ply"]}">{said}</a></h3>\n'
        yield f"<p><b>{say(_PLAYED)}</b> {escape(' '.join(told.played))}</p>\n"
        yield f"<p><b>{say(_BETTER)}</b> {escape(' '.join(told.better))}</p>\n"
    yield "</section>\n"


def _chart(replay: Game, found: Findings, speaker: Speaker) -> str:
    names = replay.names
    chances = [[_whole(seat["first"]) for seat in found["seats"]]]
    ends: dict[int, int] = {}
    for row in found["plies"]:
        chances.append([_whole(chance) for chance in row["chances"]])
        ends[row["round"]] = row["ply"]
    rounds = [
        Round(last, speaker.say(_ROUND, 0) % {"number": number, "ply": last, "points": _standing(names, chances[last])},
              f"#{last}")
        for number, last in ends.items()
    ]  # fmt: skip
    drawn = score_chart(
        names,
        chances,
        None,
        rounds,
        ply=0,
        title=speaker.say(plain("Chance to win, in percent"), 0),
        description=speaker.say(plain("At the beginning: %(points)s."), 0) % {"points": _standing(names, chances[0])},
        name="chances",
        unit=PERCENT,
    )
    return legend(names) + drawn


def _standing(names: list[str], chances: list[int]) -> str:
    return ", ".join(f"{name} {chance}{PERCENT}" for name, chance in zip(names, chances, strict=True))


def _whole(chance: float) -> int:
    return round(100 * chance)
