"""What a service function raises when it refuses: each says what to do, and by its kind what programs can act upon."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil


class ServiceError(Exception):
    """A refusal: `message` is for the caller, `errors` has details or None, `kind` is one of `/api/v1/problems`."""

    kind = "bad-request"
    seconds: int | None = None
    """When to come back."""

    def __init__(self, message: str, errors: Mapping[str, object] | None = None, kind: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.errors = errors
        if kind is not None:
            self.kind = kind

    @property
    def of_fields(self) -> bool:
        """Whether `errors` says of fields of the request what is wrong with them: a list of sentences for each."""
        return bool(self.errors) and all(isinstance(said, list) for said in (self.errors or {}).values())

    @property
    def spoken(self) -> str:
        """The message for people, without the name of the field before it that programs look for."""
        if self.errors and len(self.errors) == 1:
            [(field, said)] = self.errors.items()
            if isinstance(said, list) and len(said) == 1 and self.message == f"{field}: {said[0]}":
                return str(said[0])
        return self.message


class Forbidden(ServiceError):  # noqa: N818 - named after the answer, as the contract has it
    """The caller is known but may not do this."""

    kind = "forbidden"


class NotFound(ServiceError):  # noqa: N818
    """There is no such thing for this caller's eyes."""

    kind = "not-found"


class Conflict(ServiceError):  # noqa: N818
    """The request does not fit the present state; look again and repeat."""

    kind = "conflict"


class TooLarge(ServiceError):  # noqa: N818
    """The request is bigger than the service takes."""

    kind = "too-large"


class Unprocessable(ServiceError):  # noqa: N818
    """The request can be read but not carried out."""

    kind = "not-possible"


def bad_field(field: str, message: str) -> Unprocessable:
    """What is wrong with one field of a request: programs are told which it is, people only the rest (`spoken`)."""
    return Unprocessable(f"{field}: {message}", {field: [message]}, "invalid-field")


class TooManyRequests(ServiceError):  # noqa: N818
    """Enough for now: the same later will do, in `seconds` seconds."""

    kind = "too-many-requests"

    def __init__(self, message: str, seconds: float, errors: Mapping[str, object] | None = None) -> None:
        super().__init__(message, errors)
        self.seconds = max(1, ceil(seconds))
