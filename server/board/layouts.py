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
    inset: float  # from the sheet's edge to the line around it; 0: there is none
    pad: float  # from a panel's edge to what is in it
    pitch: float  # from cell to cell of the square, which is five of them wide and high
    gate: float  # half the side of a gate, as a part of the pitch
    gate_name: float  # the type of a gate's name, as a part of the small one
    bank: float  # the height of a bank of the river
    river: float  # the height of the river, its wall included
    wall: float  # the height of the city wall at its northern edge
    lead: float  # the air between number, plaque and barge of a space
    plaque: float  # the height of what shows the worth of a space
    bridge: float  # how much of a stretch of the river the bridge takes
    crest: float  # the height of a shield in a quarter
    seal: float  # the radius of a seal in a quarter
    building: float  # the scale of a quarter's building
    pile: float  # the scale of the draw pile
    pennant: float  # the height of the pennants of barges that reach a quarter; 0: they are not shown


WIDE = Layout(
    name="wide", width=1200, small=12.5, body=14, close=False, inset=9, pad=14, pitch=80, gate=0.37, gate_name=0.9,
    bank=150, river=112, wall=9, lead=2, plaque=20, bridge=34, crest=25, seal=13, building=1, pile=1.25, pennant=0,
)  # fmt: skip
NARROW = Layout(
    name="narrow", width=400, small=11, body=12.5, close=True, inset=4, pad=9, pitch=60, gate=0.37, gate_name=0.9,
    bank=131, river=80, wall=9, lead=2, plaque=18.5, bridge=16, crest=19, seal=10, building=0.84, pile=0.75, pennant=0,
)  # fmt: skip
DESK = Layout(
    name="desk", width=830, small=12, body=13.5, close=True, inset=0, pad=9, pitch=60, gate=0.34, gate_name=1,
    bank=95, river=78, wall=8, lead=1, plaque=17, bridge=26, crest=20, seal=10, building=0.56, pile=1.15, pennant=14,
)  # fmt: skip
SQUARE = Layout(
    name="square", width=370, small=11, body=12, close=True, inset=0, pad=6, pitch=48, gate=0.335, gate_name=1,
    bank=0, river=0, wall=0, lead=0, plaque=0, bridge=0, crest=0, seal=0, building=0, pile=0.6, pennant=0,
)  # fmt: skip
TOWN = Layout(
    name="town", width=370, small=10.5, body=11.5, close=True, inset=0, pad=6, pitch=0, gate=0, gate_name=1,
    bank=50, river=52, wall=5, lead=0, plaque=13, bridge=10, crest=17, seal=8, building=0.7, pile=0, pennant=12,
)  # fmt: skip

LAYOUTS = {layout.name: layout for layout in (WIDE, NARROW, DESK, SQUARE, TOWN)}
