"""Accounts: making one, and looking after one's own."""

from typing import Any

from flask import Response
from flask.views import MethodView

from server.service import accounts

from .answers import answer
from .auth import current_player
from .blueprint import Blueprint
from .context import now, store
from .schemas.common import NoQuerySchema
from .schemas.players import ChangedProfileSchema, CreatedPlayerSchema, NewPlayerSchema, ProfileSchema

blp = Blueprint("players", __name__, url_prefix="/api/v1/players", description="Accounts and their tokens")


@blp.route("")
class Players(MethodView):
    """All players."""

    @blp.arguments(NewPlayerSchema)
    @blp.response(201, CreatedPlayerSchema)
    def post(self, data: dict[str, Any]) -> Response:
        """Make an account; the token is shown this once."""
        return answer(accounts.create_player(store(), data["name"], data["email"], now()), 201)


@blp.route("/me")
class Me(MethodView):
    """The caller's own account."""

    @blp.login_required
    @blp.etag
    @blp.arguments(NoQuerySchema, location="query")
    @blp.response(200, ProfileSchema)
    def get(self, query: dict[str, Any]) -> Response:
        """Read the own profile and preferences."""
        return answer(accounts.profile(current_player()))

    @blp.login_required
    @blp.arguments(ChangedProfileSchema)
    @blp.response(200, ProfileSchema)
    def patch(self, changes: dict[str, Any]) -> Response:
        """Change name, address or preferences; what is left out stays."""
        return answer(accounts.update_profile(store(), current_player(), changes, now()))
