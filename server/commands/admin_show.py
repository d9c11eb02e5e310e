"""`ulm admin find` and `show`: what the operator is shown of games and accounts."""

from __future__ import annotations

import argparse
import json

from server.commands import CommandError
from server.commands.terminal import count, printable
from server.service.admin import lookup
from server.service.common.errors import NotFound
from server.storage.database import Store


def find(args: argparse.Namespace, store: Store) -> int:
    """Print accounts and games that fit a word; 1 when none does."""
    if not args.word.strip():
        raise CommandError("give a word to look for")
    found = lookup.find(store, args.word)
    if args.json:
        print(json.dumps(found._asdict()))
    else:
        for one in found.accounts:
            banned = f"  banned {one['banned_at']}" if one["banned_at"] else ""
            _print(f"account  {one['id']:<16}  {one['created_at']}  {one['name']}  {one['email'] or '-'}{banned}")
        for game in found.games:
            _print(f"game     {game['id']:<16}  {game['created_at']}  {game['name']}  {game['status']}")
        if not any(found):
            print("Nothing fits.")
        if lookup.LISTED in (len(found.accounts), len(found.games)):
            print(f"The newest {lookup.LISTED} of each are listed: say more of the name.")
    return 0 if any(found) else 1


def show(args: argparse.Namespace, store: Store) -> int:
    """Print a game or an account. Raises `NotFound` when it is neither."""
    try:
        game = lookup.game(store, args.id)
    except NotFound:
        try:
            account = lookup.account(store, args.id)
        except NotFound:
            raise NotFound(
                f"there is neither a game nor an account {args.id}; `ulm admin find` looks for names"
            ) from None
        _lines(args.json, account, _account(account))
    else:
        _lines(args.json, game, _game(game))
    return 0


def _lines(as_json: bool, value: object, lines: dict[str, object]) -> None:
    if as_json:
        print(json.dumps(value))
        return
    for name, said in lines.items():
        for one in said if isinstance(said, list) else [said]:
            if one is not None:
                _print(f"{name + ':':<16} {one}")


def _game(game: lookup.Shown) -> dict[str, object]:
    paused = None if game["paused_at"] is None else f"{game['paused_at']} by {_who_paused(game)}"
    return {
        "game": game["id"],
        "name": game["name"],
        "status": game["status"] + (", private" if game["private"] else ""),
        "rules": game["ruleset"],
        "made": game["created_at"],
        "started": game["started_at"],
        "finished": game["finished_at"],
        "ply": game["ply"],
        "to move": None if game["to_move"] is None else f"seat {game['to_move']}",
        "clock": "none" if not game["has_clock"] else None,
        "deadline": game["deadline"],
        "paused": paused,
        "bot's turn due": game["bot_due"],
        "mails waiting": game["waiting_mails"] or None,
        "seat": [
            f"{one['seat']}  {one['name'] or 'free'}  {one['bot'] or one['player'] or '-'}"
            + ("  the server plays" if one["autopilot"] else "")
            + ("  wants a pause" if one["wants_pause"] else "")
            for one in game["seats"]
        ],
    }


def _who_paused(game: lookup.Shown) -> str:
    return "the operator; `ulm admin resume` ends it" if game["held"] else "its players"


def _account(account: lookup.Shown) -> dict[str, object]:
    stopped = account["mail_stopped_at"]
    return {
        "account": account["id"],
        "name": account["name"],
        "made": account["created_at"],
        "banned": account["banned_at"],
        "address": account["email"] or "none",
        "confirmed": account["confirmed_at"] or ("never" if account["email"] else None),
        "mail stopped": None if stopped is None else f"{stopped}: {account['mail_stopped_why'] or ''}",
        "a bot of": account["owner"],
        "bots": " ".join(f"@{handle}" for handle in account["bots"]) or None,
        "ways in": ", ".join(
            [count(account["tokens"], "token", "tokens"), count(account["sessions"], "session", "sessions")]
        ),
        "plays": [f"{game}  {status}, seat {seat}" for game, status, seat in account["games"]],
    }


def _print(text: str) -> None:
    print(printable(text))
