"""Accounts: players, tokens, who is whose friend, vacations, channels, bots."""

from __future__ import annotations

from typing import Unpack

from ulm_client import types
from ulm_client.drivers import Operation, Stream
from ulm_client.operations.calls import Calls
from ulm_client.steps import Items, Steps


class Accounts(Calls):
    """Accounts: players, tokens, who is whose friend, vacations, channels, bots."""

    @Operation
    def create_player(self, **values: Unpack[types.NewPlayer]) -> Steps[types.CreatedPlayer]:
        """Make an account: the answer holds its token, this once."""
        return self._ask("POST", "/players", values)

    @Operation
    def find_players(self, name: str) -> Steps[list[types.FoundPlayer]]:
        """Find players by the beginning of their names, at most 20."""
        return self._ask("GET", "/players", locals())

    @Operation
    def player(self, player_id: str) -> Steps[types.PlayerPage]:
        """Read the page of a player, or of a bot of the house by its name."""
        return self._ask("GET", "/players/{player_id}", locals())

    @Operation
    def me(self) -> Steps[types.Profile]:
        """Read the own profile and preferences."""
        return self._ask("GET", "/players/me")

    @Operation
    def change_me(self, **values: Unpack[types.ChangedProfile]) -> Steps[types.Profile]:
        """Change name, address or preferences; what is left out stays."""
        return self._ask("PATCH", "/players/me", values)

    @Operation
    def delete_me(self) -> Steps[None]:
        """Delete the own account, for ever and at once."""
        return self._ask("DELETE", "/players/me")

    @Operation
    def my_data(self) -> Steps[types.Export]:
        """Read all that the server keeps about the caller."""
        return self._ask("GET", "/players/me/export")

    @Operation
    def resend_confirmation(self) -> Steps[None]:
        """Have the mail sent once more that asks to confirm the own address."""
        return self._ask("POST", "/players/me/confirmation")

    @Operation
    def confirm_address(self, token: str) -> Steps[None]:
        """Confirm the own address with what the mail's link ends with."""
        return self._ask("PUT", "/players/me/confirmation", locals())

    @Operation
    def tokens(self) -> Steps[list[types.Token]]:
        """List the own tokens, without themselves."""
        return self._ask("GET", "/players/me/tokens")

    @Operation
    def create_token(self, **values: Unpack[types.NewToken]) -> Steps[types.CreatedToken]:
        """Make a further token; it is shown this once."""
        return self._ask("POST", "/players/me/tokens", values)

    @Operation
    def rename_token(self, token_id: str, name: str) -> Steps[types.Token]:
        """Give a token another name."""
        return self._ask("PATCH", "/players/me/tokens/{token_id}", locals())

    @Operation
    def revoke_token(self, token_id: str) -> Steps[None]:
        """Revoke a token for ever."""
        return self._ask("DELETE", "/players/me/tokens/{token_id}", locals())

    @Operation
    def sessions(self) -> Steps[list[types.Session]]:
        """List the browsers in which the caller is signed in."""
        return self._ask("GET", "/players/me/sessions")

    @Operation
    def end_session(self, session_id: str) -> Steps[None]:
        """Sign a browser out."""
        return self._ask("DELETE", "/players/me/sessions/{session_id}", locals())

    @Operation
    def contacts(self) -> Steps[list[types.Contact]]:
        """List friends, and whom the caller has muted or blocked."""
        return self._ask("GET", "/players/me/contacts")

    @Operation
    def set_contact(self, player_id: str, kind: types.ContactKind) -> Steps[types.Contact]:
        """Make a player a friend, or mute or block them."""
        return self._ask("PUT", "/players/me/contacts/{player_id}", locals())

    @Operation
    def forget_contact(self, player_id: str) -> Steps[None]:
        """Let a player be neither friend, nor muted, nor blocked."""
        return self._ask("DELETE", "/players/me/contacts/{player_id}", locals())

    @Operation
    def opponents(self) -> Steps[list[types.Opponent]]:
        """List whom the caller may wish to play with."""
        return self._ask("GET", "/players/me/opponents")

    @Operation
    def invitations(self) -> Steps[list[types.OwnInvitation]]:
        """List the open games to which the caller was invited by name."""
        return self._ask("GET", "/players/me/invitations")

    @Operation
    def decline_invitation(self, game_id: str) -> Steps[None]:
        """Decline an invitation by name."""
        return self._ask("DELETE", "/players/me/invitations/{game_id}", locals())

    @Operation
    def vacations(self) -> Steps[list[types.Vacation]]:
        """List the own vacations of this year and later."""
        return self._ask("GET", "/players/me/vacations")

    @Operation
    def create_vacation(self, **values: Unpack[types.NewVacation]) -> Steps[types.Vacation]:
        """Enter a vacation: deadlines move with it."""
        return self._ask("POST", "/players/me/vacations", values)

    @Operation
    def end_vacation(self, vacation_id: str) -> Steps[None]:
        """Remove a vacation to come, or end the one under way."""
        return self._ask("DELETE", "/players/me/vacations/{vacation_id}", locals())

    @Operation
    def channels(self) -> Steps[list[types.Channel]]:
        """List where news of the own games go beside mail."""
        return self._ask("GET", "/players/me/channels")

    @Operation
    def create_channel(self, **values: Unpack[types.NewChannel]) -> Steps[types.CreatedChannel]:
        """Send news of the own games to an address."""
        return self._ask("POST", "/players/me/channels", values)

    @Operation
    def try_channel(self, channel_id: str) -> Steps[None]:
        """Send a trial, one a minute at most."""
        return self._ask("POST", "/players/me/channels/{channel_id}/trials", locals())

    @Operation
    def delete_channel(self, channel_id: str) -> Steps[None]:
        """Send nothing there any more."""
        return self._ask("DELETE", "/players/me/channels/{channel_id}", locals())

    @Operation
    def bots(self) -> Steps[list[types.Bot]]:
        """List the bots of the house, from the weakest on."""
        return self._ask("GET", "/bots")

    @Stream
    def bot_accounts(self) -> Items[types.BotAccount]:
        """List the bots with accounts that take games."""
        return self._pages("/bots/accounts")

    @Operation
    def my_bots(self) -> Steps[list[types.BotAccount]]:
        """List the own bots."""
        return self._ask("GET", "/players/me/bots")

    @Operation
    def create_bot(self, **values: Unpack[types.NewBot]) -> Steps[types.BotWithToken]:
        """Make a bot that the caller owns; its token is shown this once."""
        return self._ask("POST", "/players/me/bots", values)

    @Operation
    def my_bot(self, handle: str) -> Steps[types.BotAccount]:
        """Read one of the own bots."""
        return self._ask("GET", "/players/me/bots/{handle}", locals())

    @Operation
    def change_bot(self, handle: str, **values: Unpack[types.ChangedBot]) -> Steps[types.BotAccount]:
        """Give a bot another name, or change which games it takes."""
        return self._ask("PATCH", "/players/me/bots/{handle}", {"handle": handle, **values})

    @Operation
    def delete_bot(self, handle: str) -> Steps[None]:
        """Delete a bot, for ever and at once."""
        return self._ask("DELETE", "/players/me/bots/{handle}", locals())

    @Operation
    def renew_bot_token(self, handle: str) -> Steps[types.BotWithToken]:
        """Give a bot another token; the one before ends."""
        return self._ask("POST", "/players/me/bots/{handle}/token", locals())
