"""The board in the middle of a game, for those who never saw one."""

from __future__ import annotations

import re

from server.board.svg import board_svg
from server.service.views import showcase

_MINSTER = "16 78 536 416"
"""Where in the wide layout tower and square stand: all of the picture that a phone has room for."""


def svg(crop: str, theme: str, code: str) -> str:
    """The picture; `crop` is `whole` or `minster`, `code` a language."""
    drawn = board_svg(showcase.position(), names=showcase.NAMES, layout="wide", theme=theme, language=code)
    return drawn if crop == "whole" else re.sub(r'viewBox="[^"]*"', f'viewBox="{_MINSTER}"', drawn, count=1)
