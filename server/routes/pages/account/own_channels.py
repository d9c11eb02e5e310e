"""`/account/channels`: where news of one's games go beside mail, and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.pages.account import account_page
from server.routes.pages.shared import forms, rendering
from server.service.accounts import channels, profiles
from server.service.accounts.players import Player
from server.service.outbox import push_keys
from server.storage.times import utc

blp = Blueprint("channel-pages", __name__)
SAID = ("tried", "removed", "wishes", "feeds", "renewed")


@blp.get("/account/channels")
def listing() -> Response | Redirect:
    """The channels, what went there, and a form for another one."""
    return account_page.for_owner(_show)


@blp.post("/account/channels")
def add() -> Response | Redirect:
    """Send news to another address."""
    typed = {"shape": forms.text_field("shape", 20), "address": forms.text_field("address", 2000)}
    token, plain = forms.text_field("token", 600), bool(settings().own_networks)

    def change(player: Player) -> None:
        channels.add_webhook(store(), player, typed["shape"], typed["address"], token, now(), plain=plain)

    return _changed(change, "tried", **typed)


@blp.post("/account/channels/push")
def push() -> Response | Redirect:
    """Push news to this browser, or with `off` no more: push.js fills the form."""
    endpoint, p256dh, auth = (forms.text_field(name, 2000) for name in ("endpoint", "p256dh", "auth"))
    if forms.text_field("off", 3):
        return _changed(lambda player: channels.remove_push(store(), player, endpoint), "removed")
    name = browser_session.device()
    return _changed(lambda player: channels.add_push(store(), player, endpoint, p256dh, auth, name, now()), "tried")


@blp.post("/account/channels/<id:channel_id>/trial")
def trial(channel_id: str) -> Response | Redirect:
    """Send a trial there."""
    return _changed(lambda player: channels.try_out(store(), player, channel_id, now()), "tried")


@blp.post("/account/channels/<id:channel_id>/remove")
def remove(channel_id: str) -> Response | Redirect:
    """Send nothing there any more."""
    return _changed(lambda player: channels.remove(store(), player, channel_id, now()), "removed")


@blp.post("/account/channels/wishes")
def wishes() -> Response | Redirect:
    """When news come by each channel."""
    wished = {one: forms.text_field(one, 20) for one in ("push", "webhook")}
    return _changed(lambda player: profiles.update_profile(store(), player, {"preferences": wished}, now()), "wishes")


@blp.post("/account/channels/feeds")
def feeds() -> Response | Redirect:
    """Other addresses for the calendar and the feed; those before lead nowhere from then on."""
    player = browser_session.visitor()
    renewed = player is not None and channels.feed_secret(store(), player) is not None
    return _changed(lambda player: channels.renew_feeds(store(), player, now()), "renewed" if renewed else "feeds")


def _changed(do: Callable[[Player], object], said: str, **typed: Any) -> Response | Redirect:
    answer = redirect(url_for("channel-pages.listing", said=said), 303)
    return account_page.act(do, lambda _: answer, account_page.again(_show, **typed))


def _show(player: Player, status: int = 200, **values: Any) -> Response:
    found, said = channels.listing(store(), player), request.args.get("said", "")
    return rendering.page(
        "account/channels",
        status,
        form=forms.form_token(browser_session.session_secret()),
        browsers=[one for one in found if one["kind"] == "push"],
        hooks=[one for one in found if one["kind"] == "webhook"],
        secrets=channels.signing_secrets(store(), player),
        push_key=push_keys.pair(store())[1] if push_keys.available() else "",
        feed=channels.feed_secret(store(), player),
        public_url=settings().public_url,
        wishes=player.preferences,
        off_before=utc(now() - channels.OFF_AFTER),
        said=said if said in SAID else "",
        **{"error": "", "shape": "discord", "address": "", **values},
    )
