"""The blueprint of this API: flask-smorest's, with login, ETag and the errors of each operation in one decorator."""

from collections.abc import Callable, Mapping, Sequence
from functools import partialmethod, wraps
from http import HTTPStatus
from typing import Any, TypeVar

from flask import Response
from flask_smorest import Blueprint as SmorestBlueprint

from server.routes.http import bearer_auth, caching
from server.routes.http.answers import MADE
from server.routes.http.context import asked
from server.routes.http.request_parsing import RequestParser
from server.routes.http.strict_fields import NoQuerySchema
from server.service.accounts.access import SCOPES

View = TypeVar("View", bound=Callable[..., Any])
# What may happen to any operation: a fault here, a database that does not answer.
_ALWAYS = (500, 503)
_WITH_BODY = (400, 413, 415)
KEYED = ("IDEMPOTENCY_KEY",)
"""What an operation takes where a repeat is answered as the first time."""
OPEN: Any = {"scope": "read", "optional": True, "etag": True}
"""Options of `get` for what anybody may read, with a token or without, as far as they may see it."""
UNLIMITED = ("operations",)
"""Blueprints that no limit of requests is for (request_limits.py)."""


class Blueprint(SmorestBlueprint):
    """A group of endpoints."""

    def _operation(
        self,
        method: str,
        rule: str,
        answer: Any = None,
        status: int = 200,
        *,
        scope: str | None = None,
        optional: bool = False,
        body: Any = None,
        query: Any = None,
        any_query: bool = False,
        document_body: str | None = None,
        takes: Sequence[str] = (),
        etag: bool = False,
        reads: Callable[..., Response] | None = None,
        fails: Sequence[int] = (),
        also: Mapping[int, tuple[Any, str]] | None = None,
        **described: Any,
    ) -> Callable[[View], View]:
        """Let a function answer a method of an address; its name makes the operation's id: `post_moves`, `postMoves`.

        `answer` is the schema of success, answered with `status`; `scope` what the token has to be for (None: nobody is
        asked who they are; `optional`: only who sends a token); `body` and `query` are schemas, of which the view gets
        what was read as its first arguments, and a request that has neither may have no query, unless `any_query`;
        `document_body` names the schema of a body that the view reads by itself; `takes` are headers by their names
        among the document's components; `etag` gives the answer an ETag, and 304 to who knows it; `reads` is the view
        of what is changed, whose tag `If-Match` may name, else 412; `fails` the errors
        besides those of arguments and login; `also` other answers, by status with their schema and description; the
        rest is for flask-smorest's documentation of the answer.
        """
        if scope is not None and scope not in SCOPES:
            raise TypeError(f"an operation needs one of the scopes {', '.join(SCOPES)}, not {scope!r}")
        unread = body is None and query is None
        if unread and not any_query:
            query = NoQuerySchema
        # Made once: webargs would make them anew for each request.
        bodies = {
            place: schema() if isinstance(schema, type) else schema
            for place, schema in (("json", body), ("query", query))
            if schema is not None
        }

        def decorator(view: View) -> View:
            operation = _parsing(view, bodies, unread)
            if reads is not None:
                operation = caching.matched(operation, reads, lambda: f"if-match {bearer_auth.current_player().id}")
            if etag:
                operation = caching.conditional(operation)
            if scope is not None:
                operation = _guarded(operation, scope, optional)
            first, *words = view.__name__.split("_")
            endpoint = first + "".join(map(str.capitalize, words))
            failing = [*fails, *((304,) if etag else ()), *((412,) if reads else ()), *((401, 403) if scope else ())]
            manual: dict[str, Any] = {"responses": {code: HTTPStatus(code).name for code in failing}}
            manual["security"] = [] if scope is None else [{"bearer": [scope]}, *([{}] if optional else ())]
            shown = {"json": document_body} if document_body else bodies
            parameters = [{"in": place, "required": True, "schema": read} for place, read in shown.items()]
            arguments = {"parameters": parameters, "responses": {422: HTTPStatus(422).name}}
            answers = {
                code: [{"schema": one, "description": text, "content_type": None}]
                for code, (one, text) in (also or {}).items()
            }
            answers[status] = [{"description": HTTPStatus(status).phrase, "content_type": None, **described}]
            if answer is not None:
                answers[status][0]["schema"] = answer
            operation._apidoc = {  # type: ignore[attr-defined]
                "manual_doc": {**manual, "operationId": endpoint},
                "headers": [*takes, *(("IF_NONE_MATCH",) if etag else ()), *(("IF_MATCH",) if reads else ())],
                "response": {"responses": answers},
                **({"arguments": arguments} if shown else {}),
            }
            self.route(rule, methods=[method], endpoint=endpoint)(operation)
            return view

        return decorator

    get = partialmethod(_operation, "GET")
    post = partialmethod(_operation, "POST")
    make = partialmethod(_operation, "POST", status=201, scope="play", takes=KEYED, headers=MADE)
    """`post` for what makes something, whose address the answer has; a repeat is answered as the first time."""
    put = partialmethod(_operation, "PUT")
    patch = partialmethod(_operation, "PATCH")
    delete = partialmethod(_operation, "DELETE")

    def _prepare_arguments_doc(self, doc: Any, doc_info: Any, *, api: Any, spec: Any, **kwargs: Any) -> Any:
        doc = super()._prepare_arguments_doc(doc, doc_info, api=api, spec=spec, **kwargs)
        if doc_info.get("headers"):
            doc.setdefault("parameters", []).extend(doc_info["headers"])
        codes = [*_ALWAYS, *(() if self.name in UNLIMITED else (429,)), *(_WITH_BODY if "requestBody" in doc else ())]
        doc.setdefault("responses", {}).update({code: HTTPStatus(code).name for code in codes})
        return doc


def _parsing(view: Callable[..., Any], schemas: Mapping[str, Any], unread: bool) -> Callable[..., Any]:
    """Return the view with the request parsed by the schemas of its places before it; `unread`: only to refuse what is
    too much."""
    parse = _PARSER.parse

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        read = [parse(schema, asked(), location=place) for place, schema in schemas.items()]
        return view(*args, **kwargs) if unread else view(*args, *read, **kwargs)

    return wrapper


def _guarded(view: Callable[..., Any], scope: str, optional: bool) -> Callable[..., Any]:
    """Return the view for a known player only (or nobody, if `optional`); else 401, without the scope 403."""
    find = bearer_auth.optional_player if optional else bearer_auth.required_player

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Response:
        find(scope)
        response: Response = view(*args, **kwargs)
        return response

    return wrapper


_PARSER = RequestParser()
