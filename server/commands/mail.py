"""`ulm mail`: look after mail. The actions are in modules beside this one, what several of them need is here."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from server.commands import CommandError, mail_doctor, mail_queue, mail_receive, mail_test
from server.service.common.errors import ServiceError
from server.settings import Settings

ACTIONS = (mail_queue, mail_receive, mail_doctor, mail_test)
"""Modules with `add_actions(actions)`: each action is a parser whose default `action` is called with the arguments and
the settings, and returns the exit code."""


def add_parser(subparsers: Any) -> None:
    """Add `mail` with its own sub-commands."""
    parser = subparsers.add_parser("mail", help="look after mail")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for module in ACTIONS:
        module.add_actions(actions)
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do one action: 0 done, otherwise as the action says. Raises `CommandError` for what cannot be done."""
    try:
        return int(args.action(args, settings))
    except ServiceError as error:
        raise CommandError(error.message) from error
