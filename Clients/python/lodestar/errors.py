"""The errors of a client. Each message is one line that says what failed, on what, why, and what to do."""

from __future__ import annotations


class LodestarError(Exception):
    """Any error of this package."""


class DaemonNotFound(LodestarError):
    """No daemon listens at any path of the socket."""


class ConnectionLost(LodestarError):
    """The daemon does not answer, or has closed the connection."""


class ProtocolError(LodestarError):
    """The peer at the socket sent what is no message of the protocol."""


class Refused(LodestarError):
    """The daemon, or the permission of its socket, refuses this client."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        #: The kind of refusal: 'access', 'application', 'malformed', 'tooMany', 'version', …
        self.code = code
        #: The daemon's line for the user, with the remedy.
        self.message = message

    @property
    def is_final(self) -> bool:
        """True if this program is refused until it is changed."""
        return self.code in ("application", "malformed", "order", "version")
