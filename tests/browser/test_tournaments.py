"""A tournament of four people and four bots: opened, entered, played and proven by its pages."""

import re
import time
from datetime import UTC, datetime
from urllib.request import urlopen

from replays.cli import main as replay
from server.board.measure import columns
from server.service.contests import rounds


def places(page):
    """The table, a text for each row."""
    return [" ".join(row.split()) for row in page.locator("table.results tbody tr").all_inner_texts()]


def test_four_people_and_four_bots(site, open_page, axe, tmp_path, capsys):
    page = open_page("/", width=375)
    page.get_by_role("link", name="Tournaments").click()
    page.get_by_label("Name", exact=True).fill("Κύπελλο 烏爾姆, Größe XL")
    page.get_by_label("Seats of a table").select_option("4")
    page.get_by_label("Kind").select_option("knock-out")
    page.get_by_label("Bots that enter").select_option("5")
    page.get_by_label("How they play").select_option("random")
    page.get_by_role("button", name="Open it").click()
    made = re.search(r"/tournaments/(\w+)$", page.url)[1]
    others = [site.person(name) for name in ("Jürgen Groß", "Людмила", "王小明")]
    for person in others:
        site.call(f"/tournaments/{made}/entries", {}, person.token)
    page.reload()
    assert len(places(page)) == 9
    page.get_by_role("row", name="random bot (5)").get_by_role("button", name="Take out").click()
    page.wait_for_function("() => document.querySelectorAll('table.results tbody tr').length === 8")
    page.get_by_role("button", name="Start the tournament").click()
    for number in (1, 2):
        page.locator("p.lead", has_text=f"Round {number} of 2").wait_for()
        assert number == 1 or page.locator("section", has_text=f"Round {number - 1}").locator("code").count() == 2
        for person in others:
            for table in site.call(f"/tournaments/{made}", None, person.token)["tables"]:
                if table["game"] and table["status"] == "running":
                    ply = site.call(f"/games/{table['game']}", None, person.token)["ply"]
                    site.call(f"/games/{table['game']}/moves", {"ply": ply, "moves": ["resign"]}, person.token)
        own = page.get_by_role("link", name="To your table")
        if own.count():
            own.click()
            page.goto(f"{page.url.partition('?')[0]}/resign")
            page.get_by_role("button", name=re.compile("Resign|Yes")).click()
            page.wait_for_url(re.compile(r"/games/\w+"))
        end = time.monotonic() + 120
        while (
            site.call(f"/tournaments/{made}")["round"] == number
            and site.call(f"/tournaments/{made}")["status"] != "over"
        ):
            assert time.monotonic() < end
            rounds.run(site.store, datetime.now(UTC))  # the server's own job comes every few seconds
            time.sleep(0.1)
        page.goto(f"/tournaments/{made}")
    page.locator("p.lead", has_text="It is over.").wait_for()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    file = tmp_path / "records.jsonl"
    with urlopen(site.url + page.get_by_role("link", name="All records").get_attribute("href")) as answer:
        file.write_bytes(answer.read())
    assert replay(["standings", str(file)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if re.match(r" +\d", line)]
    assert {columns(line) for line in lines} == {64}  # Chinese letters are two wide
    shown = [[row.split()[0], *row.replace("−", "-").split()[-3:]] for row in places(page)]
    assert [[line.split()[0], *line.split()[-3:]] for line in lines] == shown
    page.get_by_role("link", name=re.compile("王小明")).last.click()
    page.wait_for_url(re.compile("/replays/"))
