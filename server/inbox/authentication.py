"""What the mail server in front of us found out about a sender (RFC 8601), for the audit log.

It is noted, never relied on: the token authorises, and whoever has it may write from anywhere. Everybody can write such
a header; that of the server in front is the topmost, and where `ULM_AUTHSERV_ID` names that server, no other counts.
"""

from __future__ import annotations

import re
from email.message import Message

_METHODS = ("dkim", "spf", "dmarc", "arc")
_RESULT = re.compile(
    r"(?:^|;)\s*(dkim|spf|dmarc|arc)\s*=\s*"
    r"(pass|fail|softfail|neutral|none|policy|temperror|permerror|bestguesspass|hardfail)(?![\w-])",
    re.IGNORECASE,
)
_LONGEST = 4000


def results(headers: Message, authserv_id: str = "") -> str:
    """`dkim=pass spf=pass dmarc=fail`, the words of the standard alone; empty where nothing was found out."""
    for field in headers.get_all("Authentication-Results", [])[:20]:
        text = _without_comments(" ".join(str(field)[:_LONGEST].split()))
        server, _, rest = text.partition(";")
        if authserv_id and (not server.split() or server.split()[0].lower() != authserv_id.lower()):
            continue
        found: dict[str, str] = {}
        for method, result in _RESULT.findall(f";{rest}"):
            # Of several signatures one that is good is enough.
            if found.get(method.lower()) != "pass":
                found[method.lower()] = result.lower()
        return " ".join(f"{method}={found[method]}" for method in _METHODS if method in found)
    return ""


def _without_comments(text: str) -> str:
    """Comments stand in brackets, within each other too; what is in them proves nothing."""
    kept, depth = [], 0
    for letter in text:
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(letter)
    return "".join(kept)
