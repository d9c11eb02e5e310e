"""Letters about a running or finished game to those who play it."""

from __future__ import annotations

from datetime import datetime

from server.board.listing import Lister
from server.board.words import words_of
from server.engine.sentences import listing
from server.notify import tables, times
from server.notify.letter import Item, Letter, Link, Section
from server.notify.notice import Notice, Skip
from server.notify.recipients import Recipient
from server.notify.tables import Seen
from server.service import choices, links, sql
from server.service.choices import Group
from server.settings import Settings
from server.storage.database import Store

PUSHES_MAX = 12
SHOWN_MAX = 30
"""Of longer lists of moves (a builder's cards, say) so many are shown; the turn page has all."""


def turn(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """It is your turn; also the notice that the game has started, to whom it starts with."""
    seen = tables.look(store, notice)
    if isinstance(seen, Skip):
        return seen
    stale = _stale(seen, notice) or _begun(seen, notice)
    if stale is not None:
        return stale
    first = notice.kind == "started"
    heading = f"{seen.table.name} has started: it is your turn" if first else f"It is your turn in {seen.table.name}"
    subject = f"{seen.table.name}: started, your turn" if first else (
        f"{seen.table.name}: your turn, round {seen.view['round']}"
    )
    return _turn_letter(store, settings, notice, person, seen, subject, heading, [_where(seen)])


def started(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """The game has started."""
    if notice.data.get("turn"):
        return turn(store, settings, notice, person, now)
    seen = tables.look(store, notice)
    if isinstance(seen, Skip):
        return seen
    if seen.table.status != "running":
        return Skip("the game is over")
    first = seen.names[seen.view["active"]]
    players = listing(seen.names)
    return Letter(
        subject=f"{seen.table.name}: the game has started",
        heading=f"{seen.table.name} has started",
        intro=[f"{players} sit at the table. {first} is to move; you get a mail when it is your turn."],
        action=Link("Look at the game", _page(store, settings, notice, seen)),
        board=tables.picture(settings, seen),
        sections=[_commitment(seen)],
        why=_why(seen),
    )


def reminder(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """Your time is running."""
    seen = tables.look(store, notice)
    if isinstance(seen, Skip):
        return seen
    stale = _stale(seen, notice)
    if stale is not None:
        return stale
    if seen.table.paused_at is not None or seen.table.deadline is None:
        return Skip("no deadline runs")
    deadline = times.parse(seen.table.deadline)
    if deadline <= now:
        return Skip("the deadline is past")
    left = times.span(deadline - notice.due)
    return _turn_letter(
        store, settings, notice, person, seen,
        f"{seen.table.name}: reminder, {left} left",
        f"About {left} left for your turn in {seen.table.name}",
        [_where(seen), _timeout(seen)],
    )


def played_for_you(
    store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime
) -> Letter | Skip:
    """The server finished a turn whose time was over."""
    seen = tables.look(store, notice)
    if isinstance(seen, Skip):
        return seen
    ply = notice.ply or 0
    told = []
    for one in seen.story.since(ply):
        if one.seat != seen.seat or not one.automatic:
            break
        told.append(one)
    if not told:
        return Skip("the server did not play for this player")
    resigned = any(one.move == "resign" for one in told)
    autopilot = seen.table.places[seen.seat].autopilot
    intro = [f"Your time for this turn of {seen.table.name} was over."]
    if resigned:
        intro.append("By this game's clock your seat was resigned with it. Your points stay, and the others play on.")
    elif autopilot:
        intro.append(
            "It was the second time in a row, so the server plays your turns at once from now on, until you come back: "
            "follow the link, or make any move."
        )
    else:
        intro.append("The server has played the rest of it for you, so that the game goes on.")
    section = tables.happened(seen, told, "What was played")
    return Letter(
        subject=f"{seen.table.name}: " + ("your seat was resigned" if resigned else "your turn was played for you"),
        heading="Your seat was resigned" if resigned else "Your turn was played for you",
        intro=intro,
        action=Link("Look at the game", _page(store, settings, notice, seen)),
        board=tables.picture(settings, seen),
        sections=[*([section] if section else []), tables.belongings(seen), _standing(seen)],
        why=_why(seen),
    )


def over(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """The game is over."""
    seen = tables.look(store, notice)
    if isinstance(seen, Skip):
        return seen
    table = seen.table
    if table.status == "abandoned":
        return Letter(
            subject=f"{table.name}: given up",
            heading=f"{table.name} was given up",
            intro=["Nobody is left who plays: every player's time ran out. The game ends here, without a result."],
            action=Link("Look at the game", _page(store, settings, notice, seen)),
            board=tables.picture(settings, seen),
            sections=[tables.scores(seen)],
            why=_why(seen),
        )
    if table.status != "finished" or table.result is None:
        return Skip("the game is not over")
    winners = table.result["winners"]
    names = listing([seen.names[seat] for seat in winners])
    if seen.seat in winners:
        heading = "You have won" if len(winners) == 1 else f"{names} share the victory"
    else:
        heading = f"{names} has won" if len(winners) == 1 else f"{names} share the victory"
    last = tables.happened(seen, seen.story.since(seen.story.own_turn_ended), "Since your last turn")
    scores = seen.view["scores"][seen.seat]
    return Letter(
        subject=f"{table.name}: the game is over",
        heading=heading,
        intro=[
            f"{table.name} is over after {table.position.ply} moves.",
            f"You end with {scores['total']} VP, in place {scores['rank']} of {table.seats}.",
        ],
        action=Link("See the last position", _page(store, settings, notice, seen)),
        board=tables.picture(settings, seen),
        sections=[
            tables.final_scores(seen), *_chronicle(seen), *([last] if last else []),
            Section("The replay, and the proof of a fair shuffle", paragraphs=_proof(settings, seen)),
        ],
        why=_why(seen),
    )


def message(store: Store, settings: Settings, notice: Notice, person: Recipient, now: datetime) -> Letter | Skip:
    """A player wrote to the others."""
    with store.read():
        found = sql.row(
            store, "SELECT seat, text FROM message WHERE id = ? AND game_id = ?", notice.data.get("message"),
            notice.game_id,
        )
    if found is None:
        return Skip("the message is gone")
    seated = tables.seat_at(store, notice)
    if isinstance(seated, Skip):
        return seated
    table, seat, _ = seated
    name = table.places[found[0]].name or "A player"
    link = links.turn_token(
        store, now=notice.due, player_id=notice.player_id or "", game_id=table.id, ply=0, seat=seat
    )
    action = None if table.state is None else Link("Look at the game", links.turn_url(settings, link))
    return Letter(
        subject=f"{table.name}: a message from {name}",
        heading=f"{name} writes to you",
        sections=[Section(f"{name}, to the players of {table.name}", paragraphs=found[1].split("\n"))],
        after=["A reply to this mail reaches nobody: write back on the page of the game."],
        action=action,
        why=f"You get this because you sit in the game {table.name}.",
    )


def _turn_letter(
    store: Store,
    settings: Settings,
    notice: Notice,
    person: Recipient,
    seen: Seen,
    subject: str,
    heading: str,
    intro: list[str],
) -> Letter:
    token = _token(store, notice, seen)
    lead = [
        tables.happened(seen, seen.story.since_own_turn(), "Since your last turn"),
        tables.happened(seen, seen.story.this_turn(), "This turn so far"),
        *_choices(settings, token, choices.groups(seen.state, seen.seat)),
        tables.belongings(seen),
    ]
    sections = [
        tables.scores(seen),
        _tower(seen),
        *([_commitment(seen)] if notice.kind == "started" else []),
    ]
    return Letter(
        subject=subject,
        heading=heading,
        intro=[*intro, *_drawn(seen), *_deadline(seen, person)],
        action=Link("Open your turn", links.turn_url(settings, token)),
        after=["Links in this mail play for you: forward it to nobody. They change nothing before you confirm."],
        lead=[section for section in lead if section is not None],
        board=tables.picture(settings, seen),
        sections=[section for section in sections if section is not None],
        why=_why(seen),
    )


def _choices(settings: Settings, token: str, groups: list[Group]) -> list[Section]:
    sections = []
    for group in groups:
        items: dict[str, Item] = {}
        for option in group.options:
            push = option.push
            if push is None:
                items[option.move] = Item(option.label, option.detail)
            elif push.slot not in items and len(items) < PUSHES_MAX:
                # A scholar may push several colours at one gate: the page that the link leads to has them all.
                detail = f"{option.detail}; the {push.falls} tile falls out at {push.falls_at}"
                url = links.push_url(settings, token, push.slot)
                items[push.slot] = Item(f"Push at {push.slot}", detail, url, push.activates)
        shown = list(items.values())[:SHOWN_MAX]
        more = [f"… and {len(items) - len(shown)} more on the page of your turn."] if len(items) > len(shown) else []
        sections.append(Section(f"You may: {group.title}", items=shown, paragraphs=more))
    return sections


def _stale(seen: Seen, notice: Notice) -> Skip | None:
    """Why it is not this turn any more; None while it is."""
    if seen.table.status != "running" or seen.table.to_move != seen.seat:
        return Skip("it is not this player's turn any more")
    if seen.story.turn_began > (notice.ply or 0):
        return Skip("that turn is over; another one has begun")
    return Skip("the server plays for this player") if seen.table.places[seen.seat].autopilot else None


def _begun(seen: Seen, notice: Notice) -> Skip | None:
    """Whoever has begun to move knows of the turn."""
    own = any(one.seat == seen.seat for one in seen.story.since(notice.ply or 0))
    return Skip("the player has begun the turn") if own else None


def _token(store: Store, notice: Notice, seen: Seen) -> str:
    return links.turn_token(
        store, now=notice.due, player_id=notice.player_id or "", game_id=seen.table.id, ply=notice.ply or 0,
        seat=seen.seat,
    )


def _page(store: Store, settings: Settings, notice: Notice, seen: Seen) -> str:
    return links.turn_url(settings, _token(store, notice, seen))


def _where(seen: Seen) -> str:
    return f"Round {seen.view['round']} of 10. At the table: {listing(seen.names)}."


def _drawn(seen: Seen) -> list[str]:
    tiles = seen.view["turn"]["tiles"]
    if not tiles:
        return []
    words = words_of("en")
    said = listing([f"{color} ({words.actions[color]})" for color in tiles])
    return [f"You have drawn: {said}."] if len(tiles) == 1 else [f"You have drawn {said}, and keep one."]


def _deadline(seen: Seen, person: Recipient) -> list[str]:
    if seen.table.paused_at is not None:
        return ["The game is paused: no time runs."]
    if seen.table.deadline is None:
        return []
    return [f"Your time ends on {times.local(times.parse(seen.table.deadline), person.zone)}."]


def _timeout(seen: Seen) -> str:
    if seen.table.clock is not None and seen.table.clock.get("on_timeout") == "resign":
        return "When it ends, your seat is resigned."
    return "When it ends, the server plays the turn for you."


def _tower(seen: Seen) -> Section | None:
    said = Lister(words_of("en"), seen.names, seen.seat).tower(seen.view)
    return Section("The Minster tower", paragraphs=said) if said else None


def _standing(seen: Seen) -> Section:
    return tables.scores(seen) if seen.view["scores"] is None else tables.final_scores(seen)


def _chronicle(seen: Seen) -> list[Section]:
    words = words_of("en")
    items = [
        Item(seen.names[seat], ", ".join(f"{words.card(card)} {vp}" for card, vp in score["chronicle"].items()))
        for seat, score in enumerate(seen.view["scores"])
        if score["chronicle"]
    ]
    return [Section("Chronicle cards", items=items)] if items else []


def _commitment(seen: Seen) -> Section:
    return Section("A fair shuffle", paragraphs=[
        ("Before anybody joined, the server fixed its share of the shuffle and published the SHA-256 of it. Keep this "
         "mail: when the game is over you can prove with it that nothing was changed."),
        f"Commitment: {seen.table.commitment}",
    ])


def _proof(settings: Settings, seen: Seen) -> list[str]:
    address = f"{settings.public_url}/api/v1/replays/{seen.table.id}"
    private = " (this game is private: send your token with it)" if seen.table.private else ""
    return [
        f"The record of the game, every move and the server's secret with it{private}: {address}/record",
        f"The replay as a picture, ply by ply: {address}/board.svg?ply={seen.table.position.ply}",
        (f"The commitment that was published before the first move is {seen.table.commitment}. The record's "
         "server_seed must have this SHA-256, and the log must follow from it and the seeds that the players gave. "
         "`ulm-replay check FILE` does all of that at home, `POST /api/v1/replays/verify` on the server."),
    ]


def _why(seen: Seen) -> str:
    return f"You get this because you play in {seen.table.name}."


