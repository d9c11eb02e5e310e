"""What can go wrong when a mail is handed over. Delivery does something else about each."""


class DeliveryError(Exception):
    """A mail was not taken. The message is for the operator: it may quote the mail server."""


class PermanentError(DeliveryError):
    """The server will not take this mail, however often it is sent (5xx)."""


class TemporaryError(DeliveryError):
    """The server does not take this mail now (4xx), or it is unknown whether it has."""


class UnreachableError(DeliveryError):
    """No mail can be sent at the moment: no connection, no TLS, no login."""
