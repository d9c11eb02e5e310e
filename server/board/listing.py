"""A view's parts as phrases, shared by the description of the picture and the text board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from server.board.words import Words
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import Score, View
from server.engine.ulm1.tables import COLORS, LEVIES, QUARTERS

Credit = Literal["card", "seal", "seal_at_1", "step"]
Column = Literal["vp", "sparrows", "barge", "cathedral", "trade", "chronicle", "total", "quarters"]
CREDITS: tuple[Credit, ...] = get_args(Credit)
COLUMNS: tuple[Column, ...] = get_args(Column)
_MINUS = "\N{MINUS SIGN}"  # no hyphen, at which a line may break


def ranking(view: View) -> list[int]:
    """Return the seats from the first rank to the last; the game must be over."""
    scores = view["scores"] or []
    return sorted(range(len(scores)), key=lambda seat: (scores[seat]["rank"], seat))


def column(score: Score, name: Column) -> int:
    """Return the number in a column of the final scores; `chronicle` is the sum over its cards."""
    value = score[name]
    return value if isinstance(value, int) else sum(value.values())


def minus(value: int) -> str:
    """Return a number with a true minus where it is negative."""
    return str(value).replace("-", _MINUS)


def sign_of(value: int) -> str:
    """Return a plus or a true minus, before a number other than 0 that is said in words of its own."""
    return "+" if value > 0 else _MINUS


def signed(value: int) -> str:
    """Return a number with its sign, a true minus; 0 has none."""
    return f"+{value}" if value > 0 else minus(value)


def may_play(view: View) -> bool:
    """Say whether the free play of the turn is left, and a card to play (T4)."""
    seat = view["active"]
    return view["turn"]["free_play"] and seat is not None and view["players"][seat]["hand_size"] > 0


def card_colors(rules: Rules, card: str) -> tuple[str, ...]:
    """Return the colours on a card."""
    if card in rules.tops:
        pays = rules.tops[card].pays
        return () if pays is None else (COLORS[pays],)
    return tuple(COLORS[index] for index in rules.cathedral.get(card, ()))


class Edict(NamedTuple):
    """A Tower tile in force, or the next one."""

    name: str
    when: str  # "now" or "next"
    label: str
    effect: str


@dataclass(frozen=True)
class Lister:
    """Makes phrases in one language for one reader."""

    words: Words
    names: Sequence[str]
    seat: int | None
    by_color: bool = False
    """Tiles go by their colours, as where letters stand for these; else by what they do."""

    @property
    def _tiles(self) -> Mapping[str, str]:
        return self.words.colors if self.by_color else self.words.action_names

    def colors(self, colors: Sequence[str]) -> str:
        """Return tiles as a list."""
        return ", ".join(self._tiles[color] for color in colors)

    def counted(self, counts: dict[str, int]) -> str:
        """Return {colour: count} as a list."""
        say = self.words.tinged if self.by_color else self.words.tiles
        found = [say(counts[color], color) for color in COLORS if counts[color]]
        return ", ".join(found) or self.words["nothing"]

    def card(self, card: str) -> str:
        """Return a card with the tiles that its upper effect takes."""
        colors = "/".join(self._tiles[color] for color in card_colors(self.words.rules, card))
        return self.words.card(card) + (f" {colors}" if colors else "")

    def cards(self, cards: Sequence[str]) -> str:
        """Return cards as a list."""
        return ", ".join(map(self.card, cards))

    def coat(self, slot: str) -> str:
        """Return a coat of arms with what it is worth."""
        vp, quarter, later = self.words.rules.coats[slot]
        if quarter is None:
            return f"{slot}: {self.words['silver'].format(vp=vp)}"
        name = self.words.quarters[QUARTERS[quarter]]
        return f"{slot}: {self.words['gold'].format(vp=vp, later=later, quarter=name)}"

    def short_coat(self, slot: str) -> str:
        """Return a coat of arms with what it is worth, in a few characters."""
        vp, quarter, later = self.words.rules.coats[slot]
        more = f", +{later} {self.words.quarters[QUARTERS[quarter]]}" if quarter is not None else ""
        return f"{slot}: {vp} {self.words['vp']}{more}"

    def phrase(self, view: View) -> str:
        """Return what the active player is about to do, with `{}` where the name stands."""
        if view["pending"]:
            return self.words.pending[view["pending"][-1]["kind"]]
        return self.words.phases[view["phase"]]

    def turn(self, view: View) -> str:
        """Return what the active player is about to do, and with what."""
        words, turn, active = self.words, view["turn"], view["active"]
        said = []
        if turn["tiles"]:
            said.append(f"{words['in_hand']} {self.colors(turn['tiles'])}")
        if turn["slot"]:
            said.append(words["pushed"].format(turn["slot"]))
        if any(turn["activated"].values()):
            said.append(f"{words['activated']} {self.counted(turn['activated'])}")
        said += [text for _, text in (*self.rights(view), *self.waiting(view))]
        sentence = self.phrase(view).format("" if active is None else self.names[active])
        return sentence + (": " + "; ".join(said) if said else "")

    def rights(self, view: View) -> list[tuple[str, str]]:
        """Return credits and once-rights of the turn, each with its icon."""
        words, turn = self.words, view["turn"]
        said = []
        for credit in CREDITS:
            if count := turn["credits"][credit]:
                icon = {"card": "card", "step": "step"}.get(credit, "wax")
                said.append((icon, (f"{count} × " if count > 1 else "") + words[f"credit_{credit}"]))
        said += [("card", words["free_play"])] if may_play(view) else []
        said += [("bag", words["patrician"])] if turn["patrician"] else []
        if view["tower"] and view["tower"][view["round"] - 1] in LEVIES:
            said.append(("coin", words["levy_paid" if turn["levy_paid"] else "levy_due"]))
        return said

    def waiting(self, view: View) -> list[tuple[str, str]]:
        """Return how far the barge may go, and the choices that wait beneath the pending one, each with its icon."""
        if not view["pending"]:
            return []
        words, (*below, choice) = self.words, view["pending"]
        said = [("boat", words["max_steps"].format(choice["max"]))] if "max" in choice else []
        waiting = [words.pending[each["kind"]].format("").strip() for each in reversed(below)]
        return said + [("flag", f"{words['then']}: {text}") for text in waiting]

    def edicts(self, view: View) -> list[Edict]:
        """Return the Tower tiles in force and next, in the advanced game."""
        words, shown = self.words, view["tower"][view["round"] - 1 :]
        return [
            Edict(name, when, f"{words[when]}: {words.tower[name]}", words.tower_effects[name])
            for when, name in zip(("now", "next"), shown, strict=False)
        ]

    def tower(self, view: View) -> list[str]:
        """Return the same, each as a sentence."""
        return [f"{edict.label}, {edict.effect}." for edict in self.edicts(view)]

    def offer(self, view: View, short: bool = False) -> str:
        """Return the cards or coats that the reader may choose from; empty when there are none to be seen."""
        choice = view["pending"][-1] if view["pending"] else None
        offer = choice.get("offer", []) if choice else []
        return (
            "; ".join(map(self.short_coat if short else self.coat, offer))
            if choice and choice["kind"] == "coat"
            else self.cards(offer)
        )

    def hand(self, view: View) -> str:
        """Return the reader's own hand."""
        hands = [player["hand"] for player in view["players"] if "hand" in player]
        return self.cards(hands[0]) if hands else ""

    def notes(self, view: View, seat: int, short: bool = False) -> str:
        """Return what is to be said of a seat beside its name."""
        words = self.words
        notes = [words["you"]] if self.seat == seat else []
        notes += [words["t_start" if short else "start"]] if view["start"] == seat and view["scores"] is None else []
        notes += [words["resigned"]] if view["players"][seat]["resigned"] else []
        return ", ".join(notes)

    def winners(self, view: View) -> str:
        """Return who won, without a stop."""
        words = self.words
        names = [self.names[seat] for seat, score in enumerate(view["scores"] or []) if score["rank"] == 1]
        if len(names) == 1:
            return words["wins"].format(names[0])
        return words["share"].format(f"{', '.join(names[:-1])} {words['and']} {names[-1]}")

    def belongings(self, view: View, seat: int) -> list[str]:
        """Return coats, Descendants, table cards and open hand of a seat, at the end also its Chronicle points."""
        words, player, name = self.words, view["players"][seat], self.names[seat]
        said = []
        if player["descendants"]:
            effects = words.descendant_effects
            people = "; ".join(f"{words.descendants[one]} ({effects[one]})" for one in player["descendants"])
            said.append(f"{name}: {people}")
        if player["coats"]:
            said.append(f"{name}, {words['coats']}: {'; '.join(map(self.coat, player['coats']))}")
        said += [f"{name}, {words[kind]}: {self.cards(player[kind])}" for kind in ("table", "hand") if player.get(kind)]
        if view["scores"] and view["scores"][seat]["chronicle"]:
            points = ", ".join(f"{words.card(card)} {vp}" for card, vp in view["scores"][seat]["chronicle"].items())
            said.append(f"{name}, {words['score_chronicle']}: {points}")
        return said
