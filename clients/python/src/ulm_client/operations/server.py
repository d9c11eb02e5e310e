"""The server itself: whether it answers, what is where, what errors mean."""

from __future__ import annotations

from ulm_client import types
from ulm_client.drivers import Operation
from ulm_client.operations.calls import Calls
from ulm_client.steps import Steps, ask, request


class Server(Calls):
    """The server itself: whether it answers, what is where, what errors mean."""

    @Operation
    def problems(self) -> Steps[list[types.ProblemType]]:
        """List the kinds of errors: what each means, and what to do."""
        return self._ask("GET", "/problems")

    @Operation
    def problem(self, kind: str) -> Steps[types.ProblemType]:
        """Read what errors of a kind mean."""
        return self._ask("GET", "/problems/{kind}", locals())

    @Operation
    def index(self) -> Steps[types.Index]:
        """Read version, rulesets, and where the description and the lists begin."""
        return self._ask("GET", "")

    @Operation
    def alive(self) -> Steps[types.Health]:
        """Hear that the process answers."""
        return ask(request("GET", "/healthz", {}), self.patience)

    @Operation
    def ready(self) -> Steps[types.Health]:
        """Hear that the database can be read and written to."""
        return ask(request("GET", "/readyz", {}), self.patience)
