"""How the board is laid out: the sizes of each layout, which all that draws asks for.

`wide` and `narrow` show all there is on one sheet, for replays, mails and pictures. The others are for the page of a
game, which says by itself who plays and what is to be done: `desk` is the board alone, `square` and `town` are its two
halves for a phone.
"""

from dataclasses import dataclass


@dataclass(frozen=True, eq=False, kw_only=True)  # one object for each layout
class Layout:
    """The sizes of one layout, in its units."""

    name: str
    width: float  # of the whole sheet
    small: float  # the smallest type
    body: float  # the usual type
    close: bool  # whether there is little air between the parts
    pad: float  # from a panel's edge to what is in it
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


WIDE = Layout(
    name="wide", width=1200, small=12.5, body=14, close=False, pad=14, inset=9,
    pitch=80, gate=0.37, gate_name=0.9, coat_seal=0.2, outward=0.4, pile=1.25,
    bank=150, river=112, wall=9, lead=2, plaque=20, bridge=34, crest=25, seal=13, building=1,
)  # fmt: skip
NARROW = Layout(
    name="narrow", width=400, small=11, body=12.5, close=True, pad=9, inset=4,
    pitch=60, gate=0.37, gate_name=0.9, coat_seal=0.2, outward=0.4, pile=0.75,
    bank=131, river=80, wall=9, lead=2, plaque=18.5, bridge=16, crest=19, seal=10, building=0.84,
)  # fmt: skip
DESK = Layout(
    name="desk", width=830, small=12, body=13.5, close=True, pad=9,
    pitch=60, gate=0.34, coat_seal=0.17, outward=0.6, pile=1.15, caption=2,
    bank=95, river=78, wall=8, lead=1, plaque=17, bridge=26, crest=20, seal=10, building=0.56, pennant=14,
)  # fmt: skip
SQUARE = Layout(
    name="square", width=370, small=11, body=12, close=True, pad=6,
    pitch=48, gate=0.325, coat_seal=0.17, outward=0.6, pile=0.5, caption=2,
)  # fmt: skip
TOWN = Layout(
    name="town", width=370, small=10.5, body=11.5, close=True, pad=6,
    bank=50, river=52, wall=5, plaque=13, bridge=10, crest=17, seal=8, building=0.7, pennant=12,
)  # fmt: skip

LAYOUTS = {layout.name: layout for layout in (WIDE, NARROW, DESK, SQUARE, TOWN)}
"""The layouts by their names."""
WHOLE = (WIDE.name, NARROW.name)
"""The layouts that show all of a game on one picture."""
