"""What a client can do: one method for each operation of the API, by what it is about."""

from ulm_client.operations.accounts import Accounts
from ulm_client.operations.archive import Archive
from ulm_client.operations.contests import Contests
from ulm_client.operations.games import Games
from ulm_client.operations.server import Server


class Operations(Accounts, Games, Archive, Contests, Server):
    """The methods that `Client` and `AsyncClient` share. What they return has the types of `ulm_client.types`.

    Each raises `RefusedError` (`IllegalMoveError` for a move), or `NoAnswerError`. What passes they wait out.
    """
