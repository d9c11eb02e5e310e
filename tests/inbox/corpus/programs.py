"""How mail programs write answers: what they put around the own text, and how they quote the letter below it.

After what these programs really send; names of people, servers and dates are made up.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from html import escape

from tests.inbox.corpus.letters import Quoted

OWN = "anna@example.net"


@dataclass(frozen=True)
class Answer:
    """Bodies of an answer, and how they are packed."""

    text: str | None = None
    html: str | None = None
    charset: str = "utf-8"
    encoding: str = "quoted-printable"
    flowed: bool = False
    mailer: str = ""


def _gmail_by(q: Quoted) -> str:
    return {
        "en": f"On Sun, 22 Nov 2026 at 10:31, {q.mailbox} wrote:",
        "de": f"Am So., 22. Nov. 2026 um 10:31 Uhr schrieb {q.mailbox}:",
        "it": f"Il giorno dom 22 nov 2026 alle ore 10:31 {q.mailbox} ha scritto:",
    }[q.language]


def _apple_by(q: Quoted) -> str:
    return {
        "en": f"On 22 Nov 2026, at 10:31, {q.mailbox} wrote:",
        "de": f"Am 22.11.2026 um 10:31 schrieb {q.mailbox}:",
        "it": f"Il giorno 22 nov 2026, alle ore 10:31, {q.mailbox} ha scritto:",
    }[q.language]


def _thunderbird_by(q: Quoted) -> str:
    return {
        "en": f"On 22/11/2026 10:31, {q.name} wrote:",
        "de": f"Am 22.11.26 um 10:31 schrieb {q.name}:",
        "it": f"Il 22/11/26 10:31, {q.name} ha scritto:",
    }[q.language]


def _fields(q: Quoted, bold: bool = False) -> list[tuple[str, str]]:
    names = {
        "en": ("From", "Sent", "To", "Subject"),
        "de": ("Von", "Gesendet", "An", "Betreff"),
        "it": ("Da", "Inviato", "A", "Oggetto"),
    }[q.language]
    day = {"en": "Sunday, November 22, 2026 10:31 AM", "de": "Sonntag, 22. November 2026 10:31", "it": "domenica 22"}
    values = (q.mailbox, day[q.language], OWN, q.subject)
    return [(f"*{name}:*" if bold else f"{name}:", value) for name, value in zip(names, values, strict=True)]


def _signed(text: str, sign: str = "> ") -> str:
    return "\n".join(f"{sign}{line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _divs(own: str) -> str:
    return "".join(f"<div>{escape(line, quote=False) or '<br>'}</div>" for line in own.split("\n"))


def _inner(q: Quoted) -> str:
    """What is within the body of the letter's HTML."""
    return q.html.partition("<body>")[2].partition("</body>")[0]


def gmail_web(own: str, q: Quoted) -> Answer:
    by = _gmail_by(q)
    return Answer(
        f"{own}\n\n{textwrap.fill(by, 76)}\n\n{_signed(q.text)}\n",
        f'<div dir="ltr">{_divs(own)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr"'
        f' class="gmail_attr">{escape(by)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;'
        f'border-left:1px solid rgb(204,204,204);padding-left:1ex">{_inner(q)}</blockquote></div>',
        mailer="",
    )


def gmail_android(own: str, q: Quoted) -> Answer:
    by = _gmail_by(q)
    return Answer(
        f"{own}\n\n{by}\n\n{_signed(q.text)}\n",
        f'<div dir="auto">{_divs(own)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(by)}'
        f'<br></div><blockquote class="gmail_quote">{_inner(q)}</blockquote></div>',
        encoding="base64",
    )


def apple_mail_mac(own: str, q: Quoted) -> Answer:
    by = _apple_by(q)
    return Answer(
        f"{own}\n\n> {by}\n> \n{_signed(q.text)}\n\n",
        f'<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="'
        f'overflow-wrap: break-word;">{_divs(own)}<div><br><blockquote type="cite"><div>{escape(by)}</div><br class='
        f'"Apple-interchange-newline"><div>{_inner(q)}</div></blockquote></div><br></body></html>',
        mailer="Apple Mail (2.3826.200.121)",
    )


