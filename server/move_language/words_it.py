"""What players write in Italian. Names of things are the board's; here stand verbs and the small words around them."""

VERBS = {
    "draw": ("pesca", "pescare", "pesco", "pesca dalla sacca"),
    "pick": ("scegli", "prendi", "prendo", "prendi dalla sacca", "scegli dalla sacca"),
    "keep": ("tieni", "tenere", "tengo"),
    "swap": ("scambia", "scambiare", "scambio", "cambia", "cambiala"),
    "push": ("inserisci", "inserire", "inserisco", "spingi", "spingere", "spingo"),
    "money": (
        "denaro",
        "soldi",
        "prendi moneta",
        "prendi monete",
        "prendo moneta",
        "azione Moneta",
        "prendi 2 monete",
        "prendi 3 monete",
    ),
    "clear": ("sgombra", "sgombera", "sgombrare", "sgombro", "azione Sgombra"),
    "buy": ("compra", "comprare", "compro", "acquista"),
    "play": ("gioca", "giocare", "gioco"),
    "river": ("fiume", "azione Fiume", "azione Naviga", "naviga", "navigare", "navigo", "naviga sul Danubio"),
    "sail": (
        "naviga",
        "navigare",
        "navigo",
        "naviga di uno spazio",
        "naviga di uno spazio in più",
        "naviga di uno spazio bonus",
    ),
    "seal": ("sigillo", "sigilla", "sigillare", "piazza un sigillo", "metti un sigillo", "azione Sigillo"),
    "exchange": ("scambia", "scambiare", "scambio", "cambia"),
    "salvage": ("recupera", "recuperare"),
    "levy": ("tributo", "paga il tributo", "pagare il tributo"),
    "end": ("fine turno", "fine del turno", "termina", "termina il turno", "finisci il turno", "fine del mio turno"),
    "coat": ("stemma", "tieni lo stemma", "prendi lo stemma", "scegli lo stemma"),
    "descendant": ("discendente", "scegli", "prendi", "prendo", "scegli il discendente"),
    "coin": ("moneta", "prendi moneta", "prendo moneta", "scegli moneta"),
    "dock": ("banchina", "banchine", "scegli", "prendi", "prendo", "prendi dalle banchine"),
    "pass": ("passa", "passo", "niente", "prendi niente"),
    "choose": ("scegli", "scegliere", "tieni", "tengo", "prendi", "prendo"),
    "search": ("cerca", "cercare", "cerco", "cerca nel mazzo"),
    "take": ("prendi", "prendere", "prendo", "prendi dagli scarti"),
    "barge": ("chiatta", "naviga", "navigare", "navigo"),
}
STAY = ("resta", "resto", "resta qui", "resto qui")
COLORS = {
    "gray": ("grigia", "grigio", "grigie", "grigi"),
    "white": ("bianca", "bianco", "bianche", "bianchi"),
    "brown": ("marrone", "marroni"),
    "turquoise": ("turchese", "turchesi"),
    "orange": ("arancione", "arancioni", "arancio"),
}
SIDES = {"N": ("nord",), "E": ("est",), "S": ("sud",), "W": ("ovest",)}
NAMES = {
    "works_of_art": ("opere d'arte",),
    "commercial_goods": (),
    "reichenauer_hof": ("Chiostro",),
    "oath_house": ("Giuramento",),
    "tillage": ("Campo",),
    "garden": ("Giardino",),
    "city_wall": ("Mura",),
}
TOP = ("alto", "bonus in alto", "effetto in alto", "sopra", "metà superiore")
TABLE = ("tavolo", "sul tavolo", "metà inferiore")
BAG, DOCKS, DISCARDED = ("sacca",), ("banchine", "banchina"), ("scarti",)
FILLERS = (
    "il", "lo", "la", "gli", "le", "i", "l", "un", "una", "uno", "in", "nel", "nella", "nello", "nei", "nelle", "a",
    "al", "alla", "allo", "ai", "alle", "da", "dal", "dalla", "dalle", "di", "d", "del", "della", "dell", "dello",
    "dei", "delle", "su", "sul", "sulla", "per", "con", "io", "mio", "mia", "tua", "contro", "cambio", "tessera",
    "tessere", "carta", "carte", "lato", "porta", "quartiere", "favore",
)  # fmt: skip
UNITS = ("spazio", "spazi", "passero", "passeri", "passo", "passi")
AND = ("e",)
OPTION = ("numero", "opzione")
COMMANDS = {
    "undo": ("annulla", "indietro"),
    "preview": ("anteprima", "prova"),
    "show": ("mostra", "mostra il tavolo", "stato"),
    "help": ("aiuto",),
    "hand": ("mano", "la mia mano", "mostra la mano"),
    "resign": ("abbandono", "mi arrendo", "mi ritiro"),
}
SAY = ("messaggio", "scrivi")
PREVIEW = ("anteprima", "prova")
THEN = ("poi", "e poi", "quindi", "dopo")
IF, ELSE = ("se",), ("altrimenti", "sennò")
OPEN, BLOCKED = ("aperto", "aperta", "libero", "libera"), ("bloccato", "bloccata", "chiuso", "chiusa")
POSSIBLE = ("possibile", "permesso", "posso", "si può")
DRAWN = ("tessera", "la tessera", "pescata", "tessera pescata", "la mia tessera", "pesco")
OFFERED = ("in offerta", "disponibile", "a scelta", "alle banchine", "nelle banchine")
IN_HAND = ("in mano", "ho", "ho in mano")
COINS, SPARROWS = ("moneta", "monete"), ("passero", "passeri")
AT_LEAST, MORE, LESS = ("almeno",), ("più di",), ("meno di",)
NOT = ("non", "nessun", "nessuna")
NEVER = ("mai", "nemmeno", "neanche", "affatto", "macché", "aspetta", "fermo")
IS = ("è", "sono", "ho", "c'è", "ci", "ancora", "la", "il", "lo", "una", "un", "o più")
GREETINGS = ("ciao", "buongiorno", "buonasera", "salve", "caro", "cara", "ehi")
CLOSINGS = (
    "grazie", "grazie mille", "saluti", "cordiali saluti", "tanti saluti", "un saluto", "a presto", "ciao", "prego",
    "per favore", "per piacere", "buona fortuna", "buon divertimento", "un abbraccio", "arrivederci",
)  # fmt: skip
