"""What is written about a game, below its board, for who has no script."""

from server.service.archive import comments
from tests.routes.pages.conftest import Browser, sign_in
from tests.routes.pages.replay.conftest import elements, finished
from tests.service.conftest import NOW


def test_a_comment_is_read_from_its_move_on_and_written_there(match, store, client, time):
    m, _stranger = finished(match, store, private=False)
    comments.post(store, m.id, m.players[1], 4, "Too <late>", NOW)
    before = client.get(f"/replays/{m.id}?ply=3").text
    assert "Too" not in before.partition("<template>")[0]
    [further] = elements(before, "a", id="next-comment")
    assert further["href"] == "?ply=4"
    assert "Too &lt;late&gt;" in client.get(f"/replays/{m.id}?ply=4").text.partition("<template>")[0]
    assert "Too" not in client.get(f"/embed/{m.id}?ply=4").text
    assert "Sign in" in before
    sign_in(client, store, m.players[0])
    browser = Browser(client)
    browser.open(f"/replays/{m.id}?ply=2&seat=1&tab=analysis")
    answer = browser.press(browser.button("Write"), text="Here\nit turned")
    assert answer.status_code == 200
    assert answer.request.path == f"/replays/{m.id}"
    assert answer.request.args.to_dict() == {"ply": "2", "seat": "1", "tab": "analysis"}
    assert "Here\nit turned" in answer.text
    answer = browser.press(browser.button("Write"), text=" ")
    assert answer.status_code == 422
    assert elements(answer.text, "p", role="alert")
    browser.press(browser.button("Let others write, too"))
    assert comments.listing(store, m.id, None)["others"]
    browser.press(browser.button("Remove"))
    assert [one["text"] for one in comments.listing(store, m.id, None)["comments"]] == ["Too <late>"]
