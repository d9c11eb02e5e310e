"""What a browser is, in two words, for the list of sessions: `Firefox, Linux`.

Names alone, so that they are the same in every language; of the rest of the header nothing is kept. A library
that knows every browser would cost 6 MB of memory for this.
"""

from __future__ import annotations

# The first that is found counts: each browser also names those before it in history.
_BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Opera", "Opera"), ("Vivaldi", "Vivaldi"),
    ("SamsungBrowser", "Samsung Internet"), ("DuckDuckGo", "DuckDuckGo"),
    ("FxiOS", "Firefox"), ("Firefox", "Firefox"), ("CriOS", "Chrome"),
    ("Chromium", "Chromium"), ("HeadlessChrome", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
    ("curl", "curl"), ("Lynx", "Lynx"), ("w3m", "w3m"),
)  # fmt: skip
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"), ("Macintosh", "macOS"), ("Linux", "Linux"), ("BSD", "BSD"),
)  # fmt: skip


def device(user_agent: str) -> str:
    """Browser and system that a `User-Agent` header names, "" when it names none that is known."""
    found = [next((name for word, name in known if word in user_agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, found))
