"""`ulm admin`, `links`, `replays`, `audit`: what only the operator may do with games, accounts and records."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from datetime import UTC, datetime

from server.commands import (
    JSON,
    CommandError,
    argument,
    command,
    count,
    now,
    number,
    one_of,
    printable,
    say,
    say_fields,
    told,
    with_database,
)
from server.service.accounts import confirming, links
from server.service.admin import banning, handing_over, lookup, recent_errors, resending
from server.service.archive import comments, game_collections, kept_records, replay_lists
from server.service.common import audit_log
from server.service.common.errors import NotFound, ServiceError
from server.service.contests import tournaments
from server.service.outbox import mail_queue
from server.service.play import pause
from server.storage.database import Store

GAME = argument("game", metavar="GAME", help="id of a game")
ACCOUNT = argument("account", metavar="ACCOUNT", help="id of an account")
SURE = argument("--yes", action="store_true", help="do not ask")


def operator() -> str:
    """Who runs this command, as the machine knows them; under sudo whose account that is, too."""
    try:
        import pwd  # not on Windows
    except ImportError:
        return printable(getpass.getuser())
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container without names
        user = f"uid {os.getuid()}"
    behind = os.environ.get("SUDO_USER", "")[:40]
    return printable(f"{behind} as {user}" if behind and os.getuid() == 0 else user)


def _ask(args: argparse.Namespace, what: str) -> None:
    """Ask before what cannot be undone. Raises `CommandError` without a yes."""
    if args.yes:
        return
    if not sys.stdin.isatty():
        raise CommandError(f"{what} Say so by --yes.")
    if input(f"{what} Type yes to do it: ").strip().lower() != "yes":
        raise CommandError("nothing was done")


# --- games and accounts -------------------------------------------------------------------------------------------


@command(
    "admin find",
    "find games and accounts",
    argument("word", metavar="WORD", help="an id, a part of a name, a mail address, the handle of a bot"),
    JSON,
    epilog="example: ulm admin find ann@example.org",
)
@with_database
def find(args: argparse.Namespace, store: Store) -> int:
    """Print accounts and games that fit a word; 1 when none does."""
    if not args.word.strip():
        raise CommandError("give a word to look for")
    found = lookup.find(store, args.word)
    if args.json:
        print(json.dumps(found._asdict()))
        return 0 if any(found) else 1
    for one in found.accounts:
        banned = f"  banned {one['banned_at']}" if one["banned_at"] else ""
        say(f"account  {one['id']:<16}  {one['created_at']}  {one['name']}  {one['email'] or '-'}{banned}")
    for game in found.games:
        say(f"game     {game['id']:<16}  {game['created_at']}  {game['name']}  {game['status']}")
    if lookup.LISTED in (len(found.accounts), len(found.games)):
        print(f"The newest {lookup.LISTED} of each are listed: say more of the name.")
    return 0 if any(found) else told(False, "", "Nothing fits.")


@command(
    "admin show",
    "show a game or an account; no hand and no seed",
    argument("id", metavar="ID", help="id of a game or an account"),
    JSON,
    epilog="example: ulm admin show k3v7mhw2qe9t",
)
@with_database
def show(args: argparse.Namespace, store: Store) -> None:
    """Print a game or an account. Raises `NotFound` when it is neither."""
    for look, fields in ((lookup.game, _game), (lookup.account, _account)):
        try:
            shown = look(store, args.id)
        except NotFound:
            continue
        if args.json:
            print(json.dumps(shown))
        else:
            say_fields(fields(shown))
        return
    raise NotFound(f"there is neither a game nor an account {args.id}; `ulm admin find` looks for names")


def _game(game: lookup.Shown) -> dict[str, object]:
    holder = "the operator; `ulm admin resume` ends it" if game["held"] else "its players"
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
        "paused": None if game["paused_at"] is None else f"{game['paused_at']} by {holder}",
        "bot's turn due": game["bot_due"],
        "mails waiting": game["waiting_mails"] or None,
        "seat": [
            f"{one['seat']}  {one['name'] or 'free'}  {one['bot'] or one['player'] or '-'}"
            + ("  the server plays" if one["autopilot"] else "")
            + ("  wants a pause" if one["wants_pause"] else "")
            for one in game["seats"]
        ],
    }


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
        "ways in": _ways_in(account),
        "plays": [f"{game}  {status}, seat {seat}" for game, status, seat in account["games"]],
    }


def _ways_in(account: lookup.Shown) -> str:
    return f"{count(account['tokens'], 'token', 'tokens')}, {count(account['sessions'], 'session', 'sessions')}"


@command(
    "admin pause",
    "let the clock of a game stand still until it is resumed",
    GAME,
    epilog="example: ulm admin pause k3v7mhw2qe9t",
)
@with_database
def hold(args: argparse.Namespace, store: Store) -> int:
    """1 when it is paused already."""
    begun = pause.hold(store, args.game, now())
    return told(begun, "Its clock stands still until `ulm admin resume`.", "It is paused by the operator already.")


@command("admin resume", "let the clock of a game run again", GAME, epilog="example: ulm admin resume k3v7mhw2qe9t")
@with_database
def resume(args: argparse.Namespace, store: Store) -> int:
    """1 when it is not paused."""
    ended = pause.let_run(store, args.game, now())
    return told(ended, "Its clock runs again, with the time that was left.", "It is not paused by the operator.")


@command(
    "admin hand-over",
    "give a seat of a running game to another account, hand of tiles and all",
    GAME,
    argument("seat", metavar="SEAT", type=int, help="its number, from 0 on"),
    argument("account", metavar="ACCOUNT", help="id of the account that gets it"),
    SURE,
    epilog="example: ulm admin hand-over k3v7mhw2qe9t 2 x7c2mhw2qe9tx4ab",
)
@with_database
def hand_over(args: argparse.Namespace, store: Store) -> None:
    """Ask first, and say who has it then."""
    shown = lookup.game(store, args.game)
    taker = lookup.account(store, args.account)
    has = next((one["name"] for one in shown["seats"] if one["seat"] == args.seat), None) or "nobody"
    sees = f"{taker['name']} will see the hand of {has} in seat {args.seat} of {shown['name']!r} and play it"
    _ask(args, printable(f"{sees}; what was seen cannot be taken back."))
    name = handing_over.hand_over(store, args.game, args.seat, args.account, now())
    say(f"Seat {args.seat} is that of {name} now, who is told by mail when it is to move. Tell the table.")


@command(
    "admin resend",
    "send a mail once more, if it is still true",
    argument("mail", metavar="MAIL", type=number, help="as `ulm mail list` shows it"),
    epilog="example: ulm admin resend 1204",
)
@with_database
def resend(args: argparse.Namespace, store: Store) -> None:
    """Let it be due again."""
    mail_queue.send_again(store, args.mail, now())
    print("It is due again; it is skipped if it is no longer true.")


@command(
    "admin confirmation",
    "send the mail that asks to confirm the address of an account once more",
    ACCOUNT,
    epilog="example: ulm admin confirmation x7c2mhw2qe9tx4ab",
)
@with_database
def confirmation(args: argparse.Namespace, store: Store) -> None:
    """Say where it goes."""
    say(f"A mail that asks to confirm goes to {resending.ask_to_confirm(store, args.account, now())}.")


@command(
    "admin ban",
    "let nobody into an account, end what lets in, and let the server play on for its seats",
    ACCOUNT,
    SURE,
    epilog="example: ulm admin ban x7c2mhw2qe9tx4ab --yes",
)
@with_database
def ban(args: argparse.Namespace, store: Store) -> None:
    """Ask first, and say what became of its games."""
    shown = lookup.account(store, args.account)
    games = count(len(shown["games"]), "game goes", "games go")
    what = f"{_ways_in(shown)} and all links of {shown['name']} will end, and {games} on without them."
    _ask(args, printable(what))
    done = banning.ban(store, args.account, now())
    say(f"{shown['name']} is banned." if done.new else f"{shown['name']} was banned already.")
    bots, left = count(done.bots, "bot goes", "bots go"), count(done.left, "open game was", "open games were")
    print(f"{bots} with it; {left} left; the server plays on in {done.stood_in} running.")


@command(
    "admin unban", "let the player of an account in again", ACCOUNT, epilog="example: ulm admin unban x7c2mhw2qe9tx4ab"
)
@with_database
def unban(args: argparse.Namespace, store: Store) -> int:
    """1 when it is not banned."""
    ended = banning.unban(store, args.account, now())
    return told(ended, "The player may sign in again, by a new link.", "This account is not banned.")


@command(
    "admin remove",
    "take away a comment on a finished game, a collection of games, or a tournament",
    argument(
        "address",
        metavar="ADDRESS",
        help="its address: .../replays/GAME?ply=8#comment-17, .../collections/ID, .../tournaments/ID",
    ),
    SURE,
    epilog="example: ulm admin remove https://ulm.example.org/replays/k3v7mhw2qe9t?ply=8#comment-17",
)
@with_database
def remove(args: argparse.Namespace, store: Store) -> None:
    """Ask first, and say what it was."""
    path, _hash, number = args.address.partition("#comment-")
    of = path.partition("?")[0].rpartition("/")[2]
    _ask(args, "It will be gone, with all that is written in it.")
    if number:
        gone = comments.remove_as_operator(store, of, number, now())["text"]
    elif "tournaments/" in path:
        gone = tournaments.remove_as_operator(store, of, now())
    else:
        gone = game_collections.remove_as_operator(store, of, now())
    say(f"{gone!r} is gone.")


@command(
    "admin errors",
    "show the newest errors that any process has logged",
    argument("--limit", type=number, default=20, metavar="N", help="so many at most (default: 20)"),
    JSON,
    epilog="example: ulm admin errors --limit 5",
)
@with_database
def errors(args: argparse.Namespace, store: Store) -> None:
    """The newest first."""
    found = recent_errors.newest(store, args.limit)
    if args.json:
        print(json.dumps(found))
        return
    for one in found:
        say(f"{one['at']}  {one['process']}  {one['logger']}: {one['message']}")
        if one["cause"] or one["request"]:
            say(f"    {one['cause']}  request={one['request'] or '-'}")
    if not found:
        print("No process has logged an error.")


# --- links, records, the audit log --------------------------------------------------------------------------------


@command("links revoke", "make all links worthless and sign everybody out: after a leak")
@with_database
def revoke(args: argparse.Namespace, store: Store) -> None:
    """For running servers, too."""
    links.revoke_all(store, now())
    print("All links sent before are worthless; all players are signed out.")


@command(
    "links end",
    "end all tokens, sessions and links of accounts: when they were stolen",
    argument("players", nargs="+", metavar="PLAYER", help="id of an account"),
)
@with_database
def end(args: argparse.Namespace, store: Store) -> int:
    """1 when an account is not there."""
    missing = 0
    for player_id in args.players:
        ended = confirming.end_all_access(store, player_id, now())
        all_ended = f"{player_id}: all tokens, sessions and links have ended. Its player signs in by mail."
        missing |= told(ended, all_ended, f"{player_id}: there is no such account.")
    return missing


@command("replays list", "imported records, newest first: id, when, by whom, plies, size, name", JSON)
@with_database
def list_records(args: argparse.Namespace, store: Store) -> None:
    """One line each."""
    found = replay_lists.imported(store)
    if args.json:
        print(json.dumps(found))
        return
    for replay in found:
        given = replay["imported"] or {"by": None, "name": None, "at": ""}
        by = given["name"] or "somebody without an account"
        size = -(-replay["size"] // 1024)
        say(f"{replay['id']}  {given['at']}  {by}  {replay['plies']} plies  {size} kB  {replay['name']}")
    if not found:
        print("No record was imported.")


@command(
    "replays remove", "remove imported records; games played here are refused", argument("ids", nargs="+", metavar="ID")
)
@with_database
def remove_records(args: argparse.Namespace, store: Store) -> int:
    """1 when something could not be removed."""
    failed = 0
    for game_id in args.ids:
        try:
            kept_records.remove_import(store, game_id, now())
            print(f"{game_id}: removed")
        except ServiceError as error:
            failed = 1
            print(f"ulm: {game_id}: {error.message}", file=sys.stderr)
    return failed


def _moment(text: str) -> datetime:
    """A time as an argument, in UTC unless it says otherwise."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time such as 2026-11-01 or 2026-11-01T09:30Z") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