def apple_mail_ios(own: str, q: Quoted) -> Answer:
    sent = {"en": "Sent from my iPhone", "de": "Von meinem iPhone gesendet", "it": "Inviato da iPhone"}[q.language]
    by = _apple_by(q)
    return Answer(
        f"{own}\n\n{sent}\n\n{by}\n\n{_signed(q.text)}\n",
        f'<html><body dir="auto">{_divs(own)}<div dir="ltr"><br></div><div dir="ltr">{sent}</div><div dir="ltr"><br>'
        f'<blockquote type="cite">{escape(by)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">\ufeff'
        f"{_inner(q)}</div></blockquote></body></html>",
        encoding="base64",
        mailer="iPhone Mail (23B85)",
    )


def outlook_desktop(own: str, q: Quoted) -> Answer:
    fields = _fields(q)
    paragraphs = "".join(
        f"<p class=MsoNormal>{escape(line, quote=False) or '&nbsp;'}<o:p></o:p></p>" for line in own.split("\n")
    )
    return Answer(
        f"{own}\n\n" + "\n".join(f"{name} {value}" for name, value in fields) + f"\n\n{q.text}",
        "<html xmlns:o='urn:schemas-microsoft-com:office:office'><head><style><!-- p.MsoNormal {margin:0cm;} -->"
        f"</style></head><body lang=DE><div class=WordSection1>{paragraphs}<p class=MsoNormal><o:p>&nbsp;</o:p></p>"
        '<div style="'
        'border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class=MsoNormal>'
        + "<br>".join(f"<b>{name}</b> {escape(value)}" for name, value in fields)
        + f"<o:p></o:p></p></div>{_inner(q)}</div></body></html>",
        charset="iso-8859-1" if q.language != "de" else "windows-1252",
        mailer="Microsoft Outlook 16.0",
    )


def outlook_web(own: str, q: Quoted) -> Answer:
    fields = _fields(q)
    return Answer(
        f"{own}\n{'_' * 32}\n" + "\n".join(f"{name} {value}" for name, value in fields) + f"\n\n{q.text}",
        f'<html><body dir="ltr"><div class="elementToProof" style="font-size: 12pt;">{_divs(own)}</div>'
        '<hr style="display: inline-block; width: 98%;"><div id="divRplyFwdMsg" dir="ltr"><span>'
        + "<br>".join(f"<b>{name}</b>&nbsp;{escape(value)}" for name, value in fields)
        + f"</span></div><div>{_inner(q)}</div></body></html>",
    )


def outlook_mobile(own: str, q: Quoted) -> Answer:
    get = {
        "en": "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "de": "Outlook für iOS<https://aka.ms/o0ukef> beziehen",
        "it": "Ottieni Outlook per iOS<https://aka.ms/o0ukef>",
    }[q.language]
    fields = _fields(q)
    head = "\n".join(f"{name} {value}" for name, value in fields)
    return Answer(f"{own}\n\n{get}\n{'_' * 32}\n{head}\n\n{q.text}", encoding="base64", mailer="Outlook-iOS/709")


def thunderbird(own: str, q: Quoted) -> Answer:
    return Answer(
        f"{own}\n\n{_thunderbird_by(q)}\n{_signed(q.text)}\n",
        flowed=True,
        encoding="8bit",
        mailer="Mozilla Thunderbird",
    )


def thunderbird_html(own: str, q: Quoted) -> Answer:
    by = _thunderbird_by(q)
    return Answer(
        f"{own}\n\n{by}\n{_signed(q.text)}\n",
        f"<!DOCTYPE html><html><head></head><body><p>{escape(own, quote=False).replace(chr(10), '<br>')}</p>"
        f'<div class="moz-cite-prefix">{escape(by)}<br></div><blockquote type="cite" cite="mid:1@ulm.example.org">'
        f"{_inner(q)}</blockquote><br></body></html>",
        encoding="8bit",
        mailer="Mozilla Thunderbird",
    )


