"""A game as its recipient sees it, read in one transaction, and the parts of mails that are made of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from server.board.describe import description
from server.board.html_table import board_table
from server.board.listing import COLUMNS, Lister, column, minus, ranking
from server.board.pieces import piece_svg
from server.board.png import PicturesMissingError, board_png, palette_png
from server.board.svg import canvas_for, halves_svg
from server.board.text import board_text
from server.engine.ulm1.shapes import PlayerView, View
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLORS
from server.language import N_, current, listing, pgettext
from server.language import gettext as _
from server.notify.mail_content import Item, Picture, Section, Skip
from server.notify.recipients import MailTask
from server.service.accounts import links
from server.service.accounts.players import Player
from server.service.common.errors import NotFound
from server.service.common.naming import spoken
from server.service.explain import game_words, history
from server.service.explain.history import Story, ToldMove
from server.service.games import loading
from server.service.games.model import Game
from server.service.views import since

TILE = 36
"""The width of the picture of a tile in pixels."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A game that has started, for one seat's eyes: those of who gets the mail."""

    task: MailTask
    game: Game
    seat: int
    story: Story
    state: State
    view: View
    names: list[str]
    row: int  # the number of the newest move, in the log of all games; 0 for none

    @property
    def game_name(self) -> str:
        """What the game is called, in the language in force."""
        return spoken(self.game.name)

    @property
    def is_to_move(self) -> bool:
        """Whether it is the recipient's turn."""
        return self.game.status == "running" and self.game.to_move == self.seat

    @property
    def own(self) -> PlayerView:
        """What lies before the recipient."""
        return self.view["players"][self.seat]


def seen_game(task: MailTask) -> Seen:
    """The game of a mail as its recipient may see it. Raises `Skip` when it or the seat in it is gone."""
    with task.store.read():
        found, seat, told = seat_at(task)
        if told is None or found.state is None:
            raise Skip("the game has not started")
        row = loading.newest_row(task.store, found)
    state = found.seen_by(seat)
    return Seen(task, found, seat, told, state, found.rules.view(state, seat), history.names_of(found), row)


def token(seen: Seen) -> str:
    """The token of the turn that a mail is about. While it is the reader's, it says of which position the mail
    lists the moves: by it an answer may name their numbers."""
    own, queued = seen.is_to_move, seen.task.queued
    return links.turn_token(
        seen.task.store,
        now=queued.due,
        player_id=queued.player_id or "",
        game_id=seen.game.id,
        ply=queued.ply or 0,
        seat=seen.seat,
        at=seen.state.ply if own else None,
        row=seen.row if own else None,
    )


def seat_at(task: MailTask) -> tuple[Game, int, Story | None]:
    """The game of a mail, where its recipient sits, and the story when there is one as yet. Raises `Skip`."""
    store, queued = task.store, task.queued
    if queued.game_id is None or queued.player_id is None:
        raise Skip("the notice names no game")
    reader = Player(queued.player_id, "")
    with store.read():
        try:
            game = loading.for_reader(store, queued.game_id, reader)
        except NotFound:
            raise Skip("the game is gone") from None
        seat = game.seat_of(reader)
        if seat is None:
            raise Skip("the player has left the game")
        return game, seat, None if game.state is None else history.tell(store, game, seat)


def picture(seen: Seen) -> Picture:
    """The board for the recipient's eyes; as HTML where pictures are switched off or the extra is not installed."""
    settings = seen.task.settings
    # Letters beyond ASCII in names are transcribed: not every terminal that shows mail can show them in columns.
    text = board_text(seen.view, seat=seen.seat, names=seen.names, ascii=True, language=current(), legend=True)
    png = None
    if settings.mail_pictures:
        svg = halves_svg(seen.view, seen.seat, seen.names, settings.mail_picture_width, current())
        with suppress(PicturesMissingError):
            png = palette_png(svg, settings.mail_picture_width)
    if png is None:
        made = board_table(seen.view, seat=seen.seat, names=seen.names, language=current())
        return Picture(text, None, Markup(made), "")  # noqa: S704 - the board's own
    canvas = canvas_for(seen.view, seen.seat, seen.names, language=current())
    return Picture(text, png, "", description(canvas, seen.view), _tiles())


