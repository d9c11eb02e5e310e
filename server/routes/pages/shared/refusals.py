"""What a refusal of the service says to people: of a form as a whole, or of its fields."""

from __future__ import annotations

from typing import TypeVar

from werkzeug.wrappers import Response

from server.language import sentence
from server.service.common.errors import ServiceError

Answer = TypeVar("Answer", bound=Response)


def reasons(refusal: ServiceError) -> dict[str, str]:
    """Why something was refused: a sentence for each field, or one for all of the form under ""."""
    details = {name: why[0] for name, why in (refusal.errors or {}).items() if isinstance(why, list) and why}
    if not details:
        return {"": sentence(refusal.message)}
    return {name: sentence(str(why)) for name, why in details.items()}


def reason(refusal: ServiceError) -> str:
    """The first of `reasons`, where the field's name stands beside it or there is but one."""
    return next(iter(reasons(refusal).values()))


def refused(response: Answer, refusal: ServiceError) -> Answer:
    """The page that says what was refused, with the headers of the refusal."""
    response.headers.update(refusal.headers)
    return response
