"""`python -m tests.inbox.corpus.letters`: compose the letters that the answers of the corpus quote, one a language.

Real letters of real games, with the mark at their top, and the moves that they number; HTML without its styles, as many
programs quote it. They are stored, so that the corpus changes with them only when somebody wants that.
"""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass, replace
from email.utils import formataddr
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "letters"
LANGUAGES = ("en", "de", "it")
_STYLES = r'\s(?:style|class|role|cellpadding|cellspacing|border|width|valign|bgcolor)="[^"]*"'


@dataclass(frozen=True)
class Quoted:
    """A letter of ours as programs quote it; `moves` are its options in the notation, the first is number 1."""

    language: str
    subject: str
    sender: str
    text: str
    html: str
    moves: tuple[str, ...]

    @property
    def name(self) -> str:
        """Whom it is from."""
        return "Ulm by mail"

    @property
    def mailbox(self) -> str:
        """Name and address."""
        return formataddr((self.name, self.sender))


@cache
def letter(language: str) -> Quoted:
    """A stored letter."""
    head = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    text, html = ((FOLDER / f"{language}.{kind}").read_text("utf-8") for kind in ("txt", "html"))
    return Quoted(language, head["subject"], head["from"], text, html, tuple(head["moves"]))


def make() -> None:
    """Compose them anew."""
    from server.language import speaking
    from server.move_language.reply_mark import reply_mark
    from server.service.explain import move_choices
    from server.service.games import loading
    from server.service.lists import game_page
    from server.settings import Settings
    from tests.notify.letters import Letters, fresh_store

    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder, fresh_store(Path(folder)) as store:
            addresses = {"base_url": "https://ulm.example.org", "mail_from": "ulm@ulm.example.org"}
            settings = replace(Settings(), data_dir=Path(folder), mail_pictures=False, **addresses)
            letters = Letters(store, settings, language)
            letters.until(0, 4)
            mail = letters.mail("turn")
            with store.read():
                game = loading.for_reader(store, letters.id, letters.players[0])
            assert game_page.page(store, letters.id, letters.players[0])["to_move"] == 0
            moves = move_choices.numbered(game.seen_by(0), 0)
            parts = {kind: mail.get_body((kind,)) for kind in ("plain", "html")}
            text, html = (part.get_content() if part is not None else "" for part in parts.values())
            with speaking(language):
                mark = reply_mark()
            if mark not in text:
                text, html = f"{mark}\n\n{text}", re.sub(r"(<body[^>]*>)", rf"\1<p>{mark}</p>", html, count=1)
            html = re.sub(r"<style>.*?</style>|<div style=\"display:none.*?</div>", "", html, flags=re.DOTALL)
            html = re.sub(
                r'\s(?:style|class|role|cellpadding|cellspacing|border|width|valign|bgcolor)="[^"]*"', "", html
            )
            head = {"subject": str(mail["Subject"]), "from": "ulm@ulm.example.org", "moves": moves}
            (FOLDER / f"{language}.json").write_text(json.dumps(head, indent=1, ensure_ascii=False) + "\n", "utf-8")
            (FOLDER / f"{language}.txt").write_text(text.replace("\r\n", "\n"), "utf-8")
            (FOLDER / f"{language}.html").write_text(html.replace("\r\n", "\n"), "utf-8")


if __name__ == "__main__":
    make()