@cache
def _tiles() -> dict[str, bytes]:
    """The tiles as on the board, twice as large as they are shown."""
    return {color: board_png(piece_svg("tile", color, theme="light", width=TILE), TILE) for color in COLORS}


def since_own_turn(seen: Seen, last: int) -> Section | None:
    """What others did between the recipient's last turn and ply `last`, a sentence for each turn, as the page of the
    game tells it; None for nothing. Move by move `happened` tells it."""
    told = since.told(seen.story, seen.story.own_turn_ended, last)
    said = [
        f"{since.sentence(turn, seen.names, seen.seat)}{_by_server(turn.moves)}." for turn in told.turns if turn.moves
    ]
    if said and (opening := since.opening(told)):
        said.insert(0, opening)
    return Section(since.title(told), paragraphs=said) if said else None


def _by_server(moves: Sequence[ToldMove]) -> str:
    return " " + _("(played by the server)") if any(move.automatic for move in moves) else ""


def happened(seen: Seen, told: list[ToldMove], title: str) -> Section | None:
    """What happened, a paragraph for each player's moves in a row; None for nothing."""
    paragraphs: list[str] = []
    last: tuple[int, bool, bool] | None = None
    for one in told:
        text = " ".join(one.sentences)
        if last == (one.seat, one.automatic, one.timed_out):
            paragraphs[-1] += " " + text
        else:
            # Who it was the sentences say; that it was not the player's own doing they do not.
            if one.automatic and not one.timed_out:
                text = _("The server played for %(name)s: %(what)s", name=seen.names[one.seat], what=text)
            elif one.automatic:
                text = _(
                    "The server played for %(name)s, whose time had run out: %(what)s",
                    name=seen.names[one.seat],
                    what=text,
                )
            paragraphs.append(text)
        last = (one.seat, one.automatic, one.timed_out)
    return Section(title, paragraphs=paragraphs) if paragraphs else None


def belongings(seen: Seen) -> Section:
    """What the recipient has beside what `scores` counts: tiles, hand, and what lies before them."""
    rules = seen.game.rules
    words = game_words.words(rules)
    lister = Lister(words, seen.names, seen.seat)
    own = seen.own
    tiles = own["tiles"]
    items = [
        Item(_("Tiles"), lister.counted(tiles), tiles=[color for color in COLORS for _each in range(tiles[color])]),
        Item(
            _("Cards in hand"),
            listing([game_words.card(rules, card) for card in own["hand"]])
            if own["hand"]
            else pgettext("cards in hand", "none"),
        ),
        Item(
            _("Seals and family crests left"), _("%(seals)s and %(crests)s", seals=own["seals"], crests=own["crests"])
        ),
    ]
    if own["table"]:
        items.append(Item(_("Cards on the table"), listing([game_words.card(rules, card) for card in own["table"]])))
    if own["descendants"]:
        said = [f"{words.descendants[one]} ({words.descendant_effects[one]})" for one in own["descendants"]]
        items.append(Item(_("Descendants"), "; ".join(said)))
    if own["coats"]:
        items.append(Item(_("Coats of arms"), "; ".join(lister.coat(slot) for slot in own["coats"])))
    return Section(_("You have"), items=items)


