"""`ulm admin`: find a game or an account, show it, and do what only whoever runs the server may."""

from __future__ import annotations

import argparse
import getpass
import sys
from datetime import UTC, datetime
from json import dumps
from typing import Any

from server.commands import CommandError, admin_show
from server.commands.opened import up_to_date
from server.commands.terminal import count, number, printable
from server.service.admin import banning, handing_over, lookup, recent_errors, resending
from server.service.common.errors import ServiceError
from server.service.play import pause
from server.settings import Settings
from server.storage.database import Store

_EXAMPLES = """examples:
  ulm admin find ann@example.org        accounts and games by id, name, address, @handle
  ulm admin show k3v7mhw2qe9tx4ab       one of them, by its id
  ulm admin pause k3v7mhw2qe9t          let the clock of a game stand still; resume ends it
  ulm admin hand-over k3v7mhw2qe9t 2 x7c2mhw2qe9tx4ab     give seat 2 to another account
  ulm admin resend 1204                 send a mail of `ulm mail list` once more
  ulm admin errors                      the newest errors that any process has logged
  ulm admin confirmation x7c2mhw2qe9tx4ab                 ask once more to confirm an address
  ulm admin ban x7c2mhw2qe9tx4ab        end all access, and let the server play on; unban lets them in again

Whatever it changes is a line of `ulm audit`, with the name of the user who did it."""


def add_parser(subparsers: Any) -> None:
    """Add `admin` with its own sub-commands."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = subparsers.add_parser("admin", help="look after games and accounts", epilog=_EXAMPLES, formatter_class=raw)
    parser.set_defaults(module=sys.modules[__name__])
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    def add(name: str, what: str, example: str, action: Any, *arguments: tuple[str, dict[str, Any]]) -> Any:
        made = actions.add_parser(name, help=what, epilog=f"example: ulm admin {example}")
        for argument, how in arguments:
            made.add_argument(argument, **how)
        made.set_defaults(action=action)
        return made

    game = ("game", {"metavar": "GAME", "help": "id of a game"})
    account = ("account", {"metavar": "ACCOUNT", "help": "id of an account"})
    json = ("--json", {"action": "store_true", "help": "print JSON"})
    sure = ("--yes", {"action": "store_true", "help": "do not ask"})
    word = ("word", {"metavar": "WORD", "help": "an id, a part of a name, a mail address, the handle of a bot"})
    add("find", "find games and accounts", "find ann@example.org", admin_show.find, word, json)
    one = ("id", {"metavar": "ID", "help": "id of a game or an account"})
    add("show", "show a game or an account; no hand and no seed", "show k3v7mhw2qe9t", admin_show.show, one, json)
    add("pause", "let the clock of a game stand still until it is resumed", "pause k3v7mhw2qe9t", _pause, game)
    add("resume", "let the clock of a game run again", "resume k3v7mhw2qe9t", _resume, game)
    seat = ("seat", {"metavar": "SEAT", "type": int, "help": "its number, from 0 on"})
    taker = ("account", {"metavar": "ACCOUNT", "help": "id of the account that gets it"})
    hand = "give a seat of a running game to another account, hand of tiles and all"
    add("hand-over", hand, "hand-over k3v7mhw2qe9t 2 x7c2mhw2qe9tx4ab", _hand_over, game, seat, taker, sure)
    mail = ("mail", {"metavar": "MAIL", "type": number, "help": "as `ulm mail list` shows it"})
    add("resend", "send a mail once more, if it is still true", "resend 1204", _resend, mail)
    confirming = "send the mail that asks to confirm the address of an account once more"
    add("confirmation", confirming, "confirmation x7c2mhw2qe9tx4ab", _confirmation, account)
    banning = "let nobody into an account, end what lets in, and let the server play on for its seats"
    add("ban", banning, "ban x7c2mhw2qe9tx4ab --yes", _ban, account, sure)
    limit = ("--limit", {"type": number, "default": 20, "metavar": "N", "help": "so many at most (default: 20)"})
    add("errors", "show the newest errors that any process has logged", "errors --limit 5", _errors, limit, json)
    add("unban", "let the player of an account in again", "unban x7c2mhw2qe9tx4ab", _unban, account)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do one action: 0 done, 1 nothing was found or to be done. Raises `CommandError` for what cannot be done."""
    with up_to_date(settings) as store:
        try:
            return int(args.action(args, store))
        except ServiceError as error:
            raise CommandError(printable(error.message)) from error


def operator() -> str:
    """Who runs this command, as the machine knows them; under sudo whose account that is, too."""
    try:
        import pwd  # not on Windows
    except ImportError:
        return printable(getpass.getuser())
    import os

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


def _pause(args: argparse.Namespace, store: Store) -> int:
    begun = pause.hold(store, args.game, _now())
    print("Its clock stands still until `ulm admin resume`." if begun else "It is paused by the operator already.")
    return 0 if begun else 1


def _resume(args: argparse.Namespace, store: Store) -> int:
    ended = pause.let_run(store, args.game, _now())
    print("Its clock runs again, with the time that was left." if ended else "It is not paused by the operator.")
    return 0 if ended else 1


def _hand_over(args: argparse.Namespace, store: Store) -> int:
    shown = lookup.game(store, args.game)
    taker = lookup.account(store, args.account)
    has = next((one["name"] for one in shown["seats"] if one["seat"] == args.seat), None)
    _ask(
        args,
        printable(
            f"{taker['name']} will see the hand of {has or 'nobody'} in seat {args.seat} of {shown['name']!r} and play "
            "it; what was seen cannot be taken back."
        ),
    )
    name = handing_over.hand_over(store, args.game, args.seat, args.account, _now())
    print(printable(f"Seat {args.seat} is that of {name} now, who is told by mail when it is to move. Tell the table."))
    return 0


def _resend(args: argparse.Namespace, store: Store) -> int:
    resending.send_again(store, args.mail, _now())
    print("It is due again; it is skipped if it is no longer true.")
    return 0


def _confirmation(args: argparse.Namespace, store: Store) -> int:
    print(printable(f"A mail that asks to confirm goes to {resending.ask_to_confirm(store, args.account, _now())}."))
    return 0


def _ban(args: argparse.Namespace, store: Store) -> int:
    shown = lookup.account(store, args.account)
    ways = count(shown["tokens"], "token", "tokens") + ", " + count(shown["sessions"], "session", "sessions")
    games = count(len(shown["games"]), "game goes", "games go")
    _ask(args, printable(f"{ways} and all links of {shown['name']} will end, and {games} on without them."))
    done = banning.ban(store, args.account, _now())
    print(printable(f"{shown['name']} is banned." if done.new else f"{shown['name']} was banned already."))
    bots, left = count(done.bots, "bot goes", "bots go"), count(done.left, "open game was", "open games were")
    print(f"{bots} with it; {left} left; the server plays on in {done.stood_in} running.")
    return 0


def _unban(args: argparse.Namespace, store: Store) -> int:
    ended = banning.unban(store, args.account, _now())
    print("The player may sign in again, by a new link." if ended else "This account is not banned.")
    return 0 if ended else 1


def _errors(args: argparse.Namespace, store: Store) -> int:
    found = recent_errors.newest(store, args.limit)
    if args.json:
        print(dumps(found))
        return 0
    for one in found:
        print(printable(f"{one['at']}  {one['process']}  {one['logger']}: {one['message']}"))
        if one["cause"] or one["request"]:
            print(printable(f"    {one['cause']}  request={one['request'] or '-'}"))
    if not found:
        print("No process has logged an error.")
    return 0


def _now() -> datetime:
    return datetime.now(UTC)
