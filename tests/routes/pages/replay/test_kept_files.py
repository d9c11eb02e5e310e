"""Files of a replay to be kept: the record, the page, the positions."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser

import pytest

from replays.picture import picture
from server.service.archive import replays
from server.service.seating.example_game import EXAMPLE_ID
from tests.routes.pages.replay.viewer import GAME


def test_files_are_given_to_be_kept_and_never_shown_as_pages_of_ours(example, client):
    for path, kind in (("record", "application/json"), ("export.html", "text/html")):
        answer = client.get(f"{GAME}/{path}")
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.mimetype == kind
    assert json.loads(client.get(f"{GAME}/record").data) == replays.record(example, EXAMPLE_ID)


class Texts(HTMLParser):
    """All that a page says to people: its texts but for moves, what its elements are called, what its script says."""

    def __init__(self, text):
        super().__init__()
        self.said: set[str] = set()
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self._open.append(tag)
        for name, value in attributes:
            if name in ("title", "aria-label") or (name.startswith("data-") and name != "data-ply"):
                self.said.add(value)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"script", "style", "code"} & set(self._open):
            self.said.add(data.strip())


@pytest.mark.parametrize("code", ["de", "it"])
def test_the_page_to_keep_speaks_its_reader_s_language(example, client, code):
    english = client.get(f"{GAME}/export.html").text
    client.set_cookie("ulm_language", code)
    text = client.get(f"{GAME}/export.html").text
    assert f'<html lang="{code}">' in text
    record = replays.record(example, EXAMPLE_ID)
    names = {record["name"], *(player["name"] for player in record["players"])}
    common = {re.sub(r" \d+\u00a0%$", "", said) for said in Texts(english).said & Texts(text).said} - names
    assert [said for said in common if re.search(r"[^\W\d]", said)] == []
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', text)[1]
    boards = json.loads(zlib.decompress(base64.b64decode(packed)))
    replay = replays.spoken_at(example, EXAMPLE_ID, 60, None, None, code)
    for layout, made in boards.items():
        drawn = "".join(made["parts"][part] for part in made["plies"][60])
        assert drawn == picture(replay, 60, layout=layout, language=code)
    assert client.get(f"{GAME}/export.html?language=en").text == english
    assert client.get(f"/api/v1{GAME}/export.html", headers={"Accept-Language": code}).text == english
