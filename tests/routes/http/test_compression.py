"""Answers over a kilobyte are compressed for who accepts it; tags, streams and secrets stay what they are."""

import gzip
import json
import time
from collections.abc import Callable

import brotli
import pytest
from flask.testing import FlaskClient

from tests.routes.caller import BASE, new_game, players
from tests.routes.conftest import SQLITE

pytestmark = SQLITE
SMALL = 1000


def zstd(data: bytes) -> bytes:
    from flask_compress.compat import compression

    return bytes(compression.zstd.decompress(data))


UNPACKED: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.decompress, "br": brotli.decompress, "zstd": zstd}


@pytest.mark.parametrize("way", UNPACKED)
def test_pages_pictures_documents_and_styles_are_compressed(client: FlaskClient, way: str) -> None:
    """A page had 108 kB on the wire, and nothing but the stream of states was ever packed."""
    callers = players(client, 2)
    game = new_game(callers)
    for path in (f"/games/{game}", f"{BASE}/games/{game}", f"{BASE}/games/{game}/board.svg", f"{BASE}/openapi.json",
                 "/", "/rules", "/api/docs/swagger-ui.css"):  # fmt: skip
        with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": way}) as packed:
            assert len(plain.data) > SMALL, path
            assert packed.headers["Content-Encoding"] == way, path
            assert "Accept-Encoding" in packed.headers["Vary"], path
            assert "Accept-Encoding" in plain.headers["Vary"], path
            assert "Content-Encoding" not in plain.headers
            assert len(packed.data) < len(plain.data) / 2, path
            if packed.mimetype != "text/html":  # whose nonces are new each time
                assert UNPACKED[way](packed.data) == plain.data
            assert packed.content_length in (None, len(packed.data))


def test_the_answer_to_a_move_and_large_errors_are_compressed_too(client: FlaskClient) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    mover = callers[callers[0].page(game)["to_move"]]
    page = mover.page(game)
    packed = client.post(
        f"{BASE}/games/{game}/moves",
        json={"ply": page["ply"], "moves": mover.legal(game)[:1]},
        headers={"Authorization": f"Bearer {mover.token}", "Accept-Encoding": "gzip"},
    )
    assert packed.status_code == 201
    assert json.loads(gzip.decompress(packed.data))["applied"] == 1
    lost = client.get("/nothing-here", headers={"Accept-Encoding": "br"})
    assert (lost.status_code, lost.headers["Content-Encoding"]) == (404, "br")
    assert b"<html" in brotli.decompress(lost.data)


@pytest.mark.parametrize("wish", ["", "gzip;q=0.0, br;q=0", "deflate"])
def test_who_accepts_nothing_of_it_gets_it_plain(client: FlaskClient, wish: str) -> None:
    answer = client.get(f"{BASE}/openapi.json", headers={"Accept-Encoding": wish})
    assert "Content-Encoding" not in answer.headers
    assert answer.json["openapi"]


def test_each_encoding_has_its_tag_and_all_of_them_are_known(client: FlaskClient) -> None:
    callers = players(client, 2)
    path = f"{BASE}/games/{new_game(callers)}"
    tags = {way: client.get(path, headers={"Accept-Encoding": way}).headers["ETag"] for way in ("gzip", "br", "")}
    assert len(set(tags.values())) == 3
    for way, tag in tags.items():
        for other in tags:
            again = client.get(path, headers={"Accept-Encoding": other, "If-None-Match": tag})
            assert (again.status_code, again.data) == (304, b""), (way, other)
            assert again.headers["ETag"] == tag
            assert "Accept-Encoding" in again.headers["Vary"]
    # A long poll of somebody who has it compressed waits, instead of being answered at once.
    headers = {"Accept-Encoding": "br", "If-None-Match": f'W/"x", {tags["br"]}', "Prefer": "wait=1"}
    began = time.monotonic()
    assert client.get(path, headers=headers).status_code == 304
    assert time.monotonic() - began > 0.9


def test_pages_that_another_site_asks_for_with_words_of_its_own_are_not_compressed(client: FlaskClient) -> None:
    """BREACH: guesses in the query, the length of what comes back, form tokens and hands in the page."""
    game = new_game(players(client, 2))

    def packed(query: str, site: str, path: str = f"/games/{game}") -> bool:
        headers = {"Accept-Encoding": "gzip, br, zstd", "Sec-Fetch-Site": site}
        with client.get(path + query, headers=headers) as answer:
            return "Content-Encoding" in answer.headers

    for site in ("cross-site", "same-site"):
        assert not packed("?draft=guess", site)
        assert packed("", site), "links in mails lead here from other sites"
    for site in ("same-origin", "none"):
        assert packed("?draft=guess", site)
    assert packed("?theme=light", "cross-site", f"{BASE}/games/{game}/board.svg"), "nothing of a query stands in it"


def test_streams_are_not_held_back(client: FlaskClient) -> None:
    """An event that waits in a compressor would come when the stream is over."""
    game = new_game(players(client, 2))
    headers = {"Accept-Encoding": "gzip, br, zstd"}
    with client.get(f"{BASE}/games/{game}/events", headers=headers) as stream:
        assert "Content-Encoding" not in stream.headers
        parts = iter(stream.response)
        first = next(parts)
        assert first.startswith(b"retry:")
        assert b"\nevent: game" in first
