"""Collections without a script: made from the viewer, changed, ordered, taken along, deleted."""

from server.service.archive import game_collections
from tests.routes.pages.conftest import Browser, sign_in
from tests.service.conftest import give_address


def test_a_game_is_put_into_a_collection_and_that_is_written_ordered_and_deleted(match, store, client, time):
    m = match()
    for _ in range(3):
        m.play_turn()
    m.end_early()
    ann = give_address(store, m.players[0], "ann@example.org")
    assert client.get("/collections").status_code == 200
    assert "Add to a collection" not in client.get(f"/replays/{m.id}").text, "what needs an account is not offered"
    sign_in(client, store, ann)
    browser = Browser(client)
    for ply in (4, 2):
        browser.open(f"/replays/{m.id}?ply={ply}")
        chosen = [one["id"] for one in game_collections.of_author(store, ann)]
        answer = browser.press(browser.button("Add"), **({"collection": chosen[0]} if chosen else {}))
        assert answer.status_code == 200
    [made] = game_collections.of_author(store, ann)
    assert ([one["ply"] for one in made["entries"]], made["public"]) == ([4, 2], False)
    path = answer.request.path
    assert "Delete it for ever" not in browser.open(f"{path}?change").text
    [form] = [form for form in browser.forms if form.label.startswith("Save")]
    told = {"title": "Schöne Züge – Ένα μάθημα", "text": "Один.\n\n第二 <b>", "public": "yes"}
    fields = {**form.fields, **told, "game": [m.id, m.id], "ply": ["4", "2"], "remark": ["second", "first"]}
    fields["act"] = "up 1"
    answer = client.post(form.action, data=fields, headers=Browser.HEADERS)
    assert answer.location == f"{path}?change#game-1"
    answer = client.get(path)
    assert answer.text.index(">first<") < answer.text.index(">second<")
    assert "Один.\n\n第二 &lt;b&gt;</p>" in answer.text
    assert told["title"] in client.get("/collections").text
    file = client.get(f"{path}/export.html")
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert file.text.count("<iframe") == 2
    assert told["title"] in file.text
    fields["act"] = "out 1"
    client.post(form.action, data=fields, headers=Browser.HEADERS)
    assert [one["remark"] for one in game_collections.read(store, made["id"], None)[0]["entries"]] == ["second"]
    fields["title"] = "see www.example.org"
    fields["remark"] = ["typed long", ""]
    answer = client.post(form.action, data=fields, headers=Browser.HEADERS)
    assert answer.status_code == 422
    assert "typed long" in answer.text, "what was refused is not to be typed once more"
    browser.open(path)
    browser.press(browser.button("Delete it for ever"))
    assert game_collections.of_author(store, ann) == []
