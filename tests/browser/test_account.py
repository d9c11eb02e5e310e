"""The page of the account and signing in, in a real browser."""

import pytest

from server.service.accounts import sessions


def test_the_time_zone_of_the_device_is_offered(site, open_page):
    person = site.person("Cleo", confirmed=True)
    tab = open_page("/account", person=person, timezone_id="Europe/Rome")
    tab.get_by_role("button", name="Take the time zone of this device: Rome").click()
    assert tab.get_by_label("Where you live").input_value() == "Europe/Rome"
    tab.locator("#look").get_by_role("button", name="Save").click()
    tab.get_by_text("this is how pages and mails look").wait_for()
    assert sessions.player_by_id(site.store, person.id).preferences["time_zone"] == "Europe/Rome"
    assert not tab.get_by_role("button", name="Take the time zone").is_visible()


@pytest.mark.parametrize(("path", "form"), [("/account", "/sign-out"), ("/account/delete", "/account/delete")])
def test_who_signs_out_or_goes_leaves_no_drafts(site, open_page, path, form):
    tab = open_page(path, person=site.person("Eva"))
    kept = tab.evaluate(
        """(action) => {
      for (const name of ["ulm:draft:a-0", "ulm:keys", "another"]) localStorage.setItem(name, "x");
      const form = document.querySelector(`form[action$='${action}']`);
      form.dispatchEvent(new SubmitEvent("submit", { bubbles: true }));  // without being sent
      return Object.keys(localStorage);
    }""",
        form,
    )
    assert sorted(kept) == ["another", "ulm:keys"]
