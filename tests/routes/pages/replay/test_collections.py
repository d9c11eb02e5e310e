"""Collections without a script: made from the viewer, changed, taken along, deleted."""

from server.service.archive import game_collections
from tests.routes.pages.conftest import Browser, sign_in
from tests.service.conftest import give_address


def test_a_game_is_put_into_a_collection_and_that_is_written_and_deleted(match, store, client, time):
    m = match()
    for _ in range(3):
        m.play_turn()
    m.end_early()
    ann = give_address(store, m.players[0], "ann@example.org")
    assert client.get("/collections").status_code == 200
    sign_in(client, store, ann)
    browser = Browser(client)
    for ply in (4, 2):
        browser.open(f"/replays/{m.id}?ply={ply}")
        chosen = [one["id"] for one in game_collections.listing(store, ann, ann.id)[0]]
        answer = browser.press(browser.button("Add"), **({"collection": chosen[0]} if chosen else {}))
        assert answer.status_code == 200
    [listed] = game_collections.listing(store, ann, ann.id)[0]
    assert (listed["games"], listed["public"]) == (2, False)
    [form] = [form for form in browser.forms if form.label == "Save"]
    fields = {**form.fields, "title": "A course", "text": "One\n\nTwo <b>", "public": "yes",
              "game": [m.id, m.id], "ply": ["4", "2"], "remark": ["second", "first"], "place": ["2", "1"]}  # fmt: skip
    answer = client.post(form.action, data=fields, headers=Browser.HEADERS, follow_redirects=True)
    assert answer.text.index(">first<") < answer.text.index(">second<")
    assert "Two &lt;b&gt;</p>" in answer.text
    path = answer.request.path
    file = client.get(f"{path}/export.html")
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert file.text.count("<iframe") == 2
    fields["place"] = ["", "1"]
    client.post(form.action, data=fields, headers=Browser.HEADERS)
    assert [one["remark"] for one in game_collections.read(store, listed["id"], None)["entries"]] == ["first"]
    assert "A course" in client.get("/collections").text
    fields["title"] = "see www.example.org"
    fields["remark"] = ["typed long", ""]
    answer = client.post(form.action, data=fields, headers=Browser.HEADERS)
    assert answer.status_code == 422
    assert "typed long" in answer.text, "what was refused is not to be typed once more"
    browser.open(path)
    browser.press(browser.button("Delete this collection"))
    assert game_collections.listing(store, ann, ann.id)[0] == []
