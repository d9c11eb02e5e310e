"""The ruleset ulm/1: docs/rules.md as it was first written."""

from server.engine.ulm1 import (
    cards,
    cathedral,
    dealing,
    game,
    illegal_moves,
    quarters,
    remaining,
    scoring,
    setup,
    turn,
    view,
)
from server.engine.ulm1.ruleset import Ruleset
from server.engine.ulm1.state import State

RULES: Ruleset[State] = Ruleset(
    name="ulm/1",
    changes="The first: docs/rules.md and docs/record.md, house values marked [H].",
    verbs=game.VERBS,
    choices=game.CHOICES,
    privileges=quarters.PRIVILEGES,
    effects=cards.EFFECTS,
    tops=cards.tops("steps_up_to"),
    chronicle_vp=scoring.CHRONICLE_VP,
    final_scores=scoring.final_scores,
    check_options=setup.check_options,
    set_up=setup.new_game,
    read_state=State.from_dict,
    legal_moves=game.legal_moves,
    apply=game.apply,
    advance=game.advance,
    can_auto_draw=game.can_auto_draw,
    pushed=cathedral.pushed,
    money_coins=turn.money_coins,
    lost_by_ending=remaining.lost_by_ending,
    remaining=remaining.remaining,
    reason=illegal_moves.reason,
    shared_reason=illegal_moves.shared_reason,
    view=view.view,
    dealt=dealing.dealt,
    visible_state=view.visible_state,
    hidden_behind=view.hidden_behind,
    told_order=view.told_order,
    log_entry=view.log_entry,
)
