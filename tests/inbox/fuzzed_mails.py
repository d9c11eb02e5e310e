"""Mails of the corpus, broken in every way that a mail can be: for `test_fuzzed_mails.py`.

Nothing is changed within the own text, so whatever is read has to be what the whole mail means, or some of it, or
nothing.
"""

import base64
import random
import re
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message
from functools import cache

from tests.inbox.corpus import make

Mutation = Callable[[bytes, random.Random], bytes]

CHARSETS = (
    "utf-7", "utf-16", "utf-16le", "utf-32", "unicode_escape", "raw_unicode_escape", "punycode", "idna", "rot13", "hex",
    "base64", "zlib", "bz2", "undefined", "x-unknown", "", "'", "utf-8; x=y", "\xed\xa0\x80", "iso-2022-jp", "hz",
    "cp037", "us-ascii", "utf-8-sig", "mbcs", "string_escape", "ASCII\0", "A" * 5000,
)  # fmt: skip


@cache
def corpus() -> list[tuple[str, bytes]]:
    """The mails that are broken."""
    return [(name, make.corpus()[name][0]) for name in make.MADE]


def _parted(data: bytes) -> tuple[bytes, bytes]:
    head, _, body = data.partition(b"\n\n")
    if b"\r\n\r\n" in data:
        head, _, body = data.partition(b"\r\n\r\n")
    return head, body


def charset(data: bytes, rng: random.Random) -> bytes:
    """Another charset than it is in."""
    name = rng.choice(CHARSETS).encode("latin-1", "replace")
    return re.sub(rb'charset="?[^"\s;]*"?', lambda found: b'charset="' + name + b'"', data)


def encoding(data: bytes, rng: random.Random) -> bytes:
    """Another transfer encoding than it is in."""
    name = rng.choice((b"base64", b"quoted-printable", b"7bit", b"uuencode", b"x-none", b"", b"BASE64 ", b"gzip"))
    return re.sub(rb"(Content-Transfer-Encoding:)[^\n]*", rb"\1 " + name, data)


def header_bytes(data: bytes, rng: random.Random) -> bytes:
    """Any bytes anywhere in the header."""
    head, body = _parted(data)
    broken = bytearray(head)
    for _ in range(rng.randint(1, 20)):
        place = rng.randrange(len(broken))
        broken[place : place + rng.randint(0, 2)] = rng.choice(
            (b"\0", b"\xff", b"\r", b"\n", b":", b";", b'"', b"=?", b"\xed\xa0\x80")
        )
    return bytes(broken) + b"\r\n\r\n" + body


def cut(data: bytes, rng: random.Random) -> bytes:
    """The end is missing, from a line's end on."""
    ends = [found.end() for found in re.finditer(rb"\r?\n\r?\n", data)]
    return data[: rng.choice(ends)] if ends else data


def boundary(data: bytes, rng: random.Random) -> bytes:
    """Boundaries that are missing, doubled, empty, or of another part."""
    found = re.search(rb'boundary="([^"]+)"', data)
    if found is None:
        return data
    mark = b"--" + found[1]
    other = rng.choice((b"", mark + b"\r\n" + mark, mark + b"--", b"--", mark + b" " * 2000, mark[:-1]))
    places = [place.start() for place in re.finditer(re.escape(mark), data)]
    if not places:
        return data
    place = rng.choice(places)
    return data[:place] + other + data[place + len(mark) :]


def nested(data: bytes, rng: random.Random) -> bytes:
    """The mail within many others."""
    head, body = _parted(data)
    kept = b"\r\n".join(
        line for line in head.splitlines() if not line.lower().startswith((b"content-", b" ", b"mime-"))
    )
    depth = rng.choice((1, 3, 8, 11, 30, 300, 3000))
    inner = (_content(head) or b"Content-Type: text/plain") + b"\r\n\r\n" + body
    kind = rng.choice((b"mixed", b"alternative", b"related", b"signed", b"x-odd"))
    heads = [b'Content-Type: multipart/%s; boundary="n%d"' % (kind, level) for level in range(depth)]
    opened = b"\r\n\r\n".join(one + b"\r\n\r\n--n%d" % level for level, one in enumerate(heads)).replace(
        b"\r\n\r\nContent", b"\r\nContent"
    )
    closed = b"\r\n".join(b"--n%d--" % level for level in reversed(range(depth)))
    return kept + b"\r\n" + opened + b"\r\n" + inner + b"\r\n" + closed + b"\r\n"


def _content(head: bytes) -> bytes:
    """The fields that say what a body is."""
    kind = re.search(rb"(?ims)^content-type:.*?(?=^\S|\Z)", head + b"\r\n")
    encoding = re.search(rb"(?im)^content-transfer-encoding:[^\n]*", head)
    return b"\r\n".join(found[0].rstrip() for found in (kind, encoding) if found)


