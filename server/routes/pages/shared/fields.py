"""Reading what people and addresses say: numbers, and what a refusal says of the fields of a form."""

from __future__ import annotations

from server.routes.pages.shared import frame
from server.service.common.errors import ServiceError

DIGITS_MAX = 9
"""A longer number is none that anything here counts."""


def whole(text: str) -> int | None:
    """A whole number as people write it, None for anything else."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MAX else None


def reasons(refusal: ServiceError) -> dict[str, str]:
    """Why something was refused: a sentence for each field, or one for all of the form under ""."""
    details = {name: why[0] for name, why in (refusal.errors or {}).items() if isinstance(why, list) and why}
    if not details:
        return {"": frame.sentence(refusal.message)}
    return {name: frame.sentence(str(why)) for name, why in details.items()}


def reason(refusal: ServiceError) -> str:
    """The first of `reasons`, where the field's name stands beside it or there is but one."""
    return next(iter(reasons(refusal).values()))
