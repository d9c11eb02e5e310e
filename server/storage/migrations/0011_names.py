"""What the server calls games and seats becomes a kind, and the player that a title names a reference.

Until now both were texts, known by how they read. What is converted is known beyond doubt: a title is taken for the
server's only where it is, letter for letter, what the server would have made of the name of its own creator, of
somebody at its table, or of the game that it goes on from or repeats; it reads the same afterwards. All others stay
what they are: words that somebody chose.
"""

import json
import re
from typing import Any

STATEMENTS = (
    'ALTER TABLE "game" ADD COLUMN "title" VARCHAR(16)',
    """ALTER TABLE "game" ADD COLUMN "title_player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL""",
    'ALTER TABLE "game" ADD COLUMN "title_plies" TEXT',
    'CREATE INDEX "game_title_player_id" ON "game" ("title_player_id")',
    'ALTER TABLE "seat" ADD COLUMN "name_kind" VARCHAR(16)',
    """ALTER TABLE "seat" ADD COLUMN "named_after_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL""",
    'CREATE INDEX "seat_named_after_id" ON "seat" ("named_after_id")',
)

LONGEST = 60
FORMER = "Former player"
BOTS = {"random": "random bot", "steady": "steady bot"}
EXAMPLE = "An example: three bots, advanced game"
IMPORTED = "Imported game"
# As they were written, in the languages of the pages.
OF = ("Game of {}", "Partie von {}", "Partita di {}")
AGAINST_BOTS = ("{} against bots", "{} gegen Bots", "{} contro i bot")
KINDS = (("of", OF), ("bots", AGAINST_BOTS))
FROM_PLY, FROM_MOVE = "{}, from ply {}", ("{}, from move {}", "{}, ab Schritt {}", "{}, dalla mossa {}")


