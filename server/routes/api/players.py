"""Accounts: making one, and looking after one's own."""

from typing import Any

from flask import Response, request

from server.routes.api.response_schemas import many
from server.routes.api.schemas.players import (
    ChangedProfileSchema,
    ConfirmationSchema,
    NewPlayerSchema,
    NewTokenSchema,
    RenamedTokenSchema,
)
from server.routes.http.answers import answer, created, nothing
from server.routes.http.bearer_auth import asked, current_access, current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import forget, now, session_idle, settings, store
from server.service.accounts import account_opening, confirming, profiles, sessions, tokens
from server.service.accounts.players import player_by_id
from server.service.erasure import deletion, personal_export

blp = Blueprint("players", __name__, url_prefix="/api/v1/players", description="Accounts and their tokens")


@blp.make("", "CreatedPlayer", scope=None, body=NewPlayerSchema, fails=(409, 429))
def post_players(data: dict[str, Any]) -> Response:
    """Make an account; the token is shown this once."""
    machine, most = request.remote_addr or "", settings().accounts_per_hour
    made = account_opening.create_player(
        store(), data["name"], data["email"], now(), machine=machine, most=most, asked=asked(data)
    )
    return created(made, "players.getMe")


@blp.get("/me", "Profile", scope="read", etag=True)
def get_me() -> Response:
    """Read the own profile and preferences."""
    return answer(profiles.profile(current_player()))


def _me_now() -> Response:
    found = player_by_id(store(), current_player().id)
    return answer(profiles.profile(found or current_player()))


@blp.patch("/me", "Profile", scope="account", body=ChangedProfileSchema, reads=_me_now, fails=(429,))
def patch_me(changes: profiles.ProfileChanges) -> Response:
    """Change name, address or preferences; what is left out stays.

    A confirmed address to which mail comes is changed on the page `/account` alone, after a fresh sign-in by mail.
    """
    return answer(profiles.update_profile(store(), current_player(), changes, now(), by_token=True))


@blp.delete("/me", None, 204, scope="account", fails=(409,))
def delete_me() -> Response:
    """Delete the own account, for ever and at once.

    Open games are left, running ones resigned; games, their messages and kept records stay, without the name.
    """
    forget(deletion.delete_account(store(), current_player(), now()))
    return nothing()


@blp.get("/me/export", "Export", scope="account")
def get_export() -> Response:
    """Read what is the caller's own: profile, games with the own moves and notes, messages, vacations, mails."""
    return answer(personal_export.export(store(), current_player(), now()), headers={"Cache-Control": "no-store"})


@blp.post("/me/confirmation", None, 204, scope="account", fails=(409, 429))
def post_confirmation() -> Response:
    """Send the mail once more that asks to confirm the own address."""
    profiles.ask_to_confirm(store(), current_player(), now())
    return nothing()


@blp.put("/me/confirmation", None, 204, scope="account", body=ConfirmationSchema, fails=(404, 410))
def put_confirmation(data: dict[str, Any]) -> Response:
    """Confirm the own address with what the mail's link ends with: sessions and tokens stay.

    Any mail does that asks to confirm this address, also one that was sent for another account.
    """
    confirming.confirm_own(store(), data["token"], current_player(), now())
    return nothing()


@blp.get("/me/tokens", many("Token"), scope="account")
def get_tokens() -> Response:
    """List the own tokens, without themselves."""
    return answer(tokens.listing(store(), current_player()))


@blp.make("/me/tokens", "CreatedToken", scope="account", body=NewTokenSchema, fails=(409, 429))
def post_tokens(data: dict[str, Any]) -> Response:
    """Make a further token, for another device or program; it is shown this once.

    It can have no scope that the token of this request lacks, and ends no later. Its owner is told by mail.
    """
    made = tokens.create(
        store(), current_player(), data["name"], now(), wanted=data["scopes"], expires_at=data["expires_at"],
        by=current_access(), asked=asked(data)
    )  # fmt: skip
    return created(made, "players.patchOneToken", token_id=made["id"])


@blp.patch("/me/tokens/<id:token_id>", "Token", scope="account", body=RenamedTokenSchema, fails=(404,))
def patch_one_token(data: dict[str, Any], token_id: str) -> Response:
    """Give a token another name."""
    return answer(tokens.rename(store(), current_player(), token_id, data["name"]))


@blp.delete("/me/tokens/<id:token_id>", None, 204, scope="account", fails=(404, 409))
def delete_one_token(token_id: str) -> Response:
    """Revoke a token for ever; the last one stays, unless its player can sign in by mail."""
    tokens.revoke(store(), current_player(), token_id, now())
    return nothing()


@blp.get("/me/sessions", many("Session"), scope="account")
def get_sessions() -> Response:
    """List the browsers in which the caller is signed in, the last used first."""
    return answer(sessions.listing(store(), current_player(), now(), session_idle()))


@blp.delete("/me/sessions/<id:session_id>", None, 204, scope="account", fails=(404,))
def delete_one_session(session_id: str) -> Response:
    """Sign a browser out."""
    sessions.end(store(), current_player(), session_id, now())
    return nothing()
