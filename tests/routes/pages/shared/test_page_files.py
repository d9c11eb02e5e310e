"""Style sheets and scripts of a page: in it where the browser has them not, else at addresses that are kept."""

import re

from server.routes.pages.shared import static_files

INLINE = re.compile(r'<style nonce="([^"]+)" data-sheet="([^"]+)">([^<]*)</style>')
FILES = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
WORDS = re.compile(r"[{};]|(?<=[\w\])])[ ]:|:|[^\s{};:]+")
"""What a style sheet consists of: a space before a colon counts, one after it does not."""


def test_a_new_browser_waits_for_no_style_sheet_and_is_sent_each_once(client):
    first = client.get("/")
    inline = INLINE.findall(first.text)
    addresses = [address for _nonce, address, _css in inline]
    assert [address.split("?")[0] for address in addresses] == ["/static/ulm.css", "/static/lobby.css"]
    assert FILES.findall(first.text) == []
    policy = first.headers["Content-Security-Policy"]
    assert all(f"'nonce-{nonce}'" in policy.split("style-src")[1].split(";")[0] for nonce, _address, _css in inline)
    for _nonce, address, css in inline:
        with client.get(address) as answer:
            assert "immutable" in answer.headers["Cache-Control"]
            rules = re.sub(r"/\*.*?\*/", "", answer.text, flags=re.S)
        assert "/*" not in css
        assert WORDS.findall(css) == WORDS.findall(rules)
    second = client.get("/")
    assert INLINE.findall(second.text) == []
    assert FILES.findall(second.text) == addresses
    # Another page: only what is new to the browser stands in it.
    rules_page = client.get("/rules").text
    assert FILES.findall(rules_page)[0] == addresses[0]
    assert addresses[0] not in [address for _nonce, address, _css in INLINE.findall(rules_page)]
    assert INLINE.findall(rules_page)


def test_an_older_version_or_nonsense_counts_as_none(client):
    client.set_cookie(static_files.COOKIE, "ulm-0000.x..<b>" + ".y" * 100 + "." + "z" * 3000)
    answer = client.get("/")
    assert len(INLINE.findall(answer.text)) == 2
    [kept] = [one for one in answer.headers.getlist("Set-Cookie") if one.startswith(static_files.COOKIE)]
    assert len(kept) < 1000
    # Nothing of it is given back that is no mark: a cookie that grows too long is taken by no browser.
    value = kept.partition(";")[0].partition("=")[2].strip('"')
    assert {mark.rpartition("-")[0] for mark in value.split(".")} == {"ulm", "lobby"}
    assert "HttpOnly" in kept
