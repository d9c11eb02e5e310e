"""The last round of a game is announced, at all sizes."""

from tests.browser.scripts import script

WINDOWS = ((360, 667), (390, 844), (820, 1180), (1280, 800))
WHOLE = script("last_round.whole")


def test_the_last_round_is_said_in_full_beside_whose_turn_it_is(site, open_page):
    """Not in the one before."""
    game, ann, ben = site.two()
    tabs = {(width, height): open_page(person=ann, width=width, touch=width < 720) for width, height in WINDOWS}
    for round_ in (9, 10):
        site.advance(game, ann, ben, until=lambda page, at=round_: page["round"] == at and page["to_move"] == 0)
        for language in ("en", "de", "it"):
            site.call("/players/me", {"preferences": {"language": language}}, ann.token, method="PATCH")
            for (width, height), tab in tabs.items():
                tab.set_viewport_size({"width": width, "height": height})
                tab.goto(f"/games/{game}")
                assert tab.locator("h1 .last-round").count() == (round_ == 10)
                if round_ == 10:  # what the other did may be played first, in its place
                    tab.wait_for_function(WHOLE, timeout=60_000)
