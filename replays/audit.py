#!/usr/bin/env python3
"""Audit the shuffle of a finished Ulm game on your own machine: python3 audit.py GAME.ulm.json

This file needs Python and nothing else, and shares no line with the server: it is short so that you can read it. It
tells whether the server's secret is the one it had promised before the seats were taken (compare the commitment with
the one you noted then), makes the seed of the game from that secret and the texts of the players (look for your own),
and from the seed deals the game anew: start player, piles, grid, first tiles, Tower tiles. Written from docs/record.md,
sections 1, 4 and 5. Exit code: 0 all is as it was promised, 1 it is not, 2 the file is no record.
"""

import hashlib
import hmac
import json
import sys

COLORS = "gray white brown turquoise orange".split()
CARDS = [f"{kind}-{n}" for kind in ("nave", "choir", "steeple") for n in (1, 2, 3)]
CARDS += [f"{kind}-{color}" for kind in ("fustian", "works_of_art", "commercial_goods") for color in COLORS]
CARDS += """first_chronicle city_wall construction_freeze fisherman_jousting patrician reformation siege swabian_league
            ulm_sparrow""".split()
DESCENDANTS = "abbot scholar mint_master city_guard builder merchant councilman barge_driver".split()
COATS = [side + number for side in "NESW" for number in "123"]
GRID = "gray gray white white brown turquoise turquoise orange orange".split()
TOWER = """extra_river extra_money card_for_coin card_for_tile free_seal cheap_seal dear_seal tile_levy coin_levy
           keep_pushed pick_tile long_reach""".split()
NO_RECORD = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # what `audit` raises
QUARTERS = "leaning_house oath_house town_hall reichenauer_hof goose_tower tillage garden shipyard".split()


class Chance:
    """The stream of numbers that a seed stands for."""

    def __init__(self, seed: bytes) -> None:
        self.seed, self.counter = seed, 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        if n == 1:
            return 0
        while True:
            number = hmac.new(self.seed, self.counter.to_bytes(8, "big"), hashlib.sha256).digest()[:8]
            self.counter += 1
            if int.from_bytes(number, "big") < 2**64 - 2**64 % n:
                return int.from_bytes(number, "big") % n

    def shuffle(self, items: list[str]) -> list[str]:
        """A shuffled copy."""
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def draw(self, bag: dict[str, int]) -> str:
        """A tile out of the bag, which has then one less."""
        number = self.below(sum(bag.values()))
        for color in COLORS:
            if number < bag[color]:
                bag[color] -= 1
                return color
            number -= bag[color]
        raise AssertionError("the bag holds less than it holds")


def counts(**some: int) -> dict[str, int]:
    """A number for each colour."""
    return {color: some.get(color, 0) for color in COLORS}


def setup(seed: bytes, players: int, options: dict, ruleset: str = "ulm/1", early_seal: bool = True) -> dict:
    """The position at ply 0, as docs/record.md section 4 writes it down; `early_seal`: docs/rules.md R2."""
    chance = Chance(seed)
    start = chance.below(players)
    pile, descendants, coats = chance.shuffle(CARDS), chance.shuffle(DESCENDANTS)[:4], chance.shuffle(COATS)
    grid = chance.shuffle(GRID)
    bag = {color: 10 - 1 - grid.count(color) for color in COLORS}
    tiles = [counts(**{chance.draw(bag): 1}) for _ in range(players)]
    tower = chance.shuffle(TOWER)[:10]
    return {
        "ruleset": ruleset, "options": options, "ply": 0, "round": 1, "phase": "draw", "start": start, "active": start,
        "chance": chance.counter, "grid": [grid[0:3], grid[3:6], grid[6:9]], "outer": {},
        "docks": dict.fromkeys(COLORS, 1), "bag": bag, "pile": pile, "discard": [], "coats": coats,
        "coat_seals": {}, "crests": {}, "quarters": {quarter: [] for quarter in QUARTERS}, "descendants": descendants,
        "tower": tower, "pending": [], "scores": None,
        "players": [
            {"vp": 5, "coins": 2, "sparrows": 2, "tiles": own, "seals": 12, "crests": 3, "barge": 1, "descendants": [],
             "coats": [], "hand": [], "table": [], "played": 0, "resigned": False} for own in tiles],
        "turn": {
            "tiles": [], "slot": None, "activated": counts(), "free_play": True, "swapped": False, "exchanged": False,
            "salvaged": False, "levy_paid": False, "patrician": False,
            "credits": {"card": 0, "seal": int(early_seal and options["tower"] and tower[0] == "free_seal"),
                        "seal_at_1": 0, "step": 0}},
    }  # fmt: skip


