"""Collections without a script: made from the viewer, changed, ordered, taken along, deleted."""

from urllib.parse import quote

from server.routes.pages.replay import viewer_values
from server.service.accounts import sessions
from server.service.archive import game_collections
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.storage import sql
from tests.routes.pages.conftest import Browser, read, sign_in
from tests.service.conftest import NOW, give_address, make_player


def test_a_game_is_put_into_a_collection_and_that_is_written_ordered_and_deleted(match, store, client, time):
    m = match()
    for _ in range(3):
        m.play_turn()
    m.end_early()
    ann = give_address(store, m.players[0], "ann@example.org")
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


def test_who_makes_none_is_told_the_way_and_led_back_to_the_move(match, store, client, time, monkeypatch):
    """The form was refused when it was sent, the way in forgot the replay; a button led to what is not installed."""
    m = match()
    m.play_turn()
    m.end_early()
    here = f"/replays/{m.id}?ply=2"
    for page, back in ((here, here), ("/collections", "/collections")):
        shown = client.get(page).text
        assert "Sign in to make collections" in shown
        assert "Add to a collection, to" not in shown
        browser = Browser(client)
        browser.open(next(link for link in read(shown).links[::-1] if link.startswith("/sign-in?next=")))
        browser.open(next(link for link in read(browser.response.text).links[::-1] if link.startswith("/sign-up")))
        assert browser.press(browser.forms[0], follow=False, name="Gast").location == back
        shown = client.get(page).text
        assert "Confirm your mail address first: then you may make collections" in shown
        assert "/account#address" in read(shown).links
        assert "Add to a collection, to" not in shown
        client.delete_cookie("ulm_session")
    ann = give_address(store, make_player(store, "Ann"), "ann@example.org")
    made = game_collections.add(store, ann, "", m.id, None, NOW)
    sign_in(client, store, ann)
    browser.open(here)
    button = browser.button("Add")
    shown, _games = game_collections.read(store, made, ann)
    game_collections.change(store, ann, made, {**shown, "entries": []}, NOW)
    assert "below its board add it" in client.get(f"/collections/{made}").text
    sessions.sign_out_everywhere(store, ann, NOW)
    assert browser.press(button, follow=False).location.endswith(quote(f"{here}#take", safe="/?"))
    assert "Animation" in client.get(here).text
    monkeypatch.setattr(viewer_values, "can_draw", lambda: False)
    assert "Animation" not in client.get(here).text


def test_a_file_has_an_analysis_that_came_after_the_first_one(store, client, time):
    ensure_example(store, NOW)
    ann = give_address(store, make_player(store, "Ann"), "ann@example.org")
    path = f"/collections/{game_collections.add(store, ann, '', EXAMPLE_ID, None, NOW)}/export.html"
    with store.read():
        data = sql.value(store, "SELECT data FROM analysis WHERE game_id = ?", EXAMPLE_ID)
    for kept in (None, data):
        with store.write():
            sql.execute(store, "UPDATE analysis SET data = ? WHERE game_id = ?", kept, EXAMPLE_ID)
        assert ("The costliest errors" in client.get(path).text) == (kept is not None)
