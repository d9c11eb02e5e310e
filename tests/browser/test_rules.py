"""The rules page in a browser: accessible in every colour, without sideways scrolling, loading nothing foreign."""


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


def test_the_numbered_picture_is_seen_at_once(open_page):
    """On a desk the square with its number, and the first words to it, are above the fold; no number is cut off."""
    tab = open_page("/rules")
    seen = tab.evaluate(
        "[...document.querySelectorAll('.callout-dot')].map(one => one.getBoundingClientRect().toJSON())"
    )
    assert min(one["left"] for one in seen) >= 0
    assert seen[0]["bottom"] < 400
    assert tab.locator(".legend.numbers li").first.bounding_box()["y"] < 400
    assert tab.locator(".numbered svg").evaluate("one => getComputedStyle(one).overflow") == "visible"


def boxes(tab, selector):
    return tab.locator(selector).evaluate_all(
        "all => all.map(one => ({ ...one.getBoundingClientRect().toJSON(), text: one.textContent }))"
    )


def meet(one, other):
    beside = one["left"] >= other["right"] or other["left"] >= one["right"]
    return not beside and one["top"] < other["bottom"] and other["top"] < one["bottom"]


def test_on_a_phone_no_number_is_cut_off_or_covers_a_count_and_chapters_keep_to_their_columns(open_page):
    tab = open_page("/rules", width=390, touch=True)
    dots = boxes(tab, ".callout-dot")
    assert min(dot["left"] for dot in dots) >= 0
    counts = [box for box in boxes(tab, ".numbered svg > g text") if box["text"].isdecimal()]
    assert len(counts) > 20
    assert [count["text"] for count in counts if any(meet(count, dot) for dot in dots)] == []
    columns = tab.evaluate(
        "[...document.querySelectorAll('.contents li')].map(one => [one.offsetLeft, one.firstElementChild.scrollWidth"
        " - one.firstElementChild.clientWidth, one.clientWidth])"
    )
    assert len({left for left, _over, _width in columns}) == 2
    assert max(over for _left, over, _width in columns) <= 0
