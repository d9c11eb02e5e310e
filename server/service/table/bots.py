"""The bots that fill seats, by name. How they think is in `bots`."""

from __future__ import annotations

from bots.rules_of_thumb import Rule, play_random, play_steady

#: Every bot by name.
BOTS: dict[str, Rule] = {"random": play_random, "steady": play_steady}
