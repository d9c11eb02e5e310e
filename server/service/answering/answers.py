"""Answers to mails: one transaction for each, with all that it asks for and its one answer in the outbox. So a mail can
be given here again, and nothing is done twice. The token says who may do what; From is not even known here."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
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
from server.service.answering.carrying_out import Answer
from server.service.answering.results import Question, Result, Standing
from server.service.chat import messages
from server.service.common import audit_log, db_rate_limits, idempotency
from server.service.common.errors import NotFound, ServiceError
from server.service.common.quotas import ANSWERS_AN_HOUR, HOUR
from server.service.explain import move_choices
from server.service.games import clock, loading, move_log
from server.service.games.model import SANDBOX, Game
from server.service.games.saving import changing
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import Kind, News
from server.service.play import turns
from server.storage import sql
from server.storage.database import Store

OFFERED_MAX = 1000  # so much of what else a person wrote is offered as a message to the table
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
    """Do once what an answer to the mail with `token` asks for, and answer it. `rng` is the bots' chance. Raises
    `BadLinkError` for a token that is good for nothing (any more), and the errors of the store."""
    found = links.find(store, token)
    purpose = "" if found is None else found[0]
    if purpose not in ("turn", "resign"):
        raise BadLinkError
    claims = links.read(store, token, purpose, now=now)
    # Read before the transaction: a long mail takes a while, and nobody is to wait for that.
    reading = _Reading(rulesets.NEWEST, [], grammar.parse(mail.lines)) if purpose == "resign" else None
    reading = reading or _read_ahead(store, claims, mail)

    def work(answer: Answer) -> bool:
        links.read(store, token, purpose, now=now)  # it may have ended while the mail was read
        if purpose == "resign":
            _resign(answer, token, reading.program)
        else:
            _play(answer, claims, mail, reading)
        return True

    _once(store, claims, mail, "play", now, rng, work)


def receive_message(
    store: Store, token: str, mail: AnswerMail, now: datetime, rng: random.Random | None = None
) -> None:
    """Send what somebody answered to a message to its game; only a failure is answered. Raises as `receive`."""
    claims = links.read(store, token, "talk", now=now)

    def work(answer: Answer) -> bool:
        links.read(store, token, "talk", now=now)  # it may have ended meanwhile
        _say(answer, [mail.text])
        return bool(answer.result.unsaid)

    _once(store, claims, mail, "talk", now, rng, work)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a mail says, read under these rules, with these moves for its numbers."""

    rules: Rules
    numbered: list[Move]
    program: Program | Problems


def _play(answer: Answer, claims: links.Claims, mail: AnswerMail, ahead: _Reading) -> None:
    """Do what the lines say about the turn of these claims; read anew only where it has changed since `ahead`."""
    result, game = answer.result, answer.game
    answer.numbered = _numbered(answer.store, game, answer.seat, claims)
    same = (ahead.rules.name, ahead.numbered) == (game.rules.name, answer.numbered)
    program = ahead.program if same else grammar.parse(mail.lines, game.rules, answer.numbered)
    result.standing = _standing(answer, claims["ply"])
    if result.standing in ("live", "late", "waiting") and game.seats[answer.seat].autopilot:
        clock.come_back(answer.store, game, answer.seat)  # who answers is there
        result.came_back = True
    result.other_text = program.other_text[:OFFERED_MAX]
    if isinstance(program, Problems):
        result.questions = [Question(one.line, one.why, list(one.near)) for one in program.problems]
        return
    if result.standing == "live":
        try:
            answer.carry_out(program)
        except ServiceError as refusal:
            # Whoever refuses has written nothing; what was played before it stands.
            result.questions.append(Question("", refusal.spoken))
    else:
        carrying_out.leave(program, result)
    result.resigning &= result.standing in ("live", "late", "waiting")
    _say(answer, program.says)


def _resign(answer: Answer, token: str, program: Program | Problems) -> None:
    """Resign, if the mail says so again and nothing else; `token` is that of the question."""
    result = answer.result
    result.standing = _standing(answer, None)
    if result.standing in ("resigned", "over", "given_up"):
        return
    if isinstance(program, Problems) or not program.only_resigns:
        result.not_resigned = True
        return
    links.use_once(answer.store, token, "resign", answer.now)
    turns.carry_out(answer.store, answer.game, answer.seat, [RESIGN], answer.now, answer.rng)
    result.standing = "resigned"


def _say(answer: Answer, texts: Sequence[str]) -> None:
    """Send messages to the table."""
    for text in texts:
        try:
            messages.say(answer.store, answer.game, answer.player, messages.check(text), answer.now)
        except ServiceError as refusal:
            answer.result.unsaid = refusal.spoken
            answer.result.other_text = text[:OFFERED_MAX]
            return
        answer.result.said += 1


def _standing(answer: Answer, ply: int | None) -> Standing:
    """How it stands with the turn that began at `ply` (None: with whatever turn there is)."""
    game, seat = answer.game, answer.seat
    if game.status != "running":
        return "over" if game.status == "finished" else "given_up"
    if game.position.players[seat].resigned:
        return "resigned"
    if game.to_move != seat:
        return "waiting"
    if ply is None or sql.row(answer.store, _ENDED_SINCE, game.id, seat, ply) is None:
        return "live"
    return "late"


_ENDED_SINCE = "SELECT 1 FROM move WHERE game_id = ? AND seat = ? AND ply > ? AND move = 'end' AND undone_at IS NULL"


def _numbered(store: Store, game: Game, seat: int, claims: links.Claims) -> list[Move]:
    """The moves that the letter offers, by their numbers; none when the position that it showed was taken back."""
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
    rng: random.Random | None,
    work: Callable[[Answer], bool],
) -> None:
    """Work on a mail in one transaction, once; `work` says whether it is to be answered."""
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
        answered = work(Answer(store, game, player, seat, now, rng, result))
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
