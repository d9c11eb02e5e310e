"""`/account/bots`: the programs of a player that play under names of their own, and which games they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http import browser_session
from server.routes.http.context import forget, now, settings, store
from server.routes.pages.account import account_page
from server.routes.pages.shared import forms, rendering
from server.service.accounts import bot_accounts, bot_rules
from server.service.accounts.players import Player
from server.service.erasure import deletion

blp = Blueprint("own-bots-pages", __name__)
YES = "yes"


@blp.get("/account/bots")
def listing() -> Response | Redirect:
    """The bots, what they play, and a form for another one."""
    return account_page.for_owner(_show)


@blp.post("/account/bots")
def create() -> Response | Redirect:
    """A new bot; its token is shown on this page alone."""
    handle, name = forms.text_field("handle", 40).strip(), forms.text_field("name", 400)
    typed = {"handle": handle, "name": name}
    return _with_token(lambda player: bot_accounts.create(store(), player, handle, name or None, None, now()), **typed)


@blp.post("/account/bots/<id:handle>/token")
def token(handle: str) -> Response | Redirect:
    """Another token; the one before ends."""
    return _with_token(lambda player: bot_accounts.renew_token(store(), player, handle, now()))


@blp.post("/account/bots/<id:handle>/rules")
def change(handle: str) -> Response | Redirect:
    """What a bot is called and plays."""
    rules = {
        "who": forms.text_field("who", 20),
        "variants": [one for one in bot_rules.VARIANTS if forms.text_field(one, 3) == YES],
        "seats": [number for number in (2, 3, 4) if forms.text_field(f"seats_{number}", 3) == YES],
        "private": forms.text_field("private", 3) == YES,
        "without_clock": forms.text_field("without_clock", 3) == YES,
        **{name: forms.whole(forms.text_field(name, 9)) for name in ("turn_hours_min", "turn_hours_max", "games")},
    }
    name = forms.text_field("name", 400)
    return _changed(lambda player: bot_accounts.change(store(), player, handle, name, rules))


@blp.post("/account/bots/<id:handle>/delete")
def delete(handle: str) -> Response | Redirect:
    """The bot goes; its games are left or resigned."""
    return _changed(lambda player: forget(deletion.delete_bot(store(), player, handle, now())))


def _with_token(make: Callable[[Player], bot_accounts.NewBot], **typed: str) -> Response | Redirect:
    return account_page.act(
        lambda player: _show(player, 201, made=make(player)), lambda page: page, account_page.again(_show, **typed)
    )


def _changed(do: Callable[[Player], object]) -> Response | Redirect:
    return account_page.act(do, lambda _: redirect(url_for("own-bots-pages.listing"), 303), account_page.again(_show))


def _show(player: Player, status: int = 200, **values: Any) -> Response:
    found = bot_accounts.of_owner(store(), player)
    values = {"made": None, "error": "", "handle": "", "name": "", **values}
    return rendering.page(
        "account/bots",
        status,
        form=forms.form_token(browser_session.session_secret()),
        bots=[
            {**one, "bare": one["handle"][1:], "called": one["name"].removesuffix(bot_accounts.TAIL)} for one in found
        ],
        most=bot_accounts.BOTS_MAX,
        games_max=bot_rules.GAMES_MAX,
        hours_max=bot_rules.HOURS_MAX,
        public_url=settings().public_url,
        **values,
    )
