"""A game as its recipient sees it, read in one transaction, and the parts of mails that are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from server.board.describe import description
from server.board.listing import COLUMNS, Lister, column, ranking, signed
from server.board.svg import board_svg, canvas_for
from server.board.text import board_text
from server.board.words import words_of
from server.engine.sentences import listing
from server.engine.state import State
from server.engine.tables import COLORS, SPACE_VALUE
from server.engine.view import view
from server.notify import pictures
from server.notify.letter import Item, Picture, Section
from server.notify.notice import Notice, Skip
from server.service import story
from server.service.accounts import Player
from server.service.errors import NotFound
from server.service.story import Story, Told
from server.service.table import Table, load
from server.settings import Settings
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class Seen:
    """A game that has started, for one seat's eyes."""

    table: Table
    seat: int
    story: Story
    state: State
    view: dict[str, Any]
    names: list[str]

    @property
    def own(self) -> dict[str, Any]:
        """What lies before the recipient."""
        own: dict[str, Any] = self.view["players"][self.seat]
        return own


def look(store: Store, notice: Notice) -> Seen | Skip:
    """The game of a notice as its recipient may see it. `Skip` when it or the seat in it is gone."""
    table = seat_at(store, notice)
    if isinstance(table, Skip):
        return table
    found, seat, told = table
    if told is None or found.state is None:
        return Skip("the game has not started")
    state = found.seen_by(seat)
    return Seen(found, seat, told, state, view(state, seat), story.names_of(found))


def seat_at(store: Store, notice: Notice) -> tuple[Table, int, Story | None] | Skip:
    """The table of a notice, where its recipient sits, and the story when there is one as yet."""
    if notice.game_id is None or notice.player_id is None:
        return Skip("the notice names no game")
    reader = Player(notice.player_id, "")
    with store.read():
        try:
            table = load(store, notice.game_id, reader=reader)
        except NotFound:
            return Skip("the game is gone")
        seat = table.seat_of(reader)
        if seat is None:
            return Skip("the player has left the game")
        return table, seat, None if table.state is None else story.tell(store, table, seat)


def picture(settings: Settings, seen: Seen) -> Picture:
    """The board for the recipient's eyes."""
    # Letters beyond ASCII in names are transcribed: not every terminal that shows mail can show them in columns.
    text = board_text(seen.view, seat=seen.seat, names=seen.names, ascii=True)
    png = None
    if settings.mail_pictures:
        svg = board_svg(seen.view, seat=seen.seat, names=seen.names, size=settings.mail_picture_width)
        png = pictures.png(settings, svg)
    return Picture(text, png, description(canvas_for(seen.view, seen.seat, seen.names), seen.view))


def happened(seen: Seen, told: list[Told], title: str) -> Section | None:
    """What happened, a paragraph for each player's moves in a row; None for nothing."""
    paragraphs: list[str] = []
    last: tuple[int, bool] | None = None
    for one in told:
        text = " ".join(one.sentences)
        if last == (one.seat, one.automatic):
            paragraphs[-1] += " " + text
        else:
            # Who it was the sentences say; that it was not the player's own doing they do not.
            stand_in = f"The server played for {seen.names[one.seat]}, whose time was over: " if one.automatic else ""
            paragraphs.append(stand_in + text)
        last = (one.seat, one.automatic)
    return Section(title, paragraphs=paragraphs) if paragraphs else None


def belongings(seen: Seen) -> Section:
    """What the recipient has: points, coins, tiles, hand, and what lies before them."""
    words = words_of("en")
    lister = Lister(words, seen.names, seen.seat)
    own = seen.own
    tiles = own["tiles"]
    space = own["barge"]
    items = [
        Item("Points", f"{own['vp']} VP, and {counted(own['sparrows'], 'sparrow')}"),
        Item("Coins", str(own["coins"])),
        Item("Tiles", lister.counted(tiles), tiles=[color for color in COLORS for _ in range(tiles[color])]),
        Item("Cards in hand", listing([lister.card(card) for card in own["hand"]]) if own["hand"] else "none"),
        Item("Seals and crests left", f"{own['seals']} and {own['crests']}"),
        Item("Barge", f"on space {space}, worth {signed(SPACE_VALUE[space])}"),
    ]
    if own["table"]:
        items.append(Item("Cards on the table", listing([lister.card(card) for card in own["table"]])))
    if own["descendants"]:
        said = [f"{words.descendants[one]} ({words.descendant_effects[one]})" for one in own["descendants"]]
        items.append(Item("Descendants", "; ".join(said)))
    if own["coats"]:
        items.append(Item("Coats of arms", "; ".join(lister.coat(slot) for slot in own["coats"])))
    return Section("You have", items=items)


def scores(seen: Seen) -> Section:
    """How everybody stands, from what all may see."""
    rows: list[list[str]] = [["Player", "VP", "Coins", "Sparrows", "Cards", "Seals left", "Barge"]]
    for seat, player in enumerate(seen.view["players"]):
        name = seen.names[seat] + (" (you)" if seat == seen.seat else "") + (" †" if player["resigned"] else "")
        numbers = (player["vp"], player["coins"], player["sparrows"], player["hand_size"], player["seals"],
                   player["barge"])
        rows.append([name, *map(str, numbers)])
    notes = ["† has resigned"] if any(player["resigned"] for player in seen.view["players"]) else []
    return Section("Scores", rows=rows, paragraphs=notes)


_COLUMNS = {"vp": "Game", "sparrows": "Sparrows", "barge": "Barge", "cathedral": "Minster", "trade": "Trade",
            "chronicle": "Chronicle", "total": "Total", "quarters": "Quarters"}


def final_scores(seen: Seen) -> Section:
    """Where the points of everybody come from, the first rank first."""
    rows = [["", "Player", *(_COLUMNS[name] for name in COLUMNS)]]
    for seat in ranking(seen.view):
        score = seen.view["scores"][seat]
        name = seen.names[seat] + (" (you)" if seat == seen.seat else "")
        rows.append([f"{score['rank']}.", name, *(str(column(score, key)) for key in COLUMNS)])
    return Section("Final scores", rows=rows, paragraphs=["Quarters with a seal break ties."])


def counted(number: int, word: str) -> str:
    """`1 sparrow`, `2 sparrows`."""
    return f"{number} {word}" + ("" if number == 1 else "s")
