"""Deals of the day: one for each day in UTC, played once by everybody."""

from flask import Response

from server.routes.http.answers import answer, created
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.context import now, settings, store
from server.service.common import quotas
from server.service.contests import day
from server.service.lists import game_page

blp = Blueprint("deals", __name__, url_prefix="/api/v1/deals", description="A deal for each day, played once by all")


@blp.get("/<puzzle:which>", "DayDeal", fails=(404,), **OPEN)
def get_deal(which: str) -> Response:
    """Read the deal of a day, or that of `today`; its field is for who has played it, and for all when it is over."""
    return answer(day.find(store(), which, current_player(), now()))


@blp.make("/today/games", "Game", fails=(403, 404, 409))
def post_deal_game() -> Response:
    """Begin the deal of today, once: asked again, the answer is the same game."""
    player = current_player()
    most = settings().allowed(quotas.GAMES_PER_PLAYER)
    game_id = day.play(store(), player, now(), most)
    return created(game_page.page(store(), game_id, player), "games.getGame", game_id=game_id)
