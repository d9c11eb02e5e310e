"""Every letter in a browser, as wide as a phone, a large phone and a desk show it, in light and dark."""

import base64
from dataclasses import replace

import pytest

from server.settings import Settings
from tests.browser.scripts import script
from tests.notify import letters

WIDTHS = (320, 375, 600)
_PROBLEMS = script("letters.problems")


@pytest.fixture
def tab(chromium):
    """A page without scripts of its own, like a mail program's."""
    context = chromium.new_context(java_script_enabled=True)
    yield context.new_page()
    context.close()


def show(tab, mail):
    """Open the HTML of a mail, with its pictures."""
    part = mail.get_body(("html",))
    assert part is not None
    html = part.get_content()
    for picture in mail.walk():
        if picture.get_content_type() == "image/png":
            data = base64.b64encode(picture.get_content()).decode("ascii")
            html = html.replace("cid:" + picture["Content-ID"].strip("<>"), f"data:image/png;base64,{data}")
    tab.set_content(html, wait_until="load")


def test_every_letter_fits_a_phone(tab, axe, tmp_path):
    settings = replace(
        Settings(),
        data_dir=tmp_path,
        base_url="https://ulm.example.org",
        mail_from="ulm@ulm.example.org",
        mail_pictures=False,
        reply_domain="ulm.example.org",
    )
    with letters.fresh_store(tmp_path) as store:
        for language, name, mail in letters.written(store, settings):
            show(tab, mail)
            for width in WIDTHS:
                tab.set_viewport_size({"width": width, "height": 700})
                assert tab.evaluate(_PROBLEMS) == [], (language, name, width)
            if (language, name) in (("en", "turn_late"), ("de", "over")):
                for scheme in ("light", "dark"):
                    tab.emulate_media(color_scheme=scheme)
                    axe(tab)


def test_a_picture_is_no_wider_than_the_phone(tab, tmp_path):
    pytest.importorskip("resvg_py")
    settings = replace(Settings(), data_dir=tmp_path, base_url="https://ulm.example.org", mail_pictures=True)
    with letters.fresh_store(tmp_path) as store:
        table = letters.Letters(store, settings, "en")
        table.until(0, 1)
        show(tab, table.mail("turn"))
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 700})
        assert tab.evaluate("() => document.images[0].naturalWidth") > 0
        assert tab.evaluate(_PROBLEMS) == [], width
