"""The watch over the browser sees what it is there to see, and the helpers bring people where tests want them."""

import pytest


def test_what_a_page_must_not_do_is_found_out(site, open_page, axe):
    tab = open_page("/sign-in", allow=".")
    watch = tab.watch
    assert watch.problems == []
    tab.evaluate("document.body.append(Object.assign(document.createElement('img'), {src: 'http://127.0.0.9/x.png'}))")
    tab.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.bad=1'}))")
    tab.evaluate("console.error('broken'); setTimeout(() => { throw new Error('thrown') }, 0)")
    tab.wait_for_timeout(300)
    said = "\n".join(watch.problems)
    assert said.count("Content Security Policy") >= 2
    assert "broken" in said
    assert "thrown" in said
    assert not tab.evaluate("window.bad")
    with pytest.raises(AssertionError, match=r"127\.0\.0\.9"):
        watch.check()
    watch.requests.clear()
    tab.evaluate("document.querySelector('main').append(document.createElement('button'))")
    with pytest.raises(AssertionError, match="button-name"):
        axe(tab)