@command(
    "audit",
    "show sign-ins, tokens, addresses, deletions and acts of operators",
    one_of(
        argument("--player", metavar="ID", help="of one account"),
        argument("--address", metavar="ADDRESS", help="of the accounts that have this mail address now"),
    ),
    argument("--since", type=_moment, metavar="TIME", help="from 2026-11-01 or 2026-11-01T09:30Z (UTC) on"),
    argument("--limit", type=number, default=100, metavar="N", help="at most the newest N lines (100)"),
    argument("--json", action="store_true", help="print a JSON object in each line"),
)
@with_database
def audit(args: argparse.Namespace, store: Store) -> int | None:
    """Print the lines, oldest first; 1 when no account has the address."""
    players = [args.player] if args.player else None
    if args.address:
        players = audit_log.accounts_with(store, args.address.strip())
        if not players:
            print("No account has this address now.")
            return 1
    lines = audit_log.listing(store, players, args.since, args.limit)
    for line in lines:
        if args.json:
            print(json.dumps(line))
            continue
        details = " ".join(f"{name}={value}" for name, value in line["details"].items())
        player, network = line["player"] or "-", line["network"] or "-"
        say(f"{line['at']}  {line['what']:<24}  {player:<16}  {network:<18}  {details}".rstrip())
    if not lines and not args.json:
        print("Nothing is noted.")
    return None
