"""The blueprint of this API: flask-smorest's, with login, ETag and error documentation as decorators.

`get`, `post` and their like are all of them in one.
Views return ready answers (`answers.answer`): the schemas describe the data and the tests hold them to it, while
nothing is dumped field by field on the way out.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial, partialmethod, wraps
from http import HTTPStatus
from typing import Any, TypeVar

from flask import Response
from flask_smorest import Blueprint as SmorestBlueprint

from server.routes.http import bearer_auth, caching
from server.routes.http.context import asked
from server.routes.http.request_parsing import RequestParser
from server.routes.http.request_schemas import NoQuerySchema
from server.service.accounts.access import SCOPES

View = TypeVar("View", bound=Callable[..., Any])
# What may happen to any operation: a fault here, a database that does not answer.
_ALWAYS = (500, 503)
KEYED = ("IDEMPOTENCY_KEY",)
"""What `operation` takes where a repeat is answered as the first time."""
OPEN: Any = {"scope": "read", "optional": True, "etag": True}
"""Options of `get` for what anybody may read, with a token or without, as far as they may see it."""
UNLIMITED = ("operations",)
"""Blueprints that no limit of requests is for (request_limits.py)."""
_WITH_BODY = (400, 413, 415)


class Blueprint(SmorestBlueprint):
    """A group of endpoints; see the module for the order of decorators."""

    ARGUMENTS_PARSER = RequestParser()

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
        takes: Sequence[str] = (),
        etag: bool = False,
        fails: Sequence[int] = (),
        **described: Any,
    ) -> Callable[[View], View]:
        """Let a function answer a method of an address; its name makes the operation's id: `post_moves`, `postMoves`.

        `answer` is the schema of success, answered with `status`; `scope` what the token has to be for (None: nobody is
        asked who they are; `optional`: only who sends a token); `body` and `query` are schemas, and a request that has
        neither may have no query, unless `any_query`; `takes` are headers by their names among the document's
        components; `fails` the errors besides those of arguments and login; `etag` as the method below; the rest is
        for flask-smorest's `response`.
        """
        decorators = [self.fails(*fails), self.response(status, answer, **described)]
        if body is not None:
            decorators.append(self.arguments(body))
        elif query is not None:
            decorators.append(self.arguments(query, location="query"))
        elif not any_query:
            decorators.append(self.no_query)
        decorators.append(self.parameters(*takes))
        if etag:
            decorators.append(self.etag)
        if scope is not None:
            decorators.append((self.login_optional if optional else self.login_required)(scope))

        def decorator(view: View) -> View:
            for one in decorators:
                view = one(view)
            first, *words = view.__name__.split("_")
            endpoint = first + "".join(map(str.capitalize, words))
            self.route(rule, methods=[method], endpoint=endpoint)(view)
            return view

        return decorator

    get = partialmethod(_operation, "GET")
    post = partialmethod(_operation, "POST")
    put = partialmethod(_operation, "PUT")
    patch = partialmethod(_operation, "PATCH")
    delete = partialmethod(_operation, "DELETE")

    def arguments(self, schema: Any, location: str = "json") -> Callable[[View], View]:
        """Parse the request by `schema`, which is made here once: webargs would make it anew for each request. The view
        gets what was read behind its other positional arguments."""
        made = schema() if isinstance(schema, type) else schema
        documented = super().arguments(made, location=location)
        parse = self.ARGUMENTS_PARSER.parse

        def decorator(view: View) -> View:
            @wraps(view)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                return view(*args, parse(made, asked(), location=location), **kwargs)

            return _like(documented(view), wrapper)

        return decorator

    def no_query(self, view: View) -> View:
        """Refuse whatever the query says; what `arguments` is for views that read nothing."""
        made = NoQuerySchema()
        parse = self.ARGUMENTS_PARSER.parse

        @wraps(view)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            parse(made, asked(), location="query")
            return view(*args, **kwargs)

        return _like(super().arguments(made, location="query")(view), wrapper)

    def response(self, *args: Any, **kwargs: Any) -> Callable[[View], View]:
        """Document the answer of success. Nothing is done for a request: what views return is it."""
        documented = super().response(*args, **kwargs)
        return lambda view: _like(documented(view), view)

    @staticmethod
    def login_required(scope: str) -> Callable[[View], View]:
        """Call the view for a known player only (`bearer_auth.current_player()`); else 401, without `scope` 403."""
        security = [{"bearer": [_known(scope)]}]
        return lambda view: _guarded(view, partial(bearer_auth.required_player, scope), security)

    @staticmethod
    def login_optional(scope: str) -> Callable[[View], View]:
        """Call the view for a known player or nobody; a wrong token is 401 all the same, one without `scope` 403."""
        security = [{"bearer": [_known(scope)]}, {}]
        return lambda view: _guarded(view, partial(bearer_auth.optional_player, scope), security)

    @staticmethod
    def etag(view: View) -> View:
        """Give the answer an ETag and answer 304 to an If-None-Match that names it (caching.py)."""
        docs = {"parameters": ["IF_NONE_MATCH"], "responses": {304: "NOT_MODIFIED"}}
        return _documented(view, caching.conditional(view), docs)

    @staticmethod
    def parameters(*names: str) -> Callable[[View], View]:
        """Document header parameters, by their names among the document's components (docs.py)."""
        return lambda view: _documented(view, view, {"parameters": list(names)})

    @staticmethod
    def document_body(schema: Any) -> Callable[[View], View]:
        """Document a JSON body that the view reads by itself."""

        def decorator(view: View) -> View:
            _documented(view, view, {})
            body = {"in": "json", "required": True, "schema": schema}
            docs = {"parameters": [body], "responses": {422: HTTPStatus(422).name}}
            view._apidoc["arguments"] = docs  # type: ignore[attr-defined]
            return view

        return decorator

    @staticmethod
    def fails(*codes: int) -> Callable[[View], View]:
        """Document the errors that the view answers besides those of its arguments and its login."""
        docs = {"responses": {code: HTTPStatus(code).name for code in codes}}
        return lambda view: _documented(view, view, docs)

    def _store_endpoint_docs(self, endpoint: str, obj: Any, parameters: Any, tags: Any, **options: Any) -> None:
        super()._store_endpoint_docs(endpoint, obj, parameters, tags, **options)
        for info in self._docs[endpoint].values():
            if isinstance(info, dict):
                info.setdefault("manual_doc", {})["operationId"] = endpoint

    def _prepare_arguments_doc(self, doc: Any, doc_info: Any, *, api: Any, spec: Any, **kwargs: Any) -> Any:
        doc = super()._prepare_arguments_doc(doc, doc_info, api=api, spec=spec, **kwargs)
        if doc_info.get("headers"):
            doc.setdefault("parameters", []).extend(doc_info["headers"])
        codes = [*_ALWAYS, *(() if self.name in UNLIMITED else (429,)), *(_WITH_BODY if "requestBody" in doc else ())]
        doc.setdefault("responses", {}).update({code: HTTPStatus(code).name for code in codes})
        return doc


