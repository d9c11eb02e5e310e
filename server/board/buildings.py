# ruff: noqa: E501, ISC004 - paths are data
"""The eight quarters' own drawings, each in a box of 110 × 64 that stands on its lower edge.

A drawing is a list of (fill role, path); every path is inked with the same pen, `lines` only inked, but what is closed
among them is a window.
"""

from server.board.canvas import Canvas, num
from server.board.layers import Layer, glazed

WIDTH, HEIGHT = 110, 64

BUILDINGS: dict[str, tuple[Layer, ...]] = {
    # Timbered, and leaning over its canal.
    "leaning_house": (
        ("river", "M18 56Q24 53 30 56T42 56 54 56 66 56 78 56 90 56V64H18Z"),
        ("wood", "M30 50 28 62H32L34 50ZM48 50 47 62H51L52 50ZM70 50 70 62H74L74 50Z"),
        ("wall", "M26 52 18 26H72L80 52Z"),
        ("roof", "M12 28 40 2 79 28Z"),
        ("wall", "M30 23 41 10 55 23Z"),
        (
            "lines",
            "M22 39H76M36 52 28 26M54 52 47 26M68 52 62 26M26 52 36 39M54 39 64 52M38 17H47M39 23V17M46 23V17"
            "M30 30H34M40 30H44M51 30H56M66 30H70M32 43H35M42 43H46M59 43H63",
        ),
        ("scarlet", "M40 2Q45 .6 51 4 45 5.6 40 7Z"),
        ("roof", "M84 52V38L93 28 102 38V52Z"),
        ("wall", "M86 52V39H100V52Z"),
        ("lines", "M90 43H96V49H90Z"),
    ),
    # A broad stepped gable with the balcony of the oath.
    "oath_house": (
        ("roof", "M4 62V30L20 22H36V62ZM106 62V30L90 22H74V62Z"),
        ("wall", "M30 62V30H35V23H41V16H47V9H52V3H58V9H63V16H69V23H75V30H80V62Z"),
        ("wall", "M8 62V40H30V62ZM80 62V40H102V62Z"),
        ("wood", "M44 44H66V50H44Z"),
        ("scarlet", "M20 8Q25 6 31 9 25 11 20 14ZM90 8Q95 6 101 9 95 11 90 14Z"),
        ("lines", "M20 22V7M90 22V7"),
        (
            "lines",
            "M36 34H41V40H36ZM69 34H74V40H69ZM50 34H60V44H50ZM52 20H58V27H52ZM50 62V54Q55 49 60 54V62M13 45H18V52H13ZM21 "
            "45H26V52H21ZM84 45H89V52H84ZM92 45H97V52H92ZM8 32 30 32M80 32H102M8 36H30M80 36H102M47 44V50M51 44V50M55 44V50M59 "
            "44V50M63 44V50M36 46H40V53H36ZM70 46H74V53H70Z",
        ),
    ),
    # Stepped gable, clock, arcade and a ridge turret.
    "town_hall": (
        ("velvet", "M98 6Q92 4 86 7 92 9 98 12Z"),
        ("lines", "M98 26V5"),
        ("roof", "M44 62V24H100L106 34V62Z"),
        ("wall", "M48 62V38H104V62Z"),
        ("wall", "M10 62V28H15V22H20V16H25V10H30V5H36V10H41V16H46V22H51V28H56V62Z"),
        ("stone", "M74 24V14H82V24Z"),
        ("roof", "M72 15 78 2 84 15Z"),
        ("gold", "M33 20A8 8 0 1 1 33 36 8 8 0 1 1 33 20Z"),
        (
            "lines",
            "M33 22V28L37 31M14 62V52Q18 46 22 52V62M26 62V52Q30 46 34 52V62M40 62V52Q44 46 48 52V62M17 39H22V45H17ZM29 "
            "39H36V45H29ZM43 39H48V45H43ZM62 44H68V52H62ZM74 44H80V52H74ZM86 44H92V52H86ZM50 28H103M54 33H105M60 62V57H100V62",
        ),
    ),
    # The abbot's court: a long hall over an open arcade, a chapel gable.
    "reichenauer_hof": (
        ("roof", "M6 32 18 14H80L92 32Z"),
        ("wall", "M10 62V32H88V62Z"),
        ("stone", "M78 62V26L91 8 104 26V62Z"),
        ("ground", "M15 62V50Q21 42 27 50V62ZM32 62V50Q38 42 44 50V62ZM49 62V50Q55 42 61 50V62Z"),
        ("gold", "M91 18A5 5 0 1 1 91 28 5 5 0 1 1 91 18Z"),
        (
            "lines",
            "M18 20H84M14 26H80M16 35H22V41H16ZM29 35H35V41H29ZM42 35H48V41H42ZM55 35H61V41H55ZM68 35H73V41H68ZM86 62V48Q91 "
            "40 96 48V62M88 33H94V39H88ZM68 48H73V55H68ZM91 8V1M88 3H94",
        ),
        ("velvet", "M62.4 33H66.6V45L64.5 43 62.4 45Z"),
    ),
    # The gate tower on the city wall.
    "goose_tower": (
        (
            "stone",
            "M2 62V42H7V38H12V42H17V38H22V42H27V38H32V42H37V62ZM73 62V42H78V38H83V42H88V38H93V42H98V38H103V42H108V62Z",
        ),
        ("wall", "M37 62V24H73V62Z"),
        ("roof", "M33 26 44 12H66L77 26Z"),
        ("roof", "M46 12 55 1 64 12Z"),
        ("ground", "M48 62V52Q55 42 62 52V62Z"),
        (
            "lines",
            "M37 30H73M42 34H47V40H42ZM52 34H58V40H52ZM63 34H68V40H63ZM2 50H37M73 50H108M10 56H18M24 46H32M80 56H88M94 "
            "46H102M40 19H70M48 56H62M52 49V62M58 49V62",
        ),
        ("gold", "M55 1Q60 0 66 3.4 60 5 55 6.4Z"),
    ),
    # Ploughland, sheaves and a barn.
    "tillage": (
        ("gold", "M2 62Q30 36 60 40T108 34V62Z"),
        ("leaf", "M52 62Q64 46 84 42T108 38V62Z"),
        (
            "lines",
            "M8 60Q30 42 52 42M18 61Q36 46 58 44M30 61Q44 50 62 47M42 62Q52 54 64 51M66 62Q76 50 106 44M78 62Q88 54 107 50"
            "M92 62Q98 58 107 56",
        ),
        ("wall", "M14 40V24L26 12 38 24V40Z"),
        ("roof", "M10 26 26 8 30 8 42 26 38 27 26 13 14 27Z"),
        ("roof", "M26 8H52L64 26H42Z"),
        ("wall", "M38 27H62V40H38Z"),
        ("lines", "M21 40V30H31V40M21 30 31 40M31 30 21 40M44 31H48V35H44ZM53 31H57V35H53ZM34 14H56M37 20H60"),
        ("gold", "M78 46 74 32 78 34 80 29 82 34 86 32 82 46ZM94 44 90 30 94 32 96 27 98 32 102 30 98 44Z"),
        ("lines", "M77 41H83M93 39H99"),
    ),
    # Fruit trees behind a fence.
    "garden": (
        ("wood", "M20 56V38H24V56ZM54 56V34H58V56ZM88 56V38H92V56Z"),
        ("leaf", "M22 8Q32 8 33 17 41 20 38 29 35 37 26 36 18 42 11 35 3 30 8 21 8 9 22 8Z"),
        ("leaf", "M56 2Q68 2 70 13 79 17 75 27 71 36 60 35 50 40 42 33 33 26 39 16 41 3 56 2Z"),
        ("leaf", "M90 8Q100 8 101 17 109 20 106 29 103 37 94 36 86 42 79 35 71 30 76 21 76 9 90 8Z"),
        (
            "roof",
            "M18 18H20V20H18ZM28 24H30V26H28ZM19 29H21V31H19ZM50 12H52V14H50ZM60 20H62V22H60ZM52 26H54V28H52ZM64 11H66V13H64Z"
            "M86 18H88V20H86ZM96 24H98V26H96ZM88 29H90V31H88Z",
        ),
        (
            "wood",
            "M4 62V50L6.5 47 9 50V62ZM16 62V50L18.5 47 21 50V62ZM28 62V50L30.5 47 33 50V62ZM40 62V50L42.5 47 45 50V62ZM52 "
            "62V50L54.5 47 57 50V62ZM64 62V50L66.5 47 69 50V62ZM76 62V50L78.5 47 81 50V62ZM88 62V50L90.5 47 93 50V62ZM100 62V50L102.5 "
            "47 105 50V62Z",
        ),
        ("lines", "M2 53H108M2 58H108"),
    ),
    # A boat on the stocks, planks, a shed and a crane.
    "shipyard": (
        ("wall", "M4 60V32H34V60Z"),
        ("roof", "M1 34 19 16 37 34Z"),
        ("lines", "M10 60V42H28V60M19 42V60M10 42 19 60M28 42 19 60"),
        ("wood", "M40 36Q48 44 64 44T102 34L96 54Q80 60 52 56Z"),
        ("wood", "M56 56 54 62H58L60 57ZM84 56 84 62H88L88 55Z"),
        ("wall", "M58 42V31H80V42Z"),
        ("roof", "M54 32 69 22 84 32Z"),
        ("lines", "M44 43Q60 52 99 43M47 49Q64 57 97 49M63 35H67V39H63ZM72 35H76V39H72Z"),
        ("lines", "M94 34V6L42 14M94 12 70 10M50 13V22M46 22H54"),
        ("scarlet", "M94 2Q99 .4 105 4 99 5.6 94 7Z"),
        ("wood", "M46 62V58H52V62ZM94 62V57H108V62Z"),
    ),
}


def draw_building(canvas: Canvas, name: str, x: float, y: float, scale: float) -> None:
    """Draw the building of a quarter with its top left corner at x, y."""
    theme = canvas.theme
    layers = "".join(
        f'<path d="{path}" fill="{"none" if fill == "lines" else theme.color(fill)}"/>' for fill, path in _GLAZED[name]
    )
    canvas.add(
        f'<g transform="translate({num(x)} {num(y)}) scale({scale:.2f})" stroke="{theme.pen}" stroke-linejoin="round">'
        f"{layers}</g>"
    )


_GLAZED = {name: glazed(layers) for name, layers in BUILDINGS.items()}
