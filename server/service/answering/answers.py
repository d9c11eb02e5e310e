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

from server.engine import rulesets
from server.engine.replaying import end_of
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.turn import RESIGN
from server.language import speaking
from server.move_language import grammar
from server.move_language.program import Problems, Program
from server.service.accounts import links, players
from server.service.accounts.links import BadLinkError
from server.service.accounts.players import Player
from server.service.answering import carrying_out
from server.service.answering.results import Question, Result, Standing
from server.service.chat import messages
from server.service.common import audit_log, db_rate_limits, idempotency
from server.service.common.errors import NotFound, ServiceError
from server.service.common.quotas import ANSWERS_AN_HOUR
from server.service.explain import move_choices
from server.service.games import clock, loading, move_log
from server.service.games.model import SANDBOX, Game
from server.service.games.saving import changing
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import Kind, News
from server.service.play import turns
from server.storage import sql
from server.storage.database import Store

HOUR = timedelta(hours=1)
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
    found = links.find(store, token)
    purpose = "" if found is None else found[0]
    if purpose not in ("turn", "resign"):
        raise BadLinkError
    claims = links.read(store, token, purpose, now=now)
    # Read before the transaction: a long mail takes a while, and nobody is to wait for that.
    reading = _Reading(rulesets.NEWEST, [], grammar.parse(mail.lines)) if purpose == "resign" else None
    reading = reading or _read_ahead(store, claims, mail)

    def work(answer: _Answer) -> bool:
        if purpose == "resign":
            answer.resign(token, reading.program, rng)
        else:
            answer.play(claims, reading, rng)
        return True

    _once(store, claims, mail, "play", now, work)


