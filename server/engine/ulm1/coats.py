"""City coats of arms (rules.md §8): drawing two, keeping one, crests and coat seals."""

from typing import Final

from server.engine.events import Event
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.state import NOBODY, Player, State
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import QUARTERS, SLOT_INDEX, SLOTS

COAT_MOVES: Final[dict[str, Move]] = {coat: ("coat", coat) for coat in SLOTS}
COATS_SHOWN: Final = 2  # Q1


def can_take(state: State, player: Player, coat: str) -> bool:
    """Say whether `player` may keep `coat`: a gold one needs a family crest (W2)."""
    return state.rules.coats[coat][1] is None or player.crests > 0


def show_coats(state: State, seat: int, events: Events) -> None:
    """Draw the top two coats and raise the choice; back with both when neither can be taken (Q1, W2)."""
    offer = tuple(reversed(state.coats[-COATS_SHOWN:]))
    if not offer:
        return
    state.coats = state.coats[: -len(offer)]
    events.append(Event("look_at_coats", seat, offer, len(offer), True))
    if any(can_take(state, state.players[seat], coat) for coat in offer):
        state.pending += (("coat", offer),)
    else:
        put_under(state, offer)
        events.append(Event("no_coat", seat))


def put_under(state: State, coats: tuple[str, ...]) -> None:
    """Put coats to the bottom of the stack, the first one first (W2, W3)."""
    state.coats = (*reversed(coats), *state.coats)


def coat_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return the coats on offer that can be taken (W2)."""
    player = state.players[seat]
    return [COAT_MOVES[coat] for coat in choice[1] if can_take(state, player, coat)]


def settle_coat(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`coat SLOT`: W1 to W4."""
    player = state.players[seat]
    coat = move[1]
    vp, quarter, _ = state.rules.coats[coat]
    put_under(state, tuple(other for other in choice[1] if other != coat))
    player.coats += (coat,)
    player.vp += vp
    events.append(Event("coat", seat, (coat,), vp))
    if quarter is not None:
        player.crests -= 1
        crests = list(state.crests)
        crests[quarter] = seat
        state.crests = tuple(crests)
        events.append(Event("crest", seat, (QUARTERS[quarter],)))
    if player.seals:
        player.seals -= 1
        seals = list(state.coat_seals)
        seals[SLOT_INDEX[coat]] = seat
        state.coat_seals = tuple(seals)
        events.append(Event("coat_seal", seat, (coat,)))


def pay_crest_owner(state: State, quarter: int, events: Events) -> None:
    """Give the owner of the crest in `quarter` what a seal action there brings (W5)."""
    owner = state.crests[quarter]
    if owner != NOBODY:
        vp = state.rules.crest_vp[quarter]
        state.players[owner].vp += vp
        events.append(Event("crest_vp", owner, (QUARTERS[quarter],), vp))
