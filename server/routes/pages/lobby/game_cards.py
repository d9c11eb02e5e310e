"""What the lists of the lobby say of a game and of a replay."""

from __future__ import annotations

from typing import Any

from flask import url_for

from server import language
from server.language import gettext as _
from server.routes.pages.shared import game_wording, squares
from server.routes.pages.shared.squares import Pictured
from server.service.accounts.players import Player
from server.service.archive.replay_lists import ReplaySummary
from server.service.common.naming import spoken
from server.service.explain import proposal_words
from server.service.games.model import PLAYED, SANDBOX
from server.service.games.proposals import ShownProposal
from server.service.lists.board_view import Glance
from server.service.lists.game_lists import ListedGame
from server.service.lists.ratings import ShownRating
from server.service.seating.rematches import Standing


def of_game(
    game: ListedGame,
    player: Player | None,
    glance: Glance | None,
    unread: int = 0,
    again: Standing | None = None,
    last_turn: str | None = None,
    host: ShownRating | None = None,
    asked: ShownProposal | None = None,
) -> dict[str, Any]:
    """The game, and what the list says of it; `glance` is None for one that has not begun, `unread` how much the reader
    has not read of what was written and done there, `again` its rematch, `last_turn` when a turn ended last, `host` the
    rating of who waits there first, and `asked` what the reader is to agree with."""
    names = [spoken(place["name"]) if place is not None else "?" for place in game["players"]]
    sandbox, over = game["origin"] == SANDBOX, game["status"] == "finished"
    sealed = game["private"] and game["deal"] is not None  # it has no replay yet
    won = [game["players"][seat] for seat in game["result"]["winners"]] if game["result"] else []
    return {
        **game,
        "href": url_for("replay-pages.watch" if over and not sealed else "game-pages.game", game_id=game["id"]),
        "private": game["private"] and not sandbox,
        "seats": [
            place and {
                **place,
                "own": player is not None and place["player"] == player.id and not sandbox,
                "to_move": game["status"] == "running" and place["seat"] == game["to_move"],
                "points": None if glance is None else glance.points[place["seat"]],
            }
            for place in game["players"]
        ],
        "alone": _alone(game) if sandbox else None,
        "glance": glance,
        "unread": unread,
        "standing": None if glance is None or player is None else _standing(game, glance, player),
        "square": None if glance is None else glance.square,
        "options": game_wording.options(game["options"], game["rating"] if game["status"] == "open" else None),
        "clock": game_wording.turn_time(game["clock"]),
        "reserve": game["clock"] is not None and game["clock"]["reserve_hours"] > 0,
        "winners": [spoken(place["name"]) for place in won if place is not None],
        "won": over and player is not None and any(place and place["player"] == player.id for place in won),
        "again": again,
        "may_repeat": over and game["seat"] is not None and game["origin"] == PLAYED and game["deal"] is None,
        "last_turn": last_turn,
        "host": host,
        "asked": None if asked is None else proposal_words.asked(asked, names, game["options"]["tower"], game["seat"]),
        "moment": game["finished_at"] or game["started_at"] or game["created_at"],
    }  # fmt: skip


def _standing(game: ListedGame, glance: Glance, player: Player) -> str | None:
    """How the reader's points compare with the best of the others', while a game is played."""
    own = [place["seat"] for place in game["players"] if place is not None and place["player"] == player.id]
    if game["status"] != "running" or len(own) != 1 or game["origin"] == SANDBOX:
        return None
    lead = glance.points[own[0]] - max(points for seat, points in enumerate(glance.points) if seat != own[0])
    if lead == 0:
        return _("you are level")
    return _("you lead by %(num)s", num=lead) if lead > 0 else _("you are %(num)s behind", num=-lead)


def _alone(game: ListedGame) -> str:
    """Whom somebody plays in a sandbox of theirs."""
    people = [place for place in game["players"] if place is not None and place["bot"] is None]
    if len(people) == len(game["players"]):
        return _("You play all seats.")
    names = language.listing([spoken(place["name"]) for place in people])
    return _("You play %(names)s, bots play the others.", names=names)


def of_replays(found: list[ReplaySummary]) -> list[dict[str, Any]]:
    """What the first page and those of players say of finished games."""
    pictures = squares.of_replays([one["id"] for one in found])
    return [_of_replay(one, pictures[one["id"]]) for one in found]


def _of_replay(replay: ReplaySummary, picture: Pictured) -> dict[str, Any]:
    result = replay["result"] or {"winners": [], "scores": []}
    return {
        "id": replay["id"],
        "name": spoken(replay["name"] or ""),
        "seats": [
            {**place, "points": result["scores"][place["seat"]]["total"] if result["scores"] else None}
            for place in replay["players"]
        ],
        **picture._asdict(),
        "winners": [spoken(replay["players"][seat]["name"] or "?") for seat in result["winners"]],
        "moment": replay["finished_at"] or replay["created_at"],
    }
