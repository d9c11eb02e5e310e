"""What players write in English. Names of things are the board's; here stand verbs and the small words around them."""

VERBS = {
    "draw": ("draw", "draw from the bag"),
    "pick": ("pick", "take", "take from the bag", "pick from the bag"),
    "keep": ("keep",),
    "swap": ("swap", "swap it", "trade"),
    "push": ("push", "push in", "push it in", "insert"),
    "money": (
        "money",
        "coin action",
        "take coin",
        "take coins",
        "get a coin",
        "get coins",
        "take 2 coins",
        "take 3 coins",
    ),
    "clear": ("clear", "clear away", "clear action"),
    "buy": ("buy", "buy a card"),
    "play": ("play",),
    "river": ("river", "river action", "sail", "sail action", "sail on the Danube"),
    "sail": ("sail", "sail a step", "sail a bonus step"),
    "seal": ("seal", "seal action", "place a seal", "put a seal"),
    "exchange": ("exchange", "trade"),
    "salvage": ("salvage",),
    "levy": ("levy", "pay the levy"),
    "end": ("end", "end turn", "finish turn"),
    "coat": ("coat", "coat of arms", "keep coat", "take coat", "choose coat"),
    "descendant": ("descendant", "choose", "take", "choose descendant", "take descendant"),
    "coin": ("coin", "take coin", "choose coin"),
    "dock": ("dock", "take", "choose", "take from the docks"),
    "pass": ("pass", "nothing", "take nothing"),
    "choose": ("choose", "keep", "take"),
    "search": ("search", "search the draw pile", "search the pile"),
    "take": ("take", "take from the discard pile"),
    "barge": ("barge", "sail"),
}
STAY = ("stay", "stay here")
COLORS = {
    "gray": ("gray", "grey"),
    "white": ("white",),
    "brown": ("brown",),
    "turquoise": ("turquoise",),
    "orange": ("orange",),
}
SIDES = {"N": ("n", "north"), "E": ("e", "east"), "S": ("s", "south"), "W": ("w", "west")}
NAMES = {
    "works_of_art": ("works of art",),
    "commercial_goods": ("commercial goods",),
    "construction_freeze": ("construction freeze",),
    "fisherman_jousting": ("fisherman jousting", "fishermens jousting"),
    "reichenauer_hof": ("reichenau",),
    "garden": ("gardens",),
}
TOP = ("top", "top half", "upper", "upper effect")
TABLE = ("table", "bottom half")
BAG, DOCKS, DISCARDED = ("bag",), ("docks", "dock"), ("discard pile", "discard")
FILLERS = (
    "a", "an", "the", "my", "your", "it", "its", "i", "in", "into", "at", "to", "on", "onto", "for", "with", "from",
    "of", "tile", "tiles", "card", "cards", "side", "slot", "gate", "please",
)  # fmt: skip
UNITS = ("step", "steps", "space", "spaces", "sparrow", "sparrows")
AND = ("and",)
OPTION = ("option", "number", "no", "nr")
COMMANDS = {
    "undo": ("undo", "take back", "take it back"),
    "preview": ("preview",),
    "show": ("show", "show board", "show the game"),
    "help": ("help",),
    "hand": ("hand", "my hand", "show hand", "show my hand"),
    "resign": ("resign", "i resign"),
}
SAY = ("say", "message")
PREVIEW = ("preview",)
THEN = ("then", "and then", "after that")
IF, ELSE = ("if",), ("else", "otherwise")
OPEN, BLOCKED = ("open", "free"), ("blocked", "closed")
POSSIBLE = ("possible", "legal", "allowed", "can", "i can", "possible to")
DRAWN = ("tile", "the tile", "tile in hand", "drawn", "i draw", "drawn tile", "my tile")
OFFERED = ("on offer", "offered", "available", "to be had", "in the docks", "at the docks", "in the oath house")
IN_HAND = ("in hand", "in my hand", "on hand", "i have")
COINS, SPARROWS = ("coin", "coins"), ("sparrow", "sparrows")
AT_LEAST, MORE, LESS = ("at least",), ("more than",), ("less than", "fewer than")
NOT = ("not", "no", "isn't", "is not", "don't", "do not")
NEVER = ("never", "cannot", "can't", "won't", "wouldn't", "shouldn't", "nope", "stop", "wait")
IS = ("is", "are", "be", "there", "have", "i", "the", "a", "an", "still", "or more")
GREETINGS = ("hi", "hello", "hey", "dear", "good morning", "good evening", "good day")
CLOSINGS = (
    "thanks", "thank you", "thx", "regards", "best", "best regards", "kind regards", "best wishes", "cheers", "bye",
    "many thanks", "please", "see you", "good luck", "have fun", "sincerely", "yours", "love", "take care",
)  # fmt: skip
