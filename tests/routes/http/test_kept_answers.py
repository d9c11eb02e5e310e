"""Files of the site, answered by the server without the application: just as by the application, but for its id."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from server.routes.pages.shared import static_files
from server.static_cache import KeptAnswers
from tests.live import LiveServer

CODED = "gzip, deflate, br, zstd"


class Asker:
    """Asks a server on one connection, and knows how many requests its application has answered."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        parts = urlsplit(server.url)
        self.connection = http.client.HTTPConnection(str(parts.hostname), int(parts.port or 80), timeout=30)

    def close(self) -> None:
        """Hang up."""
        self.connection.close()

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes, bool]:
        """Status, headers, body, and whether the application was asked (its answers have an id)."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request(method, path, headers=sent)
        answer = self.connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        asked = found.pop("x-request-id", None) is not None
        found.pop("date")
        return answer.status, found, answer.read(), asked


@pytest.fixture
def asker(live_server: LiveServer) -> Iterator[Asker]:
    with closing(Asker(live_server)) as asker:
        yield asker


def addresses(asker: Asker) -> dict[str, str]:
    page = asker.ask("/")[2].decode()
    files = re.findall(r'"(/static/[^"]+?\?v=\w+)"', page)
    return {kind: next(one for one in files if f".{kind}?" in one) for kind in ("css", "js", "svg")}


def test_a_file_is_asked_of_the_application_once_for_each_form(asker: Asker) -> None:
    for path in addresses(asker).values():
        for coded in (CODED, "gzip", "identity"):
            first = asker.ask(path, Accept_Encoding=coded)
            assert first[0] == 200
            assert first[3]
            again = asker.ask(path, Accept_Encoding=coded)
            assert not again[3]
            assert again[:3] == first[:3]
            assert "immutable" in again[1]["cache-control"]
            assert again[1].get("content-encoding") == {CODED: "br", "gzip": "gzip"}.get(coded)
            assert {"content-security-policy", "x-content-type-options", "etag", "vary"} <= again[1].keys()
            head = asker.ask(path, "HEAD", Accept_Encoding=coded)
            assert head == (200, first[1], b"", False)
            for given in (first[1]["etag"], f'"x", W/{first[1]["etag"]}', "*"):
                known = asker.ask(path, Accept_Encoding=coded, If_None_Match=given)
                assert (known[0], known[2], known[3]) == (304, b"", False)
                assert known[1]["etag"] == first[1]["etag"]
                assert known[1]["cache-control"] == first[1]["cache-control"]
                assert not known[1].keys() & {"content-length", "content-type", "content-encoding"}
            assert asker.ask(path, Accept_Encoding=coded, If_None_Match='"another"') == (200, *first[1:3], False)


def test_what_is_asked_otherwise_goes_to_the_application(asker: Asker) -> None:
    path = addresses(asker)["css"]
    asker.ask(path)
    assert not asker.ask(path)[3]
    assert asker.ask(path, "POST")[0] == 405
    for headers in ({"Range": "bytes=0-9"}, {"Authorization": "Bearer x"}, {"Content_Length": "0"}, {"Origin": "null"}):
        assert asker.ask(path, **headers)[3], headers
    for other in (path.split("?")[0], f"{path}&x=1", path.replace("v=", "v=0"), path.replace("/static", "/%73tatic")):
        for _ in range(2):
            status, _, _, asked = asker.ask(other)
            assert (status, asked) == (200, True)
    for _ in range(2):
        assert asker.ask("/static/none.css?v=0")[::3] == (404, True)
        assert asker.ask("/static/../pages.py")[::3] == (404, True)


def test_what_is_answered_so_is_counted(asker: Asker) -> None:
    path = addresses(asker)["js"]
    tag = asker.ask(path)[1]["etag"]
    for _ in range(3):
        asker.ask(path)
        asker.ask(path, If_None_Match=tag)
    told = asker.ask("/metrics")[2].decode()
    counted = dict(re.findall(r'ulm_requests_total{endpoint="pages.static",method="GET",status="(\d+)"} (\d+)', told))
    assert counted == {"200": "4", "304": "3"}


def test_below_a_path_and_behind_https(start_server: Callable[..., LiveServer]) -> None:
    path = f"/static/ulm.css?v={static_files.version('ulm.css')}"
    with closing(Asker(start_server(ULM_BASE_URL="https://example.org/ulm", ULM_PROXY_HOPS="1"))) as asker:
        first, again = asker.ask(path), asker.ask(path)
    assert again[:3] == first[:3]
    assert (first[3], again[3]) == (True, False)
    assert "strict-transport-security" in again[1]


def test_so_much_is_kept_and_nothing_that_is_for_one_alone() -> None:
    kept, counted = KeptAnswers(10_000), []

    def scope(path: bytes, method: str = "GET") -> dict[str, object]:
        return {"method": method, "raw_path": path, "query_string": b"", "headers": [(b"host", b"x")]}

    for number in range(20):
        kept.keep(scope(b"/%d" % number), [(b"etag", b'"a"')], b"x" * 1000, lambda *told: counted.append(told))
    assert [number for number in range(20) if kept.find(scope(b"/%d" % number))] == [15, 16, 17, 18, 19]
    kept.keep(scope(b"/large"), [(b"etag", b'"a"')], b"x" * 10_000, print)
    kept.keep(scope(b"/own"), [(b"etag", b'"a"'), (b"set-cookie", b"a=b")], b"x", print)
    kept.keep(scope(b"/head", "HEAD"), [(b"etag", b'"a"')], b"", print)
    kept.keep(scope(b"/changing"), [], b"x", print)
    assert not any(kept.find(scope(path)) for path in (b"/large", b"/own", b"/head", b"/changing"))
