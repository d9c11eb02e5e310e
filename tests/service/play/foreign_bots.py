"""Packages that offer bots, as an installer leaves them: put onto the path of a test and of the processes it starts."""

import shutil
from pathlib import Path

from tests.live import ROOT

SLEEPY = '''
import os, pickle, random, struct, time
from bots.offers import Offer

class Sleepy:
    """Thinks for long while a file is there, and notes that it does."""
    def choose(self, sight, rng):
        note = os.environ["SLEEPY_WHILE"] + ".begun"
        if os.path.exists(os.environ["SLEEPY_WHILE"]):
            with open(note + ".new", "w") as begun:
                begun.write(str(os.getpid()))
            os.replace(note + ".new", note)
        while os.path.exists(os.environ["SLEEPY_WHILE"]):
            time.sleep(0.05)
        return rng.choice(sight.legal)

class Nosy:
    """Notes which settings of the server it can read, and plays on."""
    def choose(self, sight, rng):
        with open(os.environ["SLEEPY_WHILE"] + ".seen", "w") as seen:
            seen.write(" ".join(name for name in os.environ if name.startswith("ULM_")) + ".")
        return rng.choice(sight.legal)

class Trap:
    """Unpickled, it makes a file."""
    def __reduce__(self):
        return open, (os.environ["SLEEPY_WHILE"] + ".ran", "w")

class Forger:
    """Answers past the program, in the way that pickles were once sent."""
    def choose(self, sight, rng):
        trap = pickle.dumps(Trap())
        for number in range(3, 16):
            try:
                os.write(number, struct.pack("!i", len(trap)) + trap + b"\\n")
            except OSError:
                pass
        return rng.choice(sight.legal)

class Cheat:
    def choose(self, sight, rng):
        return ("push", "Z9")

def sleepy(): return Offer("sleepy", {"en": "Sleepy"}, 1, lambda options: Sleepy(), seconds=1.0)
def nosy(): return Offer("nosy", {"en": "Nosy"}, 1, lambda options: Nosy(), seconds=1.0)
def forger(): return Offer("forger", {"en": "Forger"}, 1, lambda options: Forger(), seconds=1.0)
def cheat(): return Offer("cheat", {"en": "Cheat"}, 1, lambda options: Cheat(), seconds=1.0)
def broken(): raise RuntimeError("it cannot be made")
def nothing(): return "no offer"
def taken(): return Offer("master", {"en": "Another master"}, 9, lambda options: Sleepy())
'''
POINTS = """[ulm.bots]
hasty = ulm_bot_hasty:OFFER
sleepy = sleepy_bots:sleepy
nosy = sleepy_bots:nosy
cheat = sleepy_bots:cheat
forger = sleepy_bots:forger
broken = sleepy_bots:broken
missing = no_such_module:OFFER
nothing = sleepy_bots:nothing
taken = sleepy_bots:taken
"""


def install(folder: Path) -> Path:
    """Put two packages there as an installer does, the example among them; the folder is for `sys.path`."""
    folder.mkdir()
    shutil.copy(ROOT / "examples/ulm-bot-hasty/ulm_bot_hasty.py", folder)
    (folder / "sleepy_bots.py").write_text(SLEEPY)
    info = folder / "foreign_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    return folder
