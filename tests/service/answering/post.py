"""A match whose players read and answer mails."""

import json
from dataclasses import dataclass, field

from server.service.accounts import links
from server.service.answering import answers, results
from server.service.answering.answers import AnswerMail
from server.service.answering.results import Result
from server.service.explain import history, move_choices
from server.service.games import loading
from tests.service.conftest import Match, give_address
from tests.tables import Mail


@dataclass
class Post:
    """The match, and how many mails its players wrote."""

    m: Match
    number: int = 0
    seen: set[str] = field(default_factory=set)

    def token(self, seat: int, *, at: bool = False, **claims: int) -> str:
        """That of a mail about the turn under way, as it stands when the mail is written."""
        with self.m.store.read():
            game = loading.for_reader(self.m.store, self.m.id, self.m.players[seat])
            story = history.tell(self.m.store, game, seat)
            row = loading.newest_row(self.m.store, game)
        found = {"ply": story.turn_began, "seat": seat, **({"at": game.ply, "row": row} if at else {}), **claims}
        return links.turn_token(
            self.m.store, now=self.m.clock(), player_id=self.m.players[seat].id, game_id=self.m.id, **found
        )

    def write(self, seat: int, text: str, token: str | None = None, message_id: str | None = None) -> Result | None:
        """Answer with these lines; what is told of it, None when nothing is."""
        self.number += 1
        mail = AnswerMail(message_id or f"<{self.number}@phone.example>", text.split("\n"), text, "dkim=pass")
        answers.receive(self.m.store, token or self.token(seat, at=True), mail, self.m.clock())
        return self.told(self.m.players[seat].id)

    def told(self, player: str) -> Result | None:
        """The new answer to a player, if there is one."""
        with self.m.store.read():
            rows = list(Mail.select().where(Mail.kind.in_(["answer", "resign_question"]), Mail.player == player))
        fresh = [row for row in rows if row.key not in self.seen]
        self.seen |= {row.key for row in rows}
        assert len(fresh) <= 1, "one mail for one mail"
        return results.read(json.loads(fresh[0].data)) if fresh else None

    def numbered(self, seat: int) -> list[str]:
        with self.m.store.read():
            game = loading.for_reader(self.m.store, self.m.id, self.m.players[seat])
        return move_choices.numbered(game.seen_by(seat), seat)


def reached(m: Match) -> Post:
    """With addresses, to which mail goes."""
    for player in m.players:
        give_address(m.store, player, f"{player.name.replace(' ', '').lower()}@example.org")
    return Post(m)


def pushes(m: Match, seat: int) -> list[str]:
    return [move for move in m.legal(seat) if move.startswith("push")]
