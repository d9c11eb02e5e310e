"""What others did is played on the board: once, to be skipped, and without motion for who wishes none."""

from playwright.sync_api import expect

from tests.browser.scripts import script

MOVES = "no-preference"
WAIT = 15_000
PLAYING = script("since.playing")

COVERED = script("since.covered")


def play_on(site, game, mover, word):
    """Play the first legal move that begins with `word`."""
    move = next(move for move in site.legal(game, mover) if move.startswith(word))
    site.play(game, mover, move)
    return move


def test_others_moves_are_played_once(site, open_page):
    game, ann, ben = site.two("Ann", "Ben", mover_first=True)
    tab = open_page(f"/games/{game}", person=ben, reduced_motion=MOVES)
    stage, now, button = tab.locator(".since-stage"), tab.locator("#since-now"), tab.locator("#since-play")
    expect(tab.locator("#since")).to_be_hidden()  # nothing has happened yet
    slot = play_on(site, game, ann, "push").split()[1]
    # It came while the page was open: it slides in, and the strip says what it is.
    boxes = tab.wait_for_function(PLAYING, arg=f"in at {slot}", timeout=WAIT).json_value()
    assert all(abs(one - other) < 1 for one, other in zip(*boxes, strict=True)), boxes
    expect(stage).to_have_count(0, timeout=WAIT)
    folded = tab.locator("#since").bounding_box()["height"]
    expect(now).to_be_hidden()
    site.advance(game, ann, until=lambda page: page["to_move"] != page["seat"])
    expect(tab.locator("#headline")).to_have_text("Your turn", timeout=WAIT)
    tab.reload()
    expect(button).to_have_text("Play it again")
    expect(stage).to_have_count(0)
    for key in (None, "Escape"):
        button.click()
        expect(now).to_be_visible(timeout=WAIT)
        assert tab.locator("#since").bounding_box()["height"] == folded
        tab.keyboard.press(key) if key else button.click()
        expect(stage).to_have_count(0)
    # Whoever begins to act sees the present.
    button.click()
    expect(now).to_be_visible(timeout=WAIT)
    expect(tab.locator(".since-sign")).to_have_text(f"What {ann.name} did")
    board, sign = (tab.locator(one).bounding_box() for one in ("#board", ".since-sign"))
    assert sign["x"] >= board["x"] + board["width"], "it covers nothing of the board"
    tab.locator("#since summary").focus()
    choice = tab.locator("#moves button.move").first
    box, wanted = choice.bounding_box(), choice.get_attribute("data-move")
    tab.mouse.click(box["x"] + 5, box["y"] + 5)
    expect(tab.locator(".since-stage, .since-sign, #play.watching")).to_have_count(0)
    expect(tab.locator("#play")).to_have_attribute("data-draft", wanted)
    still = open_page(f"/games/{game}", person=ben)
    # Who looks at a game for the first time, before a turn of their own, is shown no frames but those they ask for.
    still.wait_for_selector("#since-play:not([hidden])")
    still.wait_for_timeout(1500)
    expect(still.locator(".since-mark")).to_have_count(0)
    still.locator("#since-play").click()
    expect(still.locator(".since-mark").first).to_be_attached(timeout=WAIT)
    assert still.evaluate(COVERED) == []
    assert still.locator(".since-stage").count() == 0


def waiting_turn(site, open_page, **options):
    """A page on which Ben is to push, and Ann has played before."""
    game, ann, ben = site.two("Ann", "Ben", mover_first=True)
    own = site.page(game, ben)["seat"]
    site.advance(game, ann, until=lambda page: page["to_move"] == own)
    tab = open_page(f"/games/{game}", person=ben, reduced_motion=MOVES, **options)
    return tab, [move for move in site.legal(game, ben) if move.startswith("push")]


def film(tab):
    expect(tab.locator("#since-now")).to_be_visible(timeout=WAIT)


def test_nothing_holds_up_ones_own_move(site, open_page):
    """The choices were grey while the moves of others were played, and a press did nothing but to end that."""
    tab, pushes = waiting_turn(site, open_page)
    film(tab)
    button = tab.locator("#moves button.move").nth(1)
    assert tab.evaluate("() => getComputedStyle(document.getElementById('moves')).opacity") == "1"
    wanted = button.get_attribute("data-move")
    assert button.get_attribute("data-number") == "2"
    tab.keyboard.press("2")
    expect(tab.locator("#play")).to_have_attribute("data-draft", wanted)
    expect(tab.locator(".since-stage")).to_have_count(0)
    tab.locator(".bar .undo").click()
    expect(tab.locator("#play[data-draft]")).to_have_count(0)
    tab.locator("#since-play").click()
    film(tab)
    slot = pushes[0].split()[1]
    expect(tab.locator(f'.since-stage .offered[data-slot="{slot}"]')).to_be_visible()  # it is seen in the film, too
    box = tab.locator(f'.picture a[data-link="slot-{slot}"]').bounding_box()
    tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tab.locator("#play")).to_have_attribute("data-draft", pushes[0])


