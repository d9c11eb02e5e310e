"""What players write in German. Names of things are the board's; here stand verbs and the small words around them."""

VERBS = {
    "draw": ("zieh", "ziehe", "ziehen", "zieh aus dem Beutel", "ziehe aus dem Beutel", "aus dem Beutel ziehen"),
    "pick": ("nimm", "nehmen", "wähle", "nimm aus dem Beutel", "aus dem Beutel nehmen"),
    "keep": ("behalte", "behalten"),
    "swap": ("tausch", "tausche", "tauschen"),
    "push": ("schieb", "schiebe", "schieben", "einschieben", "schieb ein", "schiebe ein"),
    "money": (
        "Geld", "Geldaktion", "Münzaktion", "nimm Münze", "nimm Münzen", "nehme Münze", "Münze nehmen", "Münzen nehmen",
        "2 Münzen nehmen",
        "3 Münzen nehmen", "nimm 2 Münzen", "nimm 3 Münzen",
    ),
    "clear": ("räum", "räume", "räumen", "räume auf", "räum auf", "aufräumen", "Räumaktion", "räume ab", "abräumen"),
    "buy": ("kauf", "kaufe", "kaufen"),
    "play": ("spiel", "spiele", "spielen", "ausspielen"),
    "river": ("Fluss", "Flussaktion", "Fahraktion", "fahr", "fahre", "fahren", "segle", "segeln",
              "auf der Donau fahren"),
    "sail": ("fahr", "fahre", "fahren", "segle", "segeln", "ein Feld fahren", "fahre ein Feld",
             "ein Zusatzfeld fahren"),
    "seal": (
        "Siegel", "siegle", "siegele", "siegeln", "besiegeln", "Siegelaktion", "setze Siegel", "setz Siegel",
        "Siegel setzen",
    ),
    "exchange": ("tausch", "tausche", "tauschen", "eintauschen"),
    "salvage": ("berge", "bergen"),
    "levy": ("Steuer", "zahle Steuer", "zahl Steuer", "Steuer zahlen"),
    "end": ("Ende", "Zug beenden", "beende Zug", "beende", "beenden", "Zugende", "Ende des Zuges", "Zug Ende"),
    "coat": ("Wappen", "nimm Wappen", "behalte Wappen", "wähle Wappen"),
    "descendant": ("Person", "nimm", "wähle", "nimm Person", "wähle Person"),
    "coin": ("Münze", "nimm Münze", "Münze nehmen", "wähle Münze"),
    "dock": ("Hafen", "nimm", "nehmen", "wähle", "nimm vom Hafen", "vom Hafen"),
    "pass": ("passe", "passen", "nichts", "nimm nichts"),
    "choose": ("wähle", "wählen", "behalte", "behalten", "nimm"),
    "search": ("suche", "suchen", "durchsuchen", "durchsuche Nachziehstapel", "Nachziehstapel durchsuchen"),
    "take": ("nimm", "nehmen", "nimm von der Ablage", "von der Ablage"),
    "barge": ("Schiff", "fahr", "fahre", "fahren", "segle", "segeln"),
}  # fmt: skip
STAY = ("bleib", "bleibe", "bleiben", "hier bleiben", "bleibe hier", "bleib hier")
COLORS = {
    "gray": ("grau", "graue", "graues", "grauen", "grauer", "graus"),
    "white": ("weiß", "weiße", "weißes", "weißen", "weißer"),
    "brown": ("braun", "braune", "braunes", "braunen", "brauner"),
    "turquoise": ("türkis", "türkise", "türkises", "türkisen", "türkiser"),
    "orange": ("orange", "orangen", "oranges", "orangenes", "orangefarbenes"),
}
SIDES = {
    "N": ("Nord", "Norden", "Nordseite"),
    "E": ("Ost", "Osten", "Ostseite"),
    "S": ("Süd", "Süden", "Südseite"),
    "W": ("West", "Westen", "Westseite"),
}
NAMES = {
    "works_of_art": ("Kunstwerke",),
    "commercial_goods": ("Handelswaren",),
    "construction_freeze": (),
    "swabian_league": ("Schwäbischer Bund", "Schwäbischen Bund"),
    "ulm_sparrow": ("Ulmer Spatzen",),
    "leaning_house": ("Schiefe Haus", "Schiefen Haus"),
    "garden": ("Garten",),
    "shipyard": ("Werft",),
    "tillage": ("Acker",),
    "patrician": ("Patriziers",),
}
TOP = ("oben", "obere Hälfte", "obere Wirkung", "obere")
TABLE = ("Tisch", "auf den Tisch", "auslegen", "untere Hälfte")
BAG, DOCKS, DISCARDED = ("Beutel",), ("Hafen",), ("Ablage",)
FILLERS = (
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einer", "einem", "eines", "mein", "meine",
    "meinen", "es", "ich", "in", "ins", "im", "an", "am", "auf", "bei", "beim", "zu", "zum", "zur", "für", "gegen",
    "mit", "von", "vom", "aus", "Plättchen", "Karte", "Karten", "Seite", "Tor", "Viertel", "setzen", "bitte", "eigenem",
    "eigenes",
)  # fmt: skip
UNITS = ("Feld", "Felder", "Spatz", "Spatzen", "Schritt", "Schritte")
AND = ("und",)
OPTION = ("Nummer", "Nr", "Option")
COMMANDS = {
    "undo": ("zurück", "zurücknehmen", "rückgängig", "nimm zurück"),
    "preview": ("Vorschau",),
    "show": ("zeig", "zeige", "zeige Brett", "Stand"),
    "help": ("Hilfe",),
    "hand": ("Hand", "meine Hand", "Handkarten", "zeige Hand"),
    "resign": ("aufgeben", "ich gebe auf"),
}
SAY = ("sag", "sage", "Nachricht", "schreib", "schreibe")
PREVIEW = ("Vorschau",)
THEN = ("dann", "danach", "und dann")
IF, ELSE = ("wenn", "falls"), ("sonst", "ansonsten", "andernfalls")
OPEN, BLOCKED = ("offen", "frei"), ("versperrt", "blockiert", "gesperrt")
POSSIBLE = ("möglich", "erlaubt", "geht", "kann", "ich kann")
DRAWN = (
    "Plättchen",
    "das Plättchen",
    "gezogen",
    "gezogenes Plättchen",
    "mein Plättchen",
    "ich ziehe",
    "ziehe",
    "ich zog",
)
OFFERED = ("zur Wahl", "im Angebot", "zu haben", "angeboten", "im Hafen", "am Hafen", "im Schwörhaus")
IN_HAND = ("auf der Hand", "in der Hand", "ich habe", "habe ich")
COINS, SPARROWS = ("Münze", "Münzen"), ("Spatz", "Spatzen")
AT_LEAST, MORE, LESS = ("mindestens", "wenigstens"), ("mehr als",), ("weniger als",)
NOT = ("nicht", "kein", "keine", "keinen")
NEVER = ("nein", "nie", "niemals", "nö", "nee", "keiner", "keinesfalls", "keineswegs", "stopp", "halt", "warte")
IS = ("ist", "sind", "ich", "habe", "noch", "der", "die", "das", "ein", "eine", "den", "es", "gibt", "oder mehr")
GREETINGS = ("hallo", "moin", "servus", "liebe", "lieber", "guten Tag", "guten Morgen", "guten Abend", "grüß dich")
CLOSINGS = (
    "danke", "vielen Dank", "danke schön", "dankeschön", "Grüße", "Gruß", "viele Grüße", "liebe Grüße", "schöne Grüße",
    "beste Grüße", "herzliche Grüße", "mit freundlichen Grüßen", "freundliche Grüße", "LG", "VG", "MfG", "bitte",
    "tschüss", "bis dann", "bis bald", "viel Glück", "viel Spaß",
)  # fmt: skip
