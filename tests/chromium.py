"""Where the Chromium is that tests open pages in."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The same engine in the first without windows and menus, which take a third of the work of a test."""
EXECUTABLE = next(filter(None, map(shutil.which, NAMES)), None)
"""Its path; None: there is none here."""