def up(migrator: Any, db: Any) -> None:
    """Add the columns and fill them."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    mark = "?" if type(migrator).__name__.startswith("Sqlite") else "%s"

    def run(statement: str, *values: Any) -> Any:
        return db.execute_sql(statement.replace("?", mark), values)

    _seats(run)
    _titles(run)


def down(migrator: Any, db: Any) -> None:
    """Write the titles out again, in English, and drop the columns."""
    mark = "?" if type(migrator).__name__.startswith("Sqlite") else "%s"
    games = db.execute_sql(
        "SELECT g.id, g.name, g.title, g.title_plies, p.name FROM game g LEFT JOIN player p ON p.id = g.title_player_id"
        " WHERE g.title IS NOT NULL OR g.title_plies IS NOT NULL"
    ).fetchall()
    for game, words, kind, plies, player in games:
        name = {
            "of": f"Game of {player or FORMER}"[:LONGEST],
            "bots": f"{player or FORMER} against bots"[:LONGEST],
            "example": EXAMPLE,
            "imported": IMPORTED,
        }.get(kind, words)
        for ply in (plies or "").split():
            name = FROM_PLY.format(name[:40], ply)
        db.execute_sql("UPDATE game SET name = ? WHERE id = ?".replace("?", mark), (name, game))
    for index in ("game_title_player_id", "seat_named_after_id"):
        db.execute_sql(f'DROP INDEX "{index}"')
    for table, columns in (
        ("game", ("title_plies", "title_player_id", "title")),
        ("seat", ("named_after_id", "name_kind")),
    ):
        for column in columns:
            db.execute_sql(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')


# Seats


def _seats(run: Any) -> None:
    """Seats of bots, of players who have gone, and of records without names; sandboxes have theirs from elsewhere."""
    for kind, called in BOTS.items():
        for row, name in run(
            "SELECT s.id, s.name FROM seat s JOIN game g ON g.id = s.game_id WHERE s.bot = ? AND g.origin = 'played'",
            kind,
        ).fetchall():
            if _numbered(name, called):
                run("UPDATE seat SET name_kind = ? WHERE id = ?", kind, row)
    # Who sat at a game that was played here and has no account any more has gone, whatever the seat is called.
    for row, name in run(
        "SELECT s.id, s.name FROM seat s JOIN game g ON g.id = s.game_id WHERE s.player_id IS NULL"
        " AND s.bot IS NULL AND s.name IS NOT NULL AND g.origin = 'played'"
    ).fetchall():
        if _numbered(name, FORMER):
            run("UPDATE seat SET name_kind = 'former' WHERE id = ?", row)
    for (game,) in run(
        "SELECT DISTINCT s.game_id FROM seat s JOIN game g ON g.id = s.game_id"
        " WHERE g.origin = 'imported' AND s.name = 'Player ' || s.seat"
    ).fetchall():
        for seat, player in enumerate(_record(run, game).get("players", [])):
            if not _shown(player["name"]):
                run("UPDATE seat SET name_kind = 'unnamed' WHERE game_id = ? AND seat = ?", game, seat)
    for game, left, _ply in _branches(run):
        origin = run("SELECT origin FROM game WHERE id = ?", left).fetchone()[0]
        after = "named_after_id" if origin == "sandbox" else "player_id"
        seats = f"SELECT seat, name, name_kind, {after} FROM seat WHERE game_id = ?"  # noqa: S608
        for seat, name, kind, player in run(seats, left).fetchall():
            run(
                "UPDATE seat SET name_kind = ?, named_after_id = ? WHERE game_id = ? AND seat = ? AND name = ?",
                kind,
                player,
                game,
                seat,
                name,
            )


def _numbered(name: str, called: str) -> bool:
    return re.fullmatch(rf"{re.escape(called)}( \([0-9]+\))?", name) is not None


def _record(run: Any, game: str) -> dict[str, Any]:
    """The record of an imported game as it was given."""
    found = run("SELECT text FROM imported_record WHERE game_id = ?", game).fetchone()
    return {} if found is None else json.loads(found[0])


def _shown(given: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in given).split())


def _branches(run: Any) -> list[tuple[str, str, int]]:
    """Sandboxes, the games that they left, and where; what one of them was left for comes after it."""
    found = {
        game: (left, ply)
        for game, left, ply in run(
            "SELECT x.game_id, x.of_game, x.of_ply FROM sandbox x JOIN game o ON o.id = x.of_game"
        ).fetchall()
    }

    def depth(game: str) -> int:
        steps = 0
        while game in found:
            game, steps = found[game][0], steps + 1
        return steps

    return [(game, *found[game]) for game in sorted(found, key=depth)]


# Titles


def _titles(run: Any) -> None:
    run("UPDATE game SET title = 'example', name = '' WHERE origin = 'example' AND name = ?", EXAMPLE)
    for (game,) in run("SELECT id FROM game WHERE origin = 'imported' AND name = ?", IMPORTED).fetchall():
        if not _shown(_record(run, game).get("name", "")):
            run("UPDATE game SET title = 'imported', name = '' WHERE id = ?", game)
    was: dict[str, str] = {}  # by game: what it was called, where that is told by kind now
    forms = (*OF, *AGAINST_BOTS)
    likely = " OR ".join("name LIKE ?" for _each in forms)
    for game, name, creator in run(
        f"SELECT id, name, creator_id FROM game WHERE origin = 'played' AND ({likely})"  # noqa: S608
        " ORDER BY created_at, id",
        *(form.format("%") for form in forms),
    ).fetchall():
        found = _of_server(run, game, name, creator)
        if found is not None:
            run("UPDATE game SET title = ?, title_player_id = ?, name = '' WHERE id = ?", *found, game)
            was[game] = name
    _sandboxes(run, was)


def _of_server(run: Any, game: str, name: str, creator: str | None) -> tuple[str, str | None] | None:
    """Kind and player of a title that the server made; None for words of people."""
    if creator is None:
        # Its maker is gone, and the name has been taken out of the title.
        return next(((kind, None) for kind, forms in KINDS if name in _made(forms, FORMER)), None)
    people = {creator: {_name(run, creator)}}
    for player, seated, account in run(
        "SELECT s.player_id, s.name, p.name FROM seat s JOIN player p ON p.id = s.player_id WHERE s.game_id = ?", game
    ).fetchall():
        people.setdefault(player, set()).update((seated, account))
    # A rematch is called as the game before: after who made that, and sat there with the maker of this one.
    for player, account in run(
        "SELECT b.title_player_id, p.name FROM game b JOIN player p ON p.id = b.title_player_id"
        " JOIN seat s ON s.game_id = b.id AND s.player_id = ? WHERE b.title IS NOT NULL",
        creator,
    ).fetchall():
        people.setdefault(player, set()).add(account)
    for player, names in people.items():
        for one in names:
            for kind, forms in KINDS:
                if name in _made(forms, one):
                    return kind, player
    return None


def _made(forms: tuple[str, ...], name: str) -> list[str]:
    return [form.format(name)[:LONGEST].strip() for form in forms]


def _name(run: Any, player: str) -> str:
    return str(run("SELECT name FROM player WHERE id = ?", player).fetchone()[0])


def _sandboxes(run: Any, was: dict[str, str]) -> None:
    """Sandboxes that are called after the game that they left and the ply."""
    for game, left, ply in _branches(run):
        name = run("SELECT name FROM game WHERE id = ?", game).fetchone()[0]
        words, kind, player, plies = run(
            "SELECT name, title, title_player_id, title_plies FROM game WHERE id = ?", left
        ).fetchone()
        called = was.get(left) or words or {"example": EXAMPLE}.get(kind, IMPORTED)
        made = [FROM_PLY.format(called[:40], ply), *(form.format(called[:36].strip(), ply) for form in FROM_MOVE)]
        if name in made:
            run(
                "UPDATE game SET title = ?, title_player_id = ?, title_plies = ?, name = ? WHERE id = ?",
                kind,
                player,
                f"{plies or ''} {ply}".strip(),
                words,
                game,
            )
            was[game] = name