def mutt(own: str, q: Quoted) -> Answer:
    """The answer below what is quoted."""
    by = f"On Sun, Nov 22, 2026 at 10:31:04AM +0100, {q.name} wrote:"
    return Answer(f"{by}\n{_signed(q.text)}\n\n{own}\n\n-- \nAnna\npush S3\n", encoding="8bit", mailer="Mutt/2.2.12")


def mutt_inline(own: str, q: Quoted) -> Answer:
    """The answer within what is quoted, and nothing else left of it but some of the options."""
    lines = _signed(q.text).split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith(">   1. "))
    above, below = "\n".join(lines[first : first + 3]), "\n".join(lines[first + 3 : first + 9])
    by = f"On Sun, Nov 22, 2026 at 10:31:04AM +0100, {q.name} wrote:"
    return Answer(
        f"{by}\n{above}\n\n{own}\n\n{below}\n", charset="iso-8859-15", encoding="8bit", mailer="NeoMutt/20240425"
    )


def k9(own: str, q: Quoted) -> Answer:
    by = {
        "en": f"On 22 November 2026 10:31:04 CET, {q.name} <{q.sender}> wrote:",
        "de": f"Am 22. November 2026 10:31:04 MEZ schrieb {q.name} <{q.sender}>:",
        "it": f"Il 22 novembre 2026 10:31:04 CET, {q.name} <{q.sender}> ha scritto:",
    }[q.language]
    return Answer(f"{own}\n\n{by}\n{_signed(q.text, '>')}\n", mailer="K-9 Mail for Android")


def yahoo(own: str, q: Quoted) -> Answer:
    by = {
        "en": f"On Sunday, 22 November 2026 at 10:31:04 CET, {q.mailbox} wrote:",
        "de": f"Am Sonntag, 22. November 2026 um 10:31:04 MEZ hat {q.mailbox} Folgendes geschrieben:",
        "it": f"Il domenica 22 novembre 2026 alle ore 10:31:04 CET, {q.mailbox} ha scritto:",
    }[q.language]
    return Answer(
        f" {own}\n\n    {by}  \n \n {q.text}  ",
        f'<html><head></head><body><div class="ydp1 yahoo-style-wrap">{_divs(own)}</div><div id="yahoo_quoted_1" class='
        f'"yahoo_quoted"><div>{escape(by)}</div><div><br></div><div>{_inner(q)}</div></div></body></html>',
        mailer="WebService/1.1.24730 YMailNovation",
    )


def gmx(own: str, q: Quoted) -> Answer:
    """HTML alone, as the web mail of GMX and web.de writes it."""
    names = {"en": ("Sent", "From", "To", "Subject"), "de": ("Gesendet", "Von", "An", "Betreff")}
    values = ("Sonntag, 22. November 2026 um 10:31", q.mailbox, OWN, q.subject)
    fields = zip(names.get(q.language, names["de"]), values, strict=True)
    head = "<br/>".join(f"<b>{name}:</b>&nbsp;{escape(value)}" for name, value in fields)
    return Answer(
        None,
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{_divs(own)}<div>&nbsp;</div>'
        f'<div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;"><div>{head}</div>'
        f'<div name="quoted-content">{_inner(q)}</div></div></div></body></html>',
        mailer="GMX Webmail",
    )


def webde_app(own: str, q: Quoted) -> Answer:
    fields = {
        "en": f"From: {q.sender}\nDate: 22.11.26, 10:31\nTo: {OWN}\nSubject: {q.subject}",
        "de": f"Von: {q.sender}\nDatum: 22.11.26, 10:31\nAn: {OWN}\nBetreff: {q.subject}",
        "it": f"Da: {q.sender}\nData: 22.11.26, 10:31\nA: {OWN}\nOggetto: {q.subject}",
    }[q.language]
    app = "-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet."
    return Answer(f"{own}\n{app}\n{fields}\n\n{q.text}", encoding="base64")