def attached(data: bytes, rng: random.Random) -> bytes:
    """A part beside it that says other moves: a forwarded mail, a file, a picture."""
    kind, disposition = rng.choice((
        ("message/rfc822", "inline"), ("text/plain", 'attachment; filename="moves.txt"'),
        ("text/html", 'inline; filename="moves.html"'), ("image/png", "inline"),
        ("application/octet-stream", "attachment"),
    ))  # fmt: skip
    head, body = _parted(data)
    own = [line for line in head.splitlines() if not re.match(rb"(?i)content-|mime-| |\t", line)]
    part = f"Content-Type: {kind}\r\nContent-Disposition: {disposition}\r\n\r\n".encode()
    part += b"Subject: x\r\n\r\nclear W\r\nresign\r\n"
    return b"\r\n".join([
        *own, b'Content-Type: multipart/mixed; boundary="=_out"', b"", b"--=_out",
        _content(head), b"", body, b"--=_out", part, b"--=_out--", b"",
    ])  # fmt: skip


def many_parts(data: bytes, rng: random.Random) -> bytes:
    """Thousands of parts, or of headers."""
    head, body = _parted(data)
    if rng.random() < 0.5:
        return head + b"\r\n" + b"X-A: b\r\n" * rng.choice((10, 1000, 100_000)) + b"\r\n" + body
    many = b"\r\n--m\r\n\r\nx" * rng.choice((3, 99, 20_000))
    return b'Subject: x\r\nContent-Type: multipart/mixed; boundary="m"\r\n\r\n' + many + b"\r\n--m--\r\n"


def long_lines(data: bytes, rng: random.Random) -> bytes:
    """Megabytes behind it: of one line, of tags that never end, of letters that are decoded."""
    piece = rng.choice(
        (b"x", b"> ", b"<!--", b"<a ", b"=20", b"&#", b"--", b"<div>", b"\0", b"On a <a@b> wrote: ", b"\r\n", b"\xff")
    )
    size = rng.choice((10_000, 300_000, 3_000_000)) if rng.random() < 0.97 else 9_500_000
    return data + b"\r\n" + piece * ((size - len(data)) // len(piece))


def garbage(data: bytes, rng: random.Random) -> bytes:
    """Nothing of it is a mail."""
    if rng.randrange(3):
        return rng.randbytes(rng.randint(0, 3000))
    return b"Content-Type: text/" + rng.choice((b"plain", b"html")) + b"\r\n\r\n" + rng.randbytes(rng.randint(0, 5000))


def line_ends(data: bytes, rng: random.Random) -> bytes:
    """Other line ends."""
    plain = data.replace(b"\r\n", b"\n")
    return plain.replace(b"\n", rng.choice((b"\n", b"\r\n", b"\r\r\n")))


def recoded(data: bytes, rng: random.Random) -> bytes:
    """Each text part in another, right encoding: what is read must stay the same."""
    message = message_from_bytes(data)
    for part in message.walk():
        if part.get_content_maintype() == "text":
            _recode(part, rng)
    return message.as_bytes()


def _recode(part: Message, rng: random.Random) -> None:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return
    text = payload.decode(part.get_content_charset("utf-8"), "replace")
    name = rng.choice(("utf-8", "utf-16", "utf-8"))
    letters = base64.encodebytes(text.encode(name)).decode()
    del part["Content-Transfer-Encoding"]
    part["Content-Transfer-Encoding"] = "base64"
    part.set_param("charset", name)
    part.set_payload(letters)


KEEPING = (recoded, attached)
"""What leaves a mail's meaning as it is."""
BREAKING: tuple[Mutation, ...] = (
    charset, encoding, header_bytes, cut, boundary, nested, many_parts, long_lines, garbage, line_ends, recoded,
)  # fmt: skip


def fuzzed(number: int) -> Iterator[tuple[str, tuple[str, ...], bytes]]:
    """So many broken mails: of which mail each is made, by what, and its bytes. The same at every run."""
    mails = corpus()
    for index in range(number):
        rng = random.Random(index)
        name, data = mails[rng.randrange(len(mails))]
        # What is attached is that only while the header and the boundaries are whole.
        chosen = [attached] if rng.random() < 0.1 else rng.sample(BREAKING, rng.choice((1, 1, 1, 2, 3)))
        chosen.sort(key=lambda one: one is not recoded)  # the library has to parse what it recodes
        for mutation in chosen:
            data = mutation(data, rng)[:9_999_999]
        yield name, tuple(one.__name__ for one in chosen), data
