"""The signs by which mail programs and mail servers are known, from `signs.toml`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

SIGNS: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("signs.toml").read_text("utf-8"))


def pattern(part: str, name: str, form: str = "(?:{})") -> re.Pattern[str]:
    """The entries of a list as alternatives, in place of the braces of `form`."""
    return re.compile(form.replace("{}", "|".join(SIGNS[part][name])), re.IGNORECASE)