def proton(own: str, q: Quoted) -> Answer:
    by = f"On Sunday, November 22nd, 2026 at 10:31 AM, {q.mailbox} wrote:"
    return Answer(
        f"{own}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n{by}\n\n{_signed(q.text)}\n",
        f'<div style="font-family: Arial;">{_divs(own)}</div><div class="protonmail_signature_block">Sent with <a href='
        f'"https://proton.me/">Proton Mail</a> secure email.</div><div class="protonmail_quote">{escape(by)}<br>'
        f'<blockquote class="protonmail_quote" type="cite">{_inner(q)}</blockquote></div>',
        encoding="base64",
    )


def roundcube(own: str, q: Quoted) -> Answer:
    by = {
        "en": f"On 2026-11-22 10:31, {q.name} wrote:",
        "de": f"Am 2026-11-22 10:31, schrieb {q.name}:",
        "it": f"Il 2026-11-22 10:31 {q.name} ha scritto:",
    }[q.language]
    return Answer(f"{own}\n\n{by}\n{_signed(q.text)}\n", flowed=True, mailer="Roundcube Webmail/1.6.9")


def samsung(own: str, q: Quoted) -> Answer:
    kind = {"en": "Original message", "de": "Ursprüngliche Nachricht", "it": "Messaggio originale"}[q.language]
    fields = "\n".join(f"{name} {value}" for name, value in _fields(q))
    return Answer(f"{own}\n\n\n\n-------- {kind} --------\n{fields}\n\n{q.text}", encoding="base64")


def evolution(own: str, q: Quoted) -> Answer:
    by = f"On Sun, 2026-11-22 at 10:31 +0100, {q.name} wrote:"
    return Answer(f"{own}\n\n{by}\n{_signed(q.text)}\n", flowed=True, encoding="8bit", mailer="Evolution 3.54.1")


PROGRAMS: Sequence[Callable[[str, Quoted], Answer]] = (
    gmail_web, outlook_desktop, apple_mail_mac, thunderbird, mutt_inline, yahoo, gmx, outlook_web, apple_mail_ios,
    proton, k9, gmail_android, outlook_mobile, thunderbird_html, mutt, webde_app, roundcube, samsung, evolution,
)  # fmt: skip


def packed(answer: Answer, q: Quoted, number: int) -> bytes:
    """An answer as a raw mail, the same bytes each time."""
    message = EmailMessage(SMTP)
    message["Return-Path"] = f"<{OWN}>"
    message["From"] = f"Anna <{OWN}>"
    message["To"] = f"play+{'abcdefghijklmnopqrstuvwxyz'}@ulm.example.org"
    message["Subject"] = {"en": "Re: ", "de": "AW: ", "it": "R: "}[q.language] + q.subject
    message["Date"] = "Sun, 22 Nov 2026 11:02:17 +0100"
    message["Message-ID"] = f"<answer-{number}@example.net>"
    message["In-Reply-To"] = "<letter-1@ulm.example.org>"
    if answer.mailer:
        message["X-Mailer"] = answer.mailer
    if answer.text is not None:
        _set(message, answer, answer.text, "plain")
        if answer.html is not None:
            message.make_alternative()
            part = EmailMessage(SMTP)
            _set(part, answer, answer.html, "html")
            message.attach(part)
            message.set_boundary(f"=_part_{number}")
    else:
        _set(message, answer, answer.html or "", "html")
    return message.as_bytes()


def _set(message: EmailMessage, answer: Answer, text: str, kind: str) -> None:
    known = text.encode(answer.charset, "replace").decode(answer.charset)
    message.set_content(known, subtype=kind, charset=answer.charset, cte=answer.encoding)
    if answer.flowed and kind == "plain":
        message.set_param("format", "flowed")
