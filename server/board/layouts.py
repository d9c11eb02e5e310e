"""How the board is laid out (`layouts.json`): `wide` and `narrow` show all on one sheet, `desk` is the board of a
game's page, `square` and `town` are its halves for a phone."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, eq=False, kw_only=True)  # one object for each layout
class Layout:
    """The sizes of one layout, in its units."""

    name: str
    width: float  # of the whole sheet
    small: float  # the smallest type
    body: float  # the usual type
    close: bool  # whether there is little air between the parts
    pad: float  # from a panel's edge to what is in it
    chip: Sequence[float]  # how large chips are: `chips.Measures`
    button: Sequence[float]  # and those that are links: in the narrow layout as high as a finger is wide at 360 pixels
    inset: float = 0  # from the sheet's edge to the line around it; 0: there is none

    # The square, and what lies beside it.
    pitch: float = 0  # from cell to cell of the square, which is five of them wide and high
    gate: float = 0  # half the side of a gate, as a part of the pitch
    gate_name: float = 1  # the type of a gate's name, as a part of the small one
    coat_seal: float = 0  # the radius of a coat seal, as a part of the pitch
    outward: float = 0  # how far off the gate its middle lies, as a part of the radius
    pile: float = 0  # the scale of the draw pile
    caption: float = 0  # the air between a pile and its number

    # The town.
    bank: float = 0  # the height of a bank of the river
    river: float = 0  # the height of the river, its wall included
    wall: float = 0  # the height of the city wall at its northern edge
    lead: float = 0  # the air between number, plaque and barge of a space
    plaque: float = 0  # the height of what shows the worth of a space
    bridge: float = 0  # how much of a stretch of the river the bridge takes
    crest: float = 0  # the height of a shield in a quarter
    seal: float = 0  # the radius of a seal in a quarter
    building: float = 0  # the scale of a quarter's building
    pennant: float = 0  # the height of the pennants of barges that reach a quarter; 0: they are not shown


LAYOUTS = {
    name: Layout(name=name, **sizes)
    for name, sizes in json.loads((files("server.board") / "layouts.json").read_text("utf-8")).items()
}
"""The layouts by their names."""
WIDE, NARROW = LAYOUTS["wide"], LAYOUTS["narrow"]
WHOLE = (WIDE.name, NARROW.name)
"""The layouts that show all of a game on one picture."""