def digest(state: dict) -> str:
    """The fingerprint by which records name a position."""
    text = json.dumps(state, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def audit(record: dict) -> tuple[list[str], bool]:
    """Return the lines to print and whether everything is right. Raises an error when `record` is none."""
    name, dash, tail = record["ruleset"].rpartition("-")  # with other values either has a name like ulm-box/1-177e3bfe
    known = {"ulm/1": [True], "ulm/2": [False]}  # whether the seal of free_seal is there when the first turn begins
    if record["ruleset"] not in known and not (dash and "/" in name and len(tail) == 8 and tail.isalnum()):
        raise ValueError("this file knows the rulesets ulm/1 and ulm/2, and the values of somebody's own box in them")
    server, clients = bytes.fromhex(record["seed"]["server"]), record["seed"]["clients"]
    players, options = len(clients), {name: record["options"][name] for name in ("rotate_start", "tower")}
    if not (2 <= players <= 4 and len(record["players"]) == players and len(server) == 32):
        raise ValueError("a game has 2 to 4 seats and a secret of 32 bytes")
    if any("\0" in text or len(text) > 64 for text in clients):
        raise ValueError("the text of a seat has at most 64 characters and no U+0000")
    promised, found = record["seed"]["commitment"], hashlib.sha256(server).hexdigest()
    seed = hashlib.sha256(b"\0".join([server, *(text.encode() for text in clients)])).digest()
    written = record["digests"].get("0")
    for early in known.get(record["ruleset"], [True, False]):  # an own box does not say of which of them it is
        state = setup(seed, players, options, record["ruleset"], early)
        if (own := digest(state)) == written:
            break
    promised, written = (str(text)[:64].encode("ascii", "replace").decode() for text in (promised, written))
    if not (promised + written).isalnum():
        raise ValueError("a commitment and a digest are hex digits")
    lines = [
        f"commitment promised    {promised}",
        f"commitment recomputed  {found}  {'the same' if found == promised else 'ANOTHER: the secret was changed'}",
        *(f"text of seat {seat}         {text!r}" for seat, text in enumerate(clients)),
        f"seed of the game       {seed.hex()}",
        f"start player           seat {state['start']}",
        f"draw pile, top first   {' '.join(reversed(state['pile']))}",
        f"Oath House             {' '.join(state['descendants'])}",
        f"coats, top first       {' '.join(reversed(state['coats']))}",
        *(f"grid, row {number}            {' '.join(row)}" for number, row in enumerate(state["grid"], 1)),
        *(f"first tile of seat {seat}   {color}" for seat, player in enumerate(state["players"])
          for color in COLORS if player["tiles"][color]),
        f"Tower tiles, by round  {' '.join(state['tower'])}",
        f"numbers used           {state['chance']}",
        f"digest in the record   {written}",
        f"digest recomputed      {own}  {'the same' if own == written else 'ANOTHER: not the setup of this seed'}",
    ]  # fmt: skip
    good = found == promised and own == written
    lines.append("The setup is the one that was promised." if good else "THE SETUP IS NOT THE ONE THAT WAS PROMISED.")
    return lines, good


def reason(error: Exception) -> str:
    """What is wrong with a file, in a few words."""
    if isinstance(error, OSError):
        return error.strerror or "it cannot be read"
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8; unpack it first if it is packed"
    if isinstance(error, KeyError):
        return f"{error} is missing"[:100]
    return ascii(str(error)[:200]) if isinstance(error, ValueError) else "its parts are not those of a record"


def main(argv: list[str]) -> int:
    """Audit the file that the command line names."""
    if len(argv) != 2:
        print("usage: python3 audit.py GAME.ulm.json")
        return 2
    try:
        with open(argv[1], encoding="utf-8") as file:
            lines, good = audit(json.loads(file.read(4_000_000)))
    except (OSError, *NO_RECORD) as error:
        print(f"{argv[1]}: not a record that can be audited: {reason(error)}")
        return 2
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
