"""`python -m tests.inbox.corpus.letters`: compose the letters that the answers of the corpus quote, one a language.

Real letters of real games, with the mark at their top, and the moves that they number; HTML without its styles, as many
programs quote it. They are stored, so that the corpus changes with them only when somebody wants that.
"""

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
    from server.service.explain import move_choices
    from server.settings import Settings
    from tests.notify.letters import Letters, fresh_store, html, text

    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder, fresh_store(Path(folder)) as store:
            addresses = {"base_url": "https://ulm.example.org", "mail_from": "ulm@ulm.example.org"}
            own = {"data_dir": Path(folder), "mail_pictures": False, "reply_domain": "ulm.example.org"}
            letters = Letters(store, replace(Settings(), **own, **addresses), language)
            letters.until(0, 4)
            mail, moves = letters.mail("turn"), move_choices.numbered(letters.seen().state, 0)
            shown = re.sub(r"<style>.*?</style>|<div style=\"display:none.*?</div>", "", html(mail), flags=re.DOTALL)
            head = {"subject": str(mail["Subject"]), "from": addresses["mail_from"], "moves": moves}
            (FOLDER / f"{language}.json").write_text(json.dumps(head, indent=1, ensure_ascii=False) + "\n", "utf-8")
            (FOLDER / f"{language}.txt").write_text(text(mail), "utf-8")
            (FOLDER / f"{language}.html").write_text(re.sub(_STYLES, "", shown), "utf-8")


if __name__ == "__main__":
    make()