def receive_message(
    store: Store, token: str, mail: AnswerMail, now: datetime, rng: random.Random | None = None
) -> None:
    """Send what somebody has answered to a message to the same game. It is answered only if it could not be sent.

    Raises as `receive` does.
    """
    claims = links.read(store, token, "talk", now=now)

    def work(answer: _Answer) -> bool:
        answer.say([mail.text])
        return bool(answer.result.unsaid)

    _once(store, claims, mail, "talk", now, work)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a mail says, read under these rules, with these moves for its numbers."""

    rules: Rules
    numbered: list[Move]
    program: Program | Problems


@dataclass(slots=True)
class _Answer:
    """An answer that is worked on, within its transaction; `game` was loaded for a change."""

    store: Store
    game: Game
    player: Player
    seat: int
    mail: AnswerMail
    now: datetime
    result: Result

    def play(self, claims: links.Claims, ahead: _Reading, rng: random.Random | None) -> None:
        """Do what the lines say, about the turn of the letter with these claims; read anew only where a move since
        they were read `ahead` changed what they mean."""
        result = self.result
        rules, numbered = self.game.rules, _numbered(self.store, self.game, self.seat, claims)
        same = (ahead.rules.name, ahead.numbered) == (rules.name, numbered)
        program = ahead.program if same else grammar.parse(self.mail.lines, rules, numbered)
        result.standing = self._standing(claims["ply"])
        self._come_back()
        result.other_text = program.other_text[:OFFERED_MAX]
        if isinstance(program, Problems):
            result.questions = [Question(one.line, one.why, list(one.near)) for one in program.problems]
            return
        if result.standing == "live":
            answerer = carrying_out.Answerer(self.store, self.game, self.player, numbered, result, self.now, rng)
            try:
                answerer.carry_out(program)
            except ServiceError as refusal:
                # Whoever refuses has written nothing; what was played before it stands.
                result.questions.append(Question("", refusal.spoken))
        else:
            carrying_out.leave(program, result)
        result.resigning &= result.standing in ("live", "late", "waiting")
        self.say(program.says)

    def resign(self, token: str, program: Program | Problems, rng: random.Random | None) -> None:
        """Resign, if the mail says so again and nothing else; `token` is that of the question."""
        result = self.result
        result.standing = self._standing(None)
        if result.standing in ("resigned", "over", "given_up"):
            return
        if isinstance(program, Problems) or not program.only_resigns:
            result.not_resigned = True
            return
        links.use_once(self.store, token, "resign", self.now)
        turns.carry_out(self.store, self.game, self.seat, [RESIGN], self.now, rng)
        result.standing = "resigned"

    def say(self, texts: Sequence[str]) -> None:
        """Send messages to the table."""
        for text in texts:
            try:
                messages.say(self.store, self.game, self.player, messages.check(text), self.now)
            except ServiceError as refusal:
                self.result.unsaid = refusal.spoken
                self.result.other_text = text[:OFFERED_MAX]
                return
            self.result.said += 1

    def _standing(self, ply: int | None) -> Standing:
        """How it stands with the turn that began at `ply` (None: with whatever turn there is)."""
        if self.game.status != "running":
            return "over" if self.game.status == "finished" else "given_up"
        if self.game.position.players[self.seat].resigned:
            return "resigned"
        if self.game.to_move != self.seat:
            return "waiting"
        if ply is None or sql.row(self.store, _ENDED_SINCE, self.game.id, self.seat, ply) is None:
            return "live"
        return "late"

    def _come_back(self) -> None:
        """Who answers is there: the server plays for them no more."""
        if self.result.standing in ("live", "late", "waiting") and self.game.seats[self.seat].autopilot:
            clock.come_back(self.store, self.game, self.seat)
            self.result.came_back = True


_ENDED_SINCE = "SELECT 1 FROM move WHERE game_id = ? AND seat = ? AND ply > ? AND move = 'end' AND undone_at IS NULL"


def _numbered(store: Store, game: Game, seat: int, claims: links.Claims) -> list[Move]:
    """The moves that the letter offers, in the order of their numbers; none when the position that it showed was taken
    back. Of the position it reads nothing that the letter did not show."""
    ply: int = claims["at"] if "at" in claims else claims["ply"]
    row = claims.get("row")
    if row is not None and row not in (one.id for one in move_log.standing(store, game.id, ply, ply)):
        return []
    if ply == game.ply and game.to_move == seat:
        state = game.position
    else:
        state, _hidden = end_of(loading.first_state(store, game), move_log.log(store, game, last=ply))
    if state.ply != ply or state.active != seat:
        return []
    return [game.rules.parse_move(text) for text in move_choices.numbered(state, seat)]


def _once(
    store: Store,
    claims: links.Claims,
    mail: AnswerMail,
    door: Literal["play", "talk"],
    now: datetime,
    work: Callable[[_Answer], bool],
) -> None:
    """Work on a mail in one transaction, unless that was done before; `work` says whether it is to be answered.

    A mail that is written to both addresses of a table plays and speaks, each once.
    """
    player = _player(store, claims)
    name = sha256(f"{door} {mail.message_id}".encode("utf-8", "replace")).hexdigest()
    with changing(store), speaking(str(player.preferences["language"])):
        game, seat = _seated(claims, player, lambda game_id: loading.for_change(store, game_id))
        request = idempotency.asked(name, player, "answer", game_id=game.id)
        if idempotency.before(store, request) is not None:
            return
        if not db_rate_limits.take(store, "answers", player.id, ANSWERS_AN_HOUR, HOUR, now):
            audit_log.note(store, "answer_beyond_limit", now, player.id, game=game.id)
            return
        result = Result(mail=mail.message_id)
        answered = work(_Answer(store, game, player, seat, mail, now, result))
        idempotency.keep(store, request, {"played": result.played}, now)
        audit_log.note(
            store,
            "answer_received",
            now,
            player.id,
            game=game.id,
            moves=result.played,
            authentication=mail.authentication[:AUTHENTICATION_MAX] or None,
        )
        if answered:
            kind: Kind = "resign_question" if result.resigning else "answer"
            key = f"{kind}:{game.id}:{player.id}:{name[:32]}"
            tell(store, [News(kind, player.id, key, game.id, claims.get("ply"), result.data())], now)


def _player(store: Store, claims: links.Claims) -> Player:
    player = players.player_by_id(store, claims.get("player"))
    if player is None:
        raise BadLinkError
    return player


def _read_ahead(store: Store, claims: links.Claims, mail: AnswerMail) -> _Reading:
    """What the mail says as the game stands now. Raises `BadLinkError`."""
    player = _player(store, claims)
    with speaking(str(player.preferences["language"])):
        with store.read():
            game, seat = _seated(claims, player, lambda game_id: loading.for_reader(store, game_id, player))
            rules, numbered = game.rules, _numbered(store, game, seat, claims)
        return _Reading(rules, numbered, grammar.parse(mail.lines, rules, numbered))


def _seated(claims: links.Claims, player: Player, load: Callable[[str], Game]) -> tuple[Game, int]:
    """The game, and where the player sits. Raises `BadLinkError` when it, or the seat, is gone."""
    try:
        game = load(claims["game"])
    except NotFound:
        raise BadLinkError from None
    seat = game.seat_of(player)
    if seat is None or seat != claims.get("seat", seat) or game.origin == SANDBOX or game.state is None:
        raise BadLinkError
    return game, seat
