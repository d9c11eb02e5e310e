"""News by channels beside mail, one after the other: claim, see whether it is still true, send, note what became of it.
A process that dies leaves one of which nobody knows whether it went: it goes once more, under the same id."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

from server import request_ids
from server.language import gettext as _
from server.language import speaking
from server.logs import places
from server.notify import outward, recipients, web_push, webhooks
from server.notify.compose import KINDS
from server.notify.delivery import FIRST_RETRY, backoff
from server.notify.mail_content import MailContent, Postpone, Skip
from server.notify.mime_message import one_line
from server.notify.outward import RefusedError, Request
from server.notify.recipients import MailTask
from server.notify.scheduler import Context
from server.notify.webhooks import Notice
from server.service.accounts import link_urls, links
from server.service.accounts.channels import OFF_AFTER
from server.service.lists import game_lists
from server.service.outbox import channel_queue, push_keys
from server.service.outbox.channel_queue import Delivery, Outcome
from server.service.outbox.news import Kind
from server.storage import leases
from server.storage.times import parse_utc
from server.storage.unusable import StoreError

log = logging.getLogger("ulm.channels")

CLAIM = timedelta(seconds=60)
"""How long what a process has claimed waits for another: longer than sending takes, name servers included."""
SECONDS = {True: 5.0, False: 15.0}
"""How long a channel that is proven, and one that is not, may take for one notice."""
TRIES = 9  # after so many, some four hours, news are given up
LAST_RETRY = timedelta(hours=2)
LATER = (408, 425, 429)
"""Refusals that pass, beside those of 500 and above."""
GONE = (404, 410)
"""By these a push service says that the browser wants no more."""
ON_FIRST_PAGE: tuple[Kind, ...] = ("invited", "rematch")
"""News of games in which their reader has no seat: the first page leads there."""
TITLE_MAX, TEXT_MAX = 120, 400


def deliver(context: Context, proven: bool, owner: str = "", lease: timedelta = CLAIM) -> Counter[str]:
    """Send what is due to channels that are `proven`, or to the others; how many became what."""
    owner = owner or leases.new_owner()
    done: Counter[str] = Counter()
    while context.keep():
        now = context.clock()
        delivery = channel_queue.claim(context.store, owner, now, now + lease, proven)
        if delivery is None:
            break
        with request_ids.caused_by(delivery.queued.request):
            done[_deliver(context, delivery, owner)] += 1
    return done


def _deliver(context: Context, delivery: Delivery, owner: str) -> str:
    """One piece of news; the word for what became of it."""
    try:
        request, language = _request(context, delivery)
    except Skip as skip:
        found = Outcome("skipped", skip.reason)
    except Postpone as later:
        found = Outcome("pending", due=later.until, counts=False)
    except StoreError:
        raise  # the lease runs out, and it is tried again
    except Exception as error:  # one that cannot be written must not stop the others
        log.exception("news cannot be written", extra={"fields": {"delivery": delivery.queued.id}})
        found = _again(context, delivery, f"composing failed with {type(error).__name__} at {places(error)}")
    else:
        with speaking(language):
            found = _sent(context, delivery, request)
    if found.state == "gone":
        channel_queue.remove(context.store, delivery.channel_id)
    else:
        channel_queue.mark(context.store, owner, delivery, found, context.clock())
    return found.state


def _sent(context: Context, delivery: Delivery, request: Request) -> Outcome:
    """Send it, and see what is said."""
    try:
        answer = outward.send(request, context.settings.own_networks, SECONDS[delivery.failing_since is None])
    except RefusedError as refused:
        if refused.for_good:
            return Outcome("dead", str(refused), blames=True)
        return _again(context, delivery, str(refused))._replace(blames=True)
    if 200 <= answer.status < 300:
        return Outcome("sent", str(answer.status))
    if delivery.channel == "push" and answer.status in GONE:
        return Outcome("gone")
    if 300 <= answer.status < 400:
        error = _("%(status)s: it leads elsewhere, and is not followed", status=answer.status)
        return Outcome("dead", error, blames=True)
    error = f"{answer.status} {answer.words}".strip()
    if answer.status < 500 and answer.status not in LATER:
        return Outcome("dead", error, blames=True)
    return _again(context, delivery, error, answer.retry_after or 0)._replace(blames=True)


def _again(context: Context, delivery: Delivery, error: str, seconds: int = 0) -> Outcome:
    """Another try later, in so many seconds at least; none after the last one."""
    tries = delivery.queued.attempts + 1
    if tries >= TRIES:
        return Outcome("dead", error)
    wait = max(backoff(tries, FIRST_RETRY, LAST_RETRY, context.rng), min(timedelta(seconds=seconds), LAST_RETRY))
    return Outcome("pending", error, context.clock() + wait)


def _request(context: Context, delivery: Delivery) -> tuple[Request, str]:
    """What is sent, as it is true now, and its reader's language. Raises `Skip` and `Postpone`."""
    store, settings, now = context.store, context.settings, context.clock()
    queued = delivery.queued
    if queued.attempts >= TRIES:
        raise Skip("the server ended each time it tried to send this")
    with store.connection():
        failing = delivery.failing_since
        if queued.kind != "test" and failing is not None and now - parse_utc(failing) > OFF_AFTER:
            raise Skip("nothing has arrived there for days: the channel is off until a trial arrives")
        person = recipients.of_channel(store, queued, delivery.channel, now)
        with speaking(person.language):
            # Without a picture, which nobody would see: drawing it takes a core for a quarter of a second.
            task = MailTask(store, replace(settings, mail_pictures=False), queued, person, now)
            content = _trial() if queued.kind == "test" else KINDS[queued.kind](task)
            notice = _notice(task, delivery, content)
            if delivery.channel == "webhook":
                make, seconds = webhooks.SHAPES[str(delivery.settings["shape"])], int(now.timestamp())
                return make(notice, delivery.address, delivery.secret, seconds), person.language
            if not push_keys.available():
                raise Skip("this server sends no pushes: it is without the extra `push`")
            own, contact = push_keys.pair(store), settings.mail_from
            to = (notice, delivery.address, delivery.secret, delivery.settings)
            return web_push.request(*to, own, contact, now), person.language


def _trial() -> MailContent:
    told = _("This is a trial: news of your games comes this way.")
    return MailContent(subject="", heading=_("Ulm by mail: it works"), preview=told)


def _notice(task: MailTask, delivery: Delivery, content: MailContent) -> Notice:
    """What the letter says, short; of its links none that plays: others may read along where a webhook leads."""
    queued, settings = task.queued, task.settings
    url, stop = f"{settings.public_url}/", ""
    if queued.game_id:
        claims = {"player": queued.player_id, "game": queued.game_id, "channel": delivery.channel}
        token = links.make(task.store, "unsubscribe", now=queued.due, **claims)
        stop = link_urls.link_url(settings, "unsubscribe", token)
        if queued.kind not in ON_FIRST_PAGE:
            url = f"{settings.public_url}/games/{queued.game_id}"
    return Notice(
        id=sha256(f"{delivery.channel_id} {queued.key}".encode()).hexdigest()[:32],
        kind=queued.kind,
        game=queued.game_id,
        title=one_line(content.heading, TITLE_MAX),
        text=one_line(content.preview or " ".join(content.intro), TEXT_MAX),
        url=url,
        stop_url=stop,
        labels=(_("Open"), _("No more of this game")),
        at=queued.created_at,
        waiting=len(game_lists.waiting_for(task.store, queued.player_id or "")),
    )
