"""Answers to mails: one transaction for each, in which everything is done that it asks for, and its one answer is put
into the outbox. So whatever fails on the way, the mail can be given here again, and nothing is done or answered twice.

    receive(store, token, AnswerMail(message_id, lines, text, authentication), now, rng)

The token of the address says who may do what. The mail's From is not even known here: what is answered goes to the
address of the account.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal

from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.turn import RESIGN
from server.language import speaking
from server.move_language import grammar
from server.move_language.program import Problems, Program
from server.service.accounts import links, players
from server.service.accounts.links import BadLinkError
from server.service.accounts.players import Player
from server.service.answering import carrying_out, letter_options
from server.service.answering.results import Question, Result, Standing
from server.service.chat import messages
from server.service.common import audit_log, db_rate_limits, idempotency
from server.service.common.errors import NotFound, ServiceError
from server.service.games import clock, loading
from server.service.games.model import SANDBOX, Table
from server.service.games.saving import changing
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import Kind, News
from server.service.play import turns
from server.service.views import history
from server.storage.database import Store

HOUR = timedelta(hours=1)
AN_HOUR = 60
"""Answers of one player. What comes beyond is noted, and not looked at."""
OFFERED_MAX = 1000
"""So much of what else a person wrote is offered as a message to the table."""
AUTHENTICATION_MAX = 100


@dataclass(frozen=True, slots=True)
class AnswerMail:
    """A mail by a person, read. `lines` are their own ones without what they quote, `text` the same as running text;
    `authentication` is what the mail server in front found out about the sender, which is noted and not relied on."""

    message_id: str
    lines: Sequence[str]
    text: str
    authentication: str = ""


def receive(store: Store, token: str, mail: AnswerMail, now: datetime, rng: random.Random | None = None) -> None:
    """Do what an answer to the mail with `token` asks for, and answer it; what was done before, under the same
    Message-ID, is not done again. `rng` is the bots' chance.

    Raises `BadLinkError` for a token that is good for nothing (any more), and the errors of the store.
    """
    purpose = links.purpose_of(store, token)
    if purpose not in ("turn", "resign"):
        raise BadLinkError
    claims = links.read(store, token, purpose, now=now)

    player = _player(store, claims)
    # Reading a long mail takes longer than others may be kept waiting for the lock of a transaction.
    with speaking(_language(player)):
        numbered, read = _read(store, player, claims, mail) if purpose == "turn" else ((), grammar.parse(mail.lines))

    def work(answer: _Answer) -> bool:
        if purpose == "resign":
            answer.resign(token, read, rng)
        elif letter_options.stand(store, answer.table, claims):
            answer.play(claims["ply"], numbered, read, rng)
        else:  # taken back this very moment
            answer.play(claims["ply"], (), grammar.parse(mail.lines, answer.table.rules), rng)
        return True

    _once(store, player, claims, mail, "play", now, work)


def _read(
    store: Store, player: Player, claims: links.Claims, mail: AnswerMail
) -> tuple[Sequence[Move], Program | Problems]:
    """The options of the letter that was answered, and what the answer asks for."""
    with store.read():
        table, seat = _seated(claims, player, lambda: loading.for_reader(store, claims["game"], player))
        numbered = letter_options.numbered(store, table, seat, claims)
        rules = table.rules
    return numbered, grammar.parse(mail.lines, rules, numbered)


def receive_message(
    store: Store, token: str, mail: AnswerMail, now: datetime, rng: random.Random | None = None
) -> None:
    """Send what somebody has answered to a message to the same table. It is answered only if it could not be sent.

    Raises as `receive` does.
    """
    claims = links.read(store, token, "talk", now=now)

    def work(answer: _Answer) -> bool:
        answer.say([mail.text])
        return bool(answer.result.unsaid)

    _once(store, _player(store, claims), claims, mail, "talk", now, work)


@dataclass(slots=True)
class _Answer:
    """An answer that is worked on, within its transaction; `table` was loaded for a change."""

    store: Store
    table: Table
    player: Player
    seat: int
    mail: AnswerMail
    now: datetime
    result: Result

    def play(self, ply: int, numbered: Sequence[Move], program: Program | Problems, rng: random.Random | None) -> None:
        """Do what the lines say, about the turn that began at `ply`."""
        result = self.result
        result.standing = self._standing(ply)
        self._come_back()
        result.other_text = program.other_text[:OFFERED_MAX]
        if isinstance(program, Problems):
            result.questions = [Question(one.line, one.why, list(one.near)) for one in program.problems]
            return
        if result.standing == "live":
            self._carry_out(program, numbered, rng)
        else:
            carrying_out.leave(program, result)
        result.resigning &= result.standing in ("live", "late", "waiting")
        self.say(program.says)

    def _carry_out(self, program: Program, numbered: Sequence[Move], rng: random.Random | None) -> None:
        answerer = carrying_out.Answerer(self.store, self.table, self.player, numbered, self.result, self.now, rng)
        try:
            answerer.carry_out(program)
        except ServiceError as refusal:
            # Whoever refuses has written nothing; what was played before it stands.
            self.result.questions.append(Question("", refusal.spoken))

    def resign(self, token: str, program: Program | Problems, rng: random.Random | None) -> None:
        """Resign, if the mail says so again and nothing else; `token` is that of the question."""
        result = self.result
        result.standing = self._standing(None)
        if result.standing in ("resigned", "over", "given_up"):
            return
        if isinstance(program, Problems) or not carrying_out.only_resigns(program):
            result.not_resigned = True
            return
        links.use_once(self.store, token, "resign", self.now)
        ply = self.table.seen_ply(self.seat)
        turns.carry_out(self.store, self.table, self.seat, ply, [format_move(RESIGN)], self.now, rng)
        result.standing = "resigned"

    def say(self, texts: Sequence[str]) -> None:
        """Send messages to the table."""
        for text in texts:
            try:
                messages.say(self.store, self.table, self.player, messages.check(text), self.now)
            except ServiceError as refusal:
                self.result.unsaid = refusal.spoken
                self.result.other_text = text[:OFFERED_MAX]
                return
            self.result.said += 1

    def _standing(self, ply: int | None) -> Standing:
        """How it stands with the turn that began at `ply` (None: with whatever turn there is)."""
        if self.table.status != "running":
            return "over" if self.table.status == "finished" else "given_up"
        if self.table.position.players[self.seat].resigned:
            return "resigned"
        if self.table.to_move != self.seat:
            return "waiting"
        reader = loading.for_reader(self.store, self.table.id, self.player)
        began = history.tell(self.store, reader, self.seat).turn_began
        return "live" if ply is None or began <= ply else "late"

    def _come_back(self) -> None:
        """Who answers is there: the server plays for them no more."""
        if self.result.standing in ("live", "late", "waiting") and self.table.places[self.seat].autopilot:
            clock.come_back(self.store, self.table, self.seat)
            self.result.came_back = True


def _player(store: Store, claims: links.Claims) -> Player:
    player = players.player_by_id(store, claims.get("player"))
    if player is None:
        raise BadLinkError
    return player


def _language(player: Player) -> str:
    return str(player.preferences["language"])


def _once(
    store: Store,
    player: Player,
    claims: links.Claims,
    mail: AnswerMail,
    door: Literal["play", "talk"],
    now: datetime,
    work: Callable[[_Answer], bool],
) -> None:
    """Work on a mail in one transaction, unless that was done before; `work` says whether it is to be answered.

    A mail that is written to both addresses of a table plays and speaks, each once.
    """
    name = sha256(f"{door} {mail.message_id}".encode("utf-8", "replace")).hexdigest()
    with changing(store), speaking(_language(player)):
        table, seat = _seated(claims, player, lambda: loading.for_change(store, claims["game"]))
        request = idempotency.asked(name, player, "answer", game_id=table.id)
        if idempotency.before(store, request) is not None:
            return
        if not db_rate_limits.take(store, "answers", player.id, AN_HOUR, HOUR, now):
            audit_log.note(store, "answer_beyond_limit", now, player.id, game=table.id)
            return
        result = Result(mail=mail.message_id)
        answered = work(_Answer(store, table, player, seat, mail, now, result))
        idempotency.keep(store, request, {"played": result.played}, now)
        audit_log.note(
            store,
            "answer_received",
            now,
            player.id,
            game=table.id,
            moves=result.played,
            authentication=mail.authentication[:AUTHENTICATION_MAX] or None,
        )
        if answered:
            kind: Kind = "resign_question" if result.resigning else "answer"
            key = f"{kind}:{table.id}:{player.id}:{name[:32]}"
            tell(store, [News(kind, player.id, key, table.id, claims.get("ply"), result.data())], now)


def _seated(claims: links.Claims, player: Player, load: Callable[[], Table]) -> tuple[Table, int]:
    """The game, as it is loaded, and where the player sits. Raises `BadLinkError` when it, or the seat, is gone."""
    try:
        table = load()
    except NotFound:
        raise BadLinkError from None
    seat = table.seat_of(player)
    if seat is None or seat != claims.get("seat", seat) or table.origin == SANDBOX or table.state is None:
        raise BadLinkError
    return table, seat
