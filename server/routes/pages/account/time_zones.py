"""Time zones to choose from, by continent and town, as CLDR has them; without older names, but for who has one."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from babel import Locale
from babel.core import get_global
from babel.dates import get_timezone_location

from server import language
from server.language import N_
from server.language import gettext as _
from server.service.common.checks import time_zones

_REGIONS = {
    "Europe": N_("Europe"),
    "Africa": N_("Africa"),
    "America": N_("America"),
    "Asia": N_("Asia"),
    "Australia": N_("Australia"),
    "Pacific": N_("Pacific"),
    "Indian": N_("Indian Ocean"),
    "Atlantic": N_("Atlantic"),
    "Antarctica": N_("Antarctica"),
    "Arctic": N_("Arctic"),
}
"""What the first part of a zone's name says, in the order in which they are offered."""
_NOWHERE = "001"
"""The territory of zones that are no place: UTC, and what counts hours from it."""

Groups = list[tuple[str, list[tuple[str, str]]]]


def groups(chosen: str) -> Groups:
    """`[(region, [(zone, name for people)])]` in the language in force; `offered(chosen)` is always among them."""
    found = [(_(_REGIONS[region]), list(towns)) for region, towns in _by_region(language.current())]
    others = [("UTC", "UTC")]
    wanted = offered(chosen)
    if wanted != "UTC" and not any(wanted == zone for _region, towns in found for zone, _town in towns):
        others.append((wanted, wanted))
    return [*found, (_("Elsewhere"), others)]


def offered(zone: str) -> str:
    """The name under which a zone is offered: the present one where `zone` is an older name of it, else itself."""
    present = str(get_global("zone_aliases").get(zone, zone))
    return present if present in _zones() else zone


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    """Those that are a place, under their present names."""
    places = {zone for zone, territory in get_global("zone_territories").items() if territory != _NOWHERE}
    # A name is present where no other has taken its place; older releases of CLDR have not heard of the newest zones.
    return frozenset((places - set(get_global("zone_aliases"))) & time_zones())


@lru_cache(maxsize=8)  # 190 ms for a language
def _by_region(code: str) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    locale = Locale.parse(code)
    found: dict[str, list[tuple[str, str]]] = {region: [] for region in _REGIONS}
    for zone in _zones():
        region = zone.partition("/")[0]
        if region in found:
            found[region].append((zone, _town(zone, locale)))
    return tuple((region, tuple(sorted(towns, key=lambda one: _sorted_by(one[1])))) for region, towns in found.items())


def _town(zone: str, locale: Locale) -> str:
    """What the town is called; of one that CLDR does not name, what its zone is called in the data base."""
    known = locale.time_zones
    # A town may stand there by an older name of its zone: Kolkata by Asia/Calcutta.
    city = next((known[name]["city"] for name in (zone, *_older(zone)) if "city" in known.get(name, ())), None)
    named: str = city or get_timezone_location(zone, locale, return_city=True)
    return ", ".join(reversed(named.replace("_", " ").split("/")))


def _older(zone: str) -> list[str]:
    return [old for old, new in get_global("zone_aliases").items() if new == zone]


def _sorted_by(town: str) -> str:
    """Where a town stands in its list: Åland with A, as their readers look for it."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", town) if letter.isalnum()).casefold()
