"""A position: as a seat sees it, and whole (record.md §4)."""

from marshmallow import fields, validate

from server.engine import rulesets
from server.routes.api.schemas.common import (
    PHASES,
    AnswerSchema,
    ColorCountsSchema,
    OptionsSchema,
    ScoreSchema,
    color,
    described,
    quarter,
    slot,
)

_ROUNDS = max(rules.rounds for rules in rulesets.ALL.values())
_SEAT = described("Seat number, from 0 on.", minimum=0, maximum=3)


class CreditsSchema(AnswerSchema):
    """Actions that can be used without a tile (rules.md A7)."""

    card = fields.Integer(required=True)
    seal = fields.Integer(required=True)
    seal_at_1 = fields.Integer(required=True)
    step = fields.Integer(required=True)


class TurnSchema(AnswerSchema):
    """What the player to move has left to use."""

    tiles = fields.List(color(), required=True, metadata=described("Drawn and not yet pushed."))
    slot = slot(required=True, allow_none=True, metadata=described("Where the tile was pushed in."))
    activated = fields.Nested(ColorCountsSchema, required=True)
    credits = fields.Nested(CreditsSchema, required=True)
    free_play = fields.Boolean(required=True)
    swapped = fields.Boolean(required=True)
    exchanged = fields.Boolean(required=True)
    salvaged = fields.Boolean(required=True)
    levy_paid = fields.Boolean(required=True)
    patrician = fields.Boolean(required=True)


class PendingSchema(AnswerSchema):
    """A choice to settle before anything else."""

    kind = fields.String(required=True, metadata=described("coat, choose, barge, descendant, dock, abbot, …"))
    offer = fields.List(fields.String(), metadata=described("Coats or cards on offer; for their owner alone."))
    max = fields.Integer(metadata=described("The largest K of `barge K`."))


class _SeatSchema(AnswerSchema):
    vp = fields.Integer(required=True)
    coins = fields.Integer(required=True)
    sparrows = fields.Integer(required=True)
    tiles = fields.Nested(ColorCountsSchema, required=True)
    seals = fields.Integer(required=True, metadata=described("Left in supply."))
    crests = fields.Integer(required=True, metadata=described("Left in supply."))
    barge = fields.Integer(required=True, metadata=described("Danube space, 1 to 22."))
    descendants = fields.List(fields.String(), required=True)
    coats = fields.List(slot(), required=True)
    table = fields.List(fields.String(), required=True)
    played = fields.Integer(required=True, metadata=described("Cards played, either way."))
    resigned = fields.Boolean(required=True)


class SeatViewSchema(_SeatSchema):
    """A player as another sees them; `hand` is there for the own seat only."""

    hand = fields.List(fields.String(), metadata=described("The own seat only."))
    hand_size = fields.Integer(required=True)


class SeatStateSchema(_SeatSchema):
    """A player with everything."""

    hand = fields.List(fields.String(), required=True)


class _PositionSchema(AnswerSchema):
    ruleset = fields.String(required=True, metadata=described("Rules of this game.", example=rulesets.NEWEST.name))
    options = fields.Nested(OptionsSchema, required=True)
    ply = fields.Integer(required=True, metadata=described("Moves so far, as far as the reader may know."))
    round = fields.Integer(required=True, metadata=described(f"1 to {_ROUNDS}.", minimum=1, maximum=_ROUNDS))
    phase = fields.String(required=True, validate=validate.OneOf(PHASES))
    start = fields.Integer(required=True, metadata=_SEAT)
    active = fields.Integer(required=True, allow_none=True, metadata=described("Seat to move; null when over."))
    grid = fields.List(
        fields.List(color(), validate=validate.Length(equal=3)), required=True, validate=validate.Length(equal=3)
    )
    outer = fields.Dict(keys=slot(), values=color(), required=True, metadata=described("Occupied slots only."))
    docks = fields.Nested(ColorCountsSchema, required=True)
    bag = fields.Nested(ColorCountsSchema, required=True)
    discard = fields.List(fields.String(), required=True, metadata=described("The last is the top."))
    coat_seals = fields.Dict(keys=slot(), values=fields.Integer(), required=True)
    crests = fields.Dict(keys=quarter(), values=fields.Integer(), required=True)
    quarters = fields.Dict(keys=quarter(), values=fields.List(fields.Integer()), required=True)
    descendants = fields.List(fields.String(), required=True, metadata=described("Left in the Oath House."))
    tower = fields.List(fields.String(), required=True, metadata=described("In the order of the rounds."))
    turn = fields.Nested(TurnSchema, required=True)
    pending = fields.List(fields.Nested(PendingSchema), required=True, metadata=described("The last is settled first."))
    scores = fields.List(fields.Nested(ScoreSchema), required=True, allow_none=True)


class ViewSchema(_PositionSchema):
    """What a seat, or a spectator, may see."""

    pile_size = fields.Integer(required=True)
    coats_size = fields.Integer(required=True)
    players = fields.List(fields.Nested(SeatViewSchema), required=True, metadata=described("By seat."))


class StateSchema(_PositionSchema):
    """A whole position, secrets and all: finished games only."""

    chance = fields.Integer(required=True, metadata=described("Position in the stream of record.md §1."))
    pile = fields.List(fields.String(), required=True, metadata=described("The last is the top."))
    coats = fields.List(slot(), required=True, metadata=described("The last is the top."))
    players = fields.List(fields.Nested(SeatStateSchema), required=True, metadata=described("By seat."))