def test_a_tap_in_the_film_plays_nothing_that_is_not_seen_there(site, open_page):
    """It ended the film, and pushed at the gate that came under the finger when the board of the present came back."""
    game, ann, ben = site.two("Ann", "Ben", mover_first=True)
    own = site.page(game, ben)["seat"]
    site.advance(game, ann, until=lambda page: page["to_move"] == own, rather="river")
    tab = open_page(f"/games/{game}", person=ben, width=375, touch=True, reduced_motion=MOVES)
    film(tab)
    tab.locator("#since-play").tap()
    expect(tab.locator(".since-stage")).to_have_count(0)
    box = tab.locator('.picture a[data-link^="slot-"]').first.bounding_box()
    tab.locator("#since-play").tap()
    tab.wait_for_function(
        "() => document.querySelector('.picture').scrollLeft > 300 && document.querySelector('.since-stage')"
    )
    tab.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tab.locator(".since-stage")).to_have_count(0)
    expect(tab.locator(".bar a[aria-current]")).to_have_attribute("href", "#panel-square")
    tab.wait_for_timeout(500)  # in which the page of a push would come
    assert tab.locator("#play[data-draft], :popover-open").count() == 0


def test_how_fast_the_turns_of_others_are_played_is_chosen_and_remembered(site, open_page):
    tab, _pushes = waiting_turn(site, open_page)
    film(tab)
    tab.locator("#since summary").click()
    tab.locator("#since-instant").check()
    tab.goto("/")
    other, ann, ben = site.two("Ann", "Ben", mover_first=True)
    own = site.page(other, ben)["seat"]
    site.sign_in(tab.context, ben)
    tab.goto(f"/games/{other}")
    site.advance(other, ann, until=lambda page: page["to_move"] == own)
    expect(tab.locator(".since-mark").first).to_be_attached(timeout=WAIT)
    assert tab.locator(".since-stage").count() == 0
    expect(tab.locator("#since-play")).to_have_text("Show it")
    tab.locator("#since summary").click()
    assert tab.locator("#since-instant").is_checked()
    tab.locator("#since-fast").check()
    tab.locator("#since-play").click()
    film(tab)


PRESSED_TOO_LATE = script("since.pressed_too_late")


def test_who_skips_a_moment_too_late_does_not_see_it_all_again(site, open_page):
    game, ann, ben = site.two("Ann", "Ben", mover_first=True)
    site.advance(game, ann, until=lambda page: page["to_move"] != page["seat"])
    tab = open_page(f"/games/{game}", person=ben, reduced_motion=MOVES)
    button = tab.locator("#since-play")
    expect(button).to_be_visible(timeout=WAIT)
    if button.text_content() != "Skip":
        button.click()
    expect(button).to_have_text("Skip")
    assert tab.evaluate(PRESSED_TOO_LATE) == ["Skip", 0, "Play it again"]
    button.click()
    expect(tab.locator(".since-stage").first).to_be_attached(timeout=WAIT)


def test_who_ends_the_game_is_not_shown_their_own_turn_beside_the_result(site, open_page):
    """The board jumped back and played it once more, without a word of why."""
    game, ann, ben = site.two("Ann", "Ben")
    if site.page(game)["to_move"] == 0:
        ann, ben = ben, ann  # who begins is not the last
    last = site.page(game, ann)["seat"]
    site.advance(game, ann, ben, until=lambda page: page["round"] == 10 and page["to_move"] == last)
    tab = open_page(f"/games/{game}", person=ann, reduced_motion=MOVES)
    tab.locator("#headline").wait_for()
    tab.keyboard.press("Escape")
    expect(tab.locator(".since-stage")).to_have_count(0)
    site.advance(game, ann, until=lambda page: page["phase"] == "actions" or page["to_move"] != page["seat"])
    tab.goto(f"/games/{game}")
    tab.keyboard.press("Escape")
    tab.locator("#move-end").click()
    tab.locator("#move-end-now, .result").first.wait_for()
    if tab.locator("#move-end-now").count():
        tab.locator("#move-end-now").click()
    tab.locator(".result").wait_for()
    tab.wait_for_timeout(500)  # in which a film begins
    assert tab.locator("#play.watching, .since-stage").count() == 0


def test_what_others_did_folds_when_it_is_of_another_turn(site, open_page):
    """Once opened it lay where the actions are, then and in all that followed. Whoever makes a move has read it; it
    stays open while the page is only renewed."""
    game, ann, ben = site.two("Ann", "Ben", mover_first=True)

    def turn_of(person):
        own = site.page(game, person)["seat"]
        return lambda page: bool(page["to_move"] == own)

    site.advance(game, ann, until=turn_of(ben))
    tab = open_page(f"/games/{game}", person=ben)
    opened, summary = tab.locator("#since details[open]"), tab.locator("#since summary")
    summary.click()
    expect(opened).to_have_count(1)
    draft = next(one for one in site.legal(game, ben) if one.startswith("push"))
    tab.locator(f"#moves button[data-move='{draft}']").click()
    expect(tab.locator("#done .drafted")).to_have_count(1)
    expect(opened).to_have_count(0)
    tab.locator("#sending-now summary").click()
    tab.locator("#sending-now button").click()
    expect(tab.locator("#done .drafted")).to_have_count(0)
    summary.click()
    expect(opened).to_have_count(1)
    site.call(f"/games/{game}/messages", {"text": "Hello"}, ann.token)
    expect(tab.locator(".talk .messages")).to_contain_text("Hello", timeout=WAIT)
    expect(opened).to_have_count(1)
    site.advance(game, ben, until=turn_of(ann))
    expect(tab.locator("#headline")).to_have_text(f"It is {ann.name}’s turn", timeout=WAIT)
    expect(opened).to_have_count(0)
    expect(summary).to_have_count(0)  # there is nothing to open yet
    site.play(game, ann, next(one for one in site.legal(game, ann) if one.startswith("push")))
    summary.click()
    expect(opened).to_have_count(1)
    site.advance(game, ann, until=turn_of(ben))
    expect(tab.locator("#headline")).to_have_text("Your turn", timeout=WAIT)
    expect(opened).to_have_count(0)