def scores(seen: Seen) -> Section:
    """How everybody stands, from what all may see: a column for each, because phones are high."""
    players = seen.view["players"]
    rows = [["", *(_name(seen, seat) + (" †" if one["resigned"] else "") for seat, one in enumerate(players))]]
    for label, numbers in (
        (_("VP"), [one["vp"] for one in players]),
        (_("If it ended now"), [score["total"] for score in seen.state.rules.standing(seen.state, seen.state.scores)]),
        (_("Coins"), [one["coins"] for one in players]),
        (_("Sparrows"), [one["sparrows"] for one in players]),
        (_("Cards"), [one["hand_size"] for one in players]),
        (_("Seals left"), [one["seals"] for one in players]),
        (_("Barge"), [one["barge"] for one in players]),
    ):
        rows.append([label, *map(minus, numbers)])
    notes = [_("† has resigned")] if any(player["resigned"] for player in players) else []
    return Section(_("Scores"), rows=rows, notes=notes)


_COLUMNS = {
    "vp": N_("Game"),
    "sparrows": N_("Sparrows"),
    "barge": N_("Barge"),
    "cathedral": N_("Minster"),
    "trade": N_("Trade"),
    "chronicle": N_("Chronicle"),
    "total": N_("Total"),
    "quarters": N_("Quarters"),
}


def final_scores(seen: Seen) -> Section:
    """Where the points of everybody come from, the first rank first."""
    scores = seen.view["scores"] or []
    ranked = ranking(seen.view)
    rows = [["", *(f"{scores[seat]['rank']}. {_name(seen, seat)}" for seat in ranked)]]
    rows += [[_(_COLUMNS[key]), *(str(column(scores[seat], key)) for seat in ranked)] for key in COLUMNS]
    return Section(_("Final scores"), rows=rows, notes=[_("Quarters with a seal break ties.")])


def _name(seen: Seen, seat: int) -> str:
    return _("You") if seat == seen.seat else seen.names[seat]


def chronicle(seen: Seen) -> Section | None:
    """What the Chronicle cards of everybody are worth; the game must be over."""
    words = game_words.words(seen.game.rules)
    items = [
        Item(seen.names[seat], ", ".join(f"{words.card(card)} {vp}" for card, vp in score["chronicle"].items()))
        for seat, score in enumerate(seen.view["scores"] or [])
        if score["chronicle"]
    ]
    return Section(_("Chronicle cards"), items=items) if items else None


def tower(seen: Seen) -> Section | None:
    """The Tower tiles of this round and the next."""
    said = Lister(game_words.words(seen.game.rules), seen.names, seen.seat).tower(seen.view)
    return Section(_("The Minster tower"), paragraphs=said, drawn=True) if said else None


def commitment(seen: Seen) -> Section:
    """By what the shuffle can be checked in the end."""
    return Section(
        _("A fair shuffle"),
        paragraphs=[
            _(
                "Before anybody joined, the server fixed its share of the shuffle and published its SHA-256. "
                "Keep this mail: when the game is over, you can use it to prove that nothing was changed."
            ),
            _("Commitment: %(commitment)s", commitment=seen.game.commitment),
        ],
    )


def proof(seen: Seen) -> Section:
    """Where the replay and the record are, and how the shuffle is checked."""
    if seen.game.sealed:
        said = _(
            "Others still play the same deal. When all are done, the page of the game shows the replay and the proof."
        )
        return Section(_("The replay, and the proof of a fair shuffle"), paragraphs=[said])
    site = seen.task.settings.public_url
    record = f"{site}/api/v1/replays/{seen.game.id}/record"
    return Section(
        _("The replay, and the proof of a fair shuffle"),
        items=[
            Item(
                _("Watch it again, move by move, and let your browser check the shuffle"),
                url=f"{site}/replays/{seen.game.id}",
            ),
            Item(
                _("The record of the game, every move and the server’s secret with it"),
                _("this game is private: send your token with it") if seen.game.private else "",
                record,
            ),
        ],
        notes=[
            _(
                "The commitment that was published before the first move is %(commitment)s. The record’s server_seed "
                "must have this SHA-256, and the log must follow from it and the seeds that the players gave. "
                "`ulm-replay check FILE` does all of that at home, `POST /api/v1/replays/verify` on the server.",
                commitment=seen.game.commitment,
            ),
        ],
    )