def _known(scope: str) -> str:
    if scope not in SCOPES:
        raise TypeError(f"an operation needs one of the scopes {', '.join(SCOPES)}, not {scope!r}")
    return scope


def _guarded(view: View, find: Callable[[], Any], security: list[dict[str, list[str]]]) -> View:
    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Response:
        find()
        return view(*args, **kwargs)

    return _documented(view, wrapper, {"security": security, "responses": {401: "UNAUTHORIZED", 403: "FORBIDDEN"}})


def _like(documented: Any, view: Callable[..., Any]) -> Any:
    """Return `view` with the documentation of what flask-smorest has made of it."""
    view._apidoc = documented._apidoc  # type: ignore[attr-defined]
    return view


def _documented(view: View, wrapper: Callable[..., Any], manual: dict[str, Any]) -> View:
    """Return `wrapper` with the documentation of `view` and, added to it, `manual`."""
    info = deepcopy(getattr(view, "_apidoc", {}))
    known = info.setdefault("manual_doc", {})
    for key, value in manual.items():
        if key == "parameters":
            info["headers"] = [*info.get("headers", []), *value]
        elif isinstance(value, dict):
            known[key] = {**known.get(key, {}), **value}
        else:
            known[key] = value
    wrapper._apidoc = info  # type: ignore[attr-defined]
    return wrapper  # type: ignore[return-value]
