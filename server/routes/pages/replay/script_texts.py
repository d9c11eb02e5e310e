"""What the scripts of a replay say: the viewer, and the check in the browser. `{…}` is filled in there."""

from __future__ import annotations

from server.language import gettext as _


def of_viewer() -> dict[str, str]:
    """What the scripts say."""
    return {
        "setup": _("The game is set up."),
        "where": _("Move {ply} of {plies}"),
        "at-setup": _("Set-up"),
        "play": _("Play"),
        "pause": _("Pause"),
        "late": _("The boards could not be loaded. You can still read the moves."),
    }


def of_check() -> dict[str, str]:
    """What the check in the browser says."""
    return {
        "loading": _("The record is being fetched."),
        "no-record": _("The record cannot be read: {reason}"),
        "commitment": _("The server’s secret is the one that it promised: its SHA-256 is the commitment {commitment}."),
        "commitment-bad": _(
            "The server’s secret is NOT the one that it promised: its SHA-256 is {found}, the "
            "commitment is {commitment}."
        ),
        "shown-bad": _("The record names a different commitment from the one shown when the game was made."),
        "imported": _(
            "The game was played elsewhere: whether its commitment was known before the players took their "
            "seats cannot be checked here."
        ),
        "clients": _("The seed of the game is made from the server’s secret and what {count} players added: {seed}"),
        "setup": _(
            "The set-up follows from the seed: start player, cards, coats of arms, Descendants, Tower tiles, "
            "the tiles of the Minster and of the players."
        ),
        "setup-bad": _("The set-up does NOT follow from the seed: {parts} differ."),
        "no-seed": _(
            "This game began from a position, not from a set-up: there is no promise and no shuffle to check."
        ),
        "other-rules": _(
            "Set-up and draws are not checked: this page knows the rules {known}, and the game was played by {ruleset}."
        ),
        "states": _("Positions: {ply} of {plies}"),
        "states-good": _(
            "All {plies} positions after the set-up are there, in order; every move was made by the seat "
            "whose turn it was."
        ),
        "states-bad": _("Move {ply}: {what}"),
        "gap": _("the position is missing or in the wrong place"),
        "wrong-seat": _("the record says that the wrong seat moved"),
        "wrong-draw": _("the tile that was drawn is not the one that follows from the seed"),
        "wrong-digest": _("the position is not the one of the record: its digest is {found}, the record says {wanted}"),
        "chance-back": _("the count of random draws went backwards"),
        "draws": _("All {count} draws of tiles from the bag follow from the seed."),
        "digests": _("The digests of {count} positions are those of the record."),
        "digest-missing": _("The record lacks the digest of the set-up or of the last position."),
        "result": _("The result is that of the last position."),
        "result-bad": _("The result is NOT that of the last position."),
        "position": _("The position of this puzzle is the one after move {ply}, as its player saw it."),
        "position-bad": _("The position of this puzzle is NOT the one after move {ply}."),
        "rules": _(
            "Whether each move keeps to the rules was not checked here: give the record to a program that knows them."
        ),
        "good": _("Everything that was checked is right."),
        "bad": _("This game is NOT right: see the lines in red above."),
        "broken": _("The check could not be finished: {reason}"),
    }
