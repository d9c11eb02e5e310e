"""What is written about a game, below its board, for who has no script."""

from server.service.archive import comments
from tests.routes.pages.conftest import Browser, sign_in
from tests.routes.pages.replay.conftest import elements, finished
from tests.service.conftest import NOW


def test_a_comment_is_read_from_its_move_on_and_written_there(match, store, client, time):
    m, _stranger = finished(match, store, private=False)
    late = comments.post(store, m.id, m.players[1], 4, "Too <late>", NOW)
    place = f"comment-{late['id']}"
    before = client.get(f"/replays/{m.id}?ply=3").text
    assert "hidden" in elements(before, "li", id=place)[0]
    [further] = elements(before, "a", id="next-comment")
    assert further["href"] == "?ply=4"
    there = client.get(f"/replays/{m.id}?ply=4").text
    assert "hidden" not in elements(there, "li", id=place)[0]
    assert "Too &lt;late&gt;" in there
    assert "Too" not in client.get(f"/embed/{m.id}?ply=4").text
    assert "Sign in" in before
    sign_in(client, store, m.players[0])
    browser = Browser(client)
    browser.open(f"/replays/{m.id}?ply=2&seat=1&tab=analysis")
    [form] = [form for form in browser.forms if form.label.startswith("Write")]
    fields = {name: value for name, value in form.fields.items() if name not in ("others", "remove")}  # its buttons

    def send(**values):
        return client.post(form.action, data=fields | values, headers=Browser.HEADERS, follow_redirects=True)

    answer = send(text="Ὧδε\nперелом")
    assert answer.status_code == 200
    assert answer.request.path == f"/replays/{m.id}"
    assert answer.request.args.to_dict() == {"ply": "2", "seat": "1", "tab": "analysis"}
    assert "Ὧδε\nперелом" in answer.text
    answer = send(text=" ")
    assert answer.status_code == 422
    assert elements(answer.text, "p", role="alert")
    send(others="yes")
    assert comments.listing(store, m.id, None)["others"]
    own = comments.listing(store, m.id, None)["comments"][0]
    send(remove=str(own["id"]))
    assert [one["text"] for one in comments.listing(store, m.id, None)["comments"]] == ["Too <late>"]
