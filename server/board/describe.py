"""A position in a few sentences, for those who do not see the picture."""

from server.board.canvas import Canvas
from server.board.listing import signed
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import QUARTERS


def headline(canvas: Canvas, view: View) -> str:
    """Return the title of the picture."""
    words = canvas.words
    return words["title_over"] if view["phase"] == "over" else words["title"].format(round=view["round"])


def description(canvas: Canvas, view: View) -> str:
    """Return what a player at the table sees, as sentences."""
    words, names = canvas.words, canvas.names
    lister = canvas.lister
    said = []
    if view["scores"]:
        said.append(f"{words['over']}: {lister.winners(view)}.")
    else:
        said.append(lister.turn(view) + ".")
    rows = "; ".join(", ".join(words.action_names[color] for color in row) for row in view["grid"])
    said.append(f"{words['grid']}: {rows}.")
    outer = ", ".join(f"{slot} {words.action_names[color]}" for slot, color in view["outer"].items())
    if outer:
        said.append(f"{words['blocked_lines']}: {outer}.")
    said.append(f"{words['docks']}: {lister.counted(view['docks'])}.")
    said += lister.tower(view)
    if view["descendants"]:
        people = ", ".join(words.descendants[name] for name in view["descendants"])
        said.append(f"{words.quarters['oath_house']}: {people}.")
    for seat, player in enumerate(view["players"]):
        total = view["scores"][seat]["total"] if view["scores"] else player["vp"]
        barge = words["space"].format(space=player["barge"], value=signed(canvas.rules.space_value[player["barge"]]))
        parts = [
            f"{total} {words['vp']}",
            f"{player['coins']} {words['coins']}",
            f"{player['sparrows']} {words['sparrows']}",
            f"{words['tiles']}: {lister.counted(player['tiles'])}",
            barge,
            f"{player['seals']} {words['seals']}",
            f"{player['hand_size']} {words['cards']}",
        ]
        said.append(f"{names[seat]} ({words.seats[seat]}): {', '.join(parts)}.")
    placed = [
        f"{words.quarters[quarter]}: {', '.join(names[seat] for seat in view['quarters'][quarter])}"
        for quarter in QUARTERS
        if view["quarters"][quarter]
    ]
    if placed:
        said.append(f"{words['quarters']}: {'; '.join(placed)}.")
    return " ".join(said)
