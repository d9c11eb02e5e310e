"""The rules page in a browser: where links lead, and its pictures in each theme."""


def test_a_rule_is_shown_where_it_is_told(open_page):
    """A link by id opens the chapter there, and the rule is marked."""
    tab = open_page("/rules/id/D4", width=360)
    assert tab.url.endswith("/rules/danube#rule-D4")
    mark = tab.locator("#rule-D4")
    top = mark.bounding_box()
    assert top is not None
    assert 0 <= top["y"] < 700
    assert mark.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_pictures_have_the_colours_of_the_page(open_page):
    """One picture for all themes: its colours come from the page's style."""
    seen = set()
    for theme in ("light", "dark", "colour-blind", "colour-blind-dark"):
        tab = open_page("/rules", theme=theme)
        seen.add(
            tab.locator("svg .piece, svg rect").first.evaluate(
                "one => [getComputedStyle(one)].map(its => its.fill + its.stroke)[0]"
            )
        )
    assert len(seen) == 4
