"""A mail in HTML as lines of text, what it quotes with `> ` before it; nothing hidden is read. The library's parser
takes nine seconds for 60 kB of `<a b="` (Python 3.11); this one looks at each byte a few times at most."""

from __future__ import annotations

import re
from html import unescape

from server.inbox.limits import TEXT
from server.inbox.signs import SIGNS, pattern

_DEEPEST = 150  # elements within each other that are kept account of
_TAG_MOST = 8000
_TAG = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9:]{0,30})((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>""")
_ATTRIBUTE = re.compile(r"""(?<![a-zA-Z-])([a-zA-Z-]{1,30}+)\s*+=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_RAW_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title")}
_QUOTED_VALUE = re.compile(r""""[^"]*"|'[^']*'""")
_ENDLESS_REFERENCE = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
"""No letter has such a number, and the library raises for thousands of digits."""
_BLANKS = re.compile(r"[ \t\r\n\f]+")

_VOID, _UNSEEN, _BLOCKS, _APART, _STRUCK = (
    frozenset(SIGNS["html"][name]) for name in ("void", "unseen", "blocks", "apart", "struck")
)
_HIDDEN = pattern("html", "hidden")
_QUOTE_CLASS = pattern("html", "quote_class", r"(^|[\s_])({})(\s|$)")
_QUOTE_ID, _TAIL_ID = (pattern("html", name, "(^|_)({})") for name in ("quote_id", "tail_id"))


def lines(html: str) -> list[str]:
    """The lines of `html` as a reader sees them."""
    reader = _Reader()
    html = html[:TEXT]
    place = 0
    while place < len(html):
        start = html.find("<", place)
        if start < 0:
            reader.text(html[place:])
            break
        if start > place:
            reader.text(html[place:start])
        place = reader.markup(html, start)
    return reader.lines()


class _Reader:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []  # name, hidden, quoted
        self._hidden = self._quoted = self._pre = 0
        self._tail = False

    def lines(self) -> list[str]:
        self._end_line()
        return self._lines

    def markup(self, html: str, start: int) -> int:
        """Read what begins with `<` at `start`; where it ends."""
        if html.startswith("<!--", start):
            end = html.find("-->", start)
            return len(html) if end < 0 else end + 3
        if html.startswith(("<!", "<?"), start):
            end = html.find(">", start)
            return len(html) if end < 0 else end + 1
        found = _TAG.match(html, start, start + _TAG_MOST)
        if found is None:
            self.text("<")
            return start + 1
        closing, name, rest = found[1], found[2].lower(), found[3]
        if closing:
            self._close(name)
        else:
            self._open_tag(name, rest)
            if name in _RAW_ENDS and not rest.endswith("/"):
                after = _RAW_ENDS[name].search(html, found.end())
                self._close(name)
                return after.start() if after else len(html)
        return found.end()

    def text(self, text: str) -> None:
        if self._hidden:
            return
        said = unescape(_ENDLESS_REFERENCE.sub("\ufffd", text))
        if self._pre:
            first, *others = said.split("\n")
            self._line.append(first)
            for other in others:
                self._break()
                self._line.append(other)
        else:
            self._line.append(_BLANKS.sub(" ", said))

    def _open_tag(self, name: str, rest: str) -> None:
        attributes = {found[1].lower(): found[2] or found[3] or found[4] or "" for found in _ATTRIBUTE.finditer(rest)}
        if _TAIL_ID.search(attributes.get("id", "").lower()):
            self._end_line()
            self._tail = True
        if name == "br":
            self._break()
        elif name in ("td", "th"):
            self._line.append(" ")
        elif name in _BLOCKS:
            self._apart(name)
        if name in _STRUCK and not self._hidden:
            self._line.append("~")
        if name in _VOID or len(self._open) >= _DEEPEST:
            return
        style = re.sub(r"\s+", "", attributes.get("style", "").lower())
        hidden = name in _UNSEEN or _HIDDEN.search(style) is not None or "hidden" in _QUOTED_VALUE.sub("", rest).split()
        quoted = name == "blockquote" or self._is_quote(attributes)
        if quoted and not self._quoted:
            self._end_line()
        self._open.append((name, hidden, quoted))
        self._hidden += hidden
        self._quoted += quoted
        self._pre += name == "pre"

    @staticmethod
    def _is_quote(attributes: dict[str, str]) -> bool:
        return (
            _QUOTE_CLASS.search(attributes.get("class", "").lower()) is not None
            or _QUOTE_ID.search(attributes.get("id", "").lower()) is not None
            or attributes.get("name", "").lower() == "quote"
            or attributes.get("type", "").lower() == "cite"
        )

    def _close(self, name: str) -> None:
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place][0] == name:
                break
        else:
            if name in _BLOCKS:
                self._end_line()
            return
        if name in _STRUCK and not self._hidden:
            self._line.append("~")
        if name in _BLOCKS or any(quoted for _, _, quoted in self._open[place:]):
            self._apart(name)
        for inner, hidden, quoted in self._open[place:]:
            self._hidden -= hidden
            self._quoted -= quoted
            self._pre -= inner == "pre"
        del self._open[place:]

    def _apart(self, name: str) -> None:
        self._end_line()
        if name in _APART and self._lines and self._lines[-1].strip("> "):
            self._lines.append("> " if self._quoted or self._tail else "")

    def _end_line(self) -> None:
        if "".join(self._line).strip():
            self._break()
        self._line.clear()

    def _break(self) -> None:
        text = "".join(self._line)
        text = text.rstrip() if self._pre else text.strip()
        self._lines.append(f"> {text}" if self._quoted or self._tail else text)
        self._line.clear()
