"""How mail programs write answers: fills in `programs.toml`."""

import textwrap
import tomllib
from email.message import EmailMessage
from email.policy import SMTP
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from tests.inbox.corpus.letters import Quoted

_FORMS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("programs.toml").read_text("utf-8"))
PROGRAMS = tuple(_FORMS)
_OWN = "anna@example.net"
_FIELDS = {
    "en": "From: $mailbox\nSent: Sunday, November 22, 2026 10:31 AM\nTo: $me\nSubject: $subject",
    "de": "Von: $mailbox\nGesendet: Sonntag, 22. November 2026 10:31\nAn: $me\nBetreff: $subject",
    "it": "Da: $mailbox\nInviato: domenica 22\nA: $me\nOggetto: $subject",
}


def answered(program: str, own: str, q: Quoted, number: int) -> bytes:
    """An answer to a letter as a raw mail, the same bytes each time."""
    form = {"fields": _FIELDS, "charset": "utf-8", "encoding": "quoted-printable"} | _FORMS[program]
    form = {name: value[q.language] if isinstance(value, dict) else value for name, value in form.items()}
    values = _values(form, own, q)
    message = EmailMessage(SMTP)
    message["Return-Path"] = f"<{_OWN}>"
    message["From"] = f"Anna <{_OWN}>"
    message["To"] = f"play+{'abcdefghijklmnopqrstuvwxyz'}@ulm.example.org"
    message["Subject"] = {"en": "Re: ", "de": "AW: ", "it": "R: "}[q.language] + q.subject
    message["Date"] = "Sun, 22 Nov 2026 11:02:17 +0100"
    message["Message-ID"] = f"<answer-{number}@example.net>"
    message["In-Reply-To"] = "<letter-1@ulm.example.org>"
    if "mailer" in form:
        message["X-Mailer"] = form["mailer"]
    kinds = [kind for kind in ("text", "html") if kind in form]
    part = message
    for kind in kinds:
        if kind != kinds[0]:
            message.make_alternative()
            part = EmailMessage(SMTP)
        _set(part, form, Template(form[kind]).substitute(values), kind)
    if part is not message:
        message.attach(part)
        message.set_boundary(f"=_part_{number}")
    return message.as_bytes()


def _values(form: dict[str, Any], own: str, q: Quoted) -> dict[str, str]:
    """What stands for the names in a form."""
    about = {"mailbox": q.mailbox, "name": q.name, "sender": q.sender, "subject": q.subject, "me": _OWN}
    by, fields = (Template(form.get(name, "")).substitute(about) for name in ("by", "fields"))
    lines = [escape(line, quote=False) for line in own.split("\n")]
    named = [(name, escape(value)) for name, _, value in (field.partition(": ") for field in fields.split("\n"))]
    quoted = _signed(q.text, "> ").split("\n")
    option = next(number for number, line in enumerate(quoted) if line.startswith(">   1. "))
    return {
        "own": own,
        "divs": "".join(f"<div>{line or '<br>'}</div>" for line in lines),
        "breaks": "<br>".join(lines),
        "paragraphs": "".join(f"<p class=MsoNormal>{line or '&nbsp;'}<o:p></o:p></p>" for line in lines),
        "by": by,
        "filled": textwrap.fill(by, 76),
        "escaped": escape(by),
        "added": form.get("added", ""),
        "fields": fields,
        "fields_html": "<br>".join(f"<b>{name}:</b> {value}" for name, value in named),
        "fields_nbsp": "<br>".join(f"<b>{name}:</b>&nbsp;{value}" for name, value in named),
        "fields_xhtml": "<br/>".join(f"<b>{name}:</b>&nbsp;{value}" for name, value in named),
        "letter": q.text,
        "quoted": _signed(q.text, "> "),
        "tight": _signed(q.text, ">"),
        "inner": q.html.partition("<body>")[2].partition("</body>")[0],
        "above": "\n".join(quoted[option : option + 3]),
        "below": "\n".join(quoted[option + 3 : option + 9]),
    }


def _signed(text: str, sign: str) -> str:
    return "\n".join(f"{sign}{line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _set(message: EmailMessage, form: dict[str, Any], text: str, kind: str) -> None:
    known = text.encode(form["charset"], "replace").decode(form["charset"])
    subtype = {"text": "plain", "html": "html"}[kind]
    message.set_content(known, subtype=subtype, charset=form["charset"], cte=form["encoding"])
    if form.get("flowed") and kind == "text":
        message.set_param("format", "flowed")
