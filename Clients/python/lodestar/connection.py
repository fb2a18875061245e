"""What both clients share: the open socket, the values that were read, and the demand of their streams."""

from __future__ import annotations

import socket
from typing import Generic, List, Optional

from .errors import ConnectionLost, LodestarError, ProtocolError, Refused
from .session import Item, Session, Subscription
from .values import Access, Estimate, Location, Source


def is_final(fault: LodestarError) -> bool:
    """True if a reconnection would fail in the same way."""
    if isinstance(fault, Refused):
        return fault.is_final
    return isinstance(fault, ProtocolError)


def closed() -> ConnectionLost:
    """The error of a wait for one value at a closed client."""
    return ConnectionLost("the client is closed; connect again")


class Connection:
    """One connection to the daemon. A client without asyncio reads only while a stream is iterated."""

    def __init__(self, paths: List[str], session: Session, reconnect: bool) -> None:
        self._paths = paths
        self._session = session
        self._reconnect = reconnect
        self._path = ", ".join(paths)
        self._socket: Optional[socket.socket] = None
        self._is_closed = False

    @property
    def latest(self) -> Optional[Estimate]:
        """The newest estimate that was read; the daemon sends estimates while a stream exists."""
        return self._session.latest

    @property
    def last_location(self) -> Optional[Location]:
        """The newest position that was read, at first the daemon's last one, possibly of an earlier run."""
        return self._session.last_location

    @property
    def access(self) -> Optional[Access]:
        """The access that was read last."""
        return self._session.access

    @property
    def source(self) -> Optional[Source]:
        """The source that was read last."""
        return self._session.source

    @property
    def is_connected(self) -> bool:
        """True while the connection is open, as far as was read."""
        return self._session.is_welcome

    def _no_answer(self) -> ConnectionLost:
        return ConnectionLost(
            f"{self._path}: the daemon does not answer; see 'systemctl status lodestar', or restart it"
        )

    def _flush(self) -> None:
        # What the socket does not take is sent later; a client sends a few short lines only.
        if self._socket is not None:
            self._session.flush(self._socket)

    def _disconnect(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._session.end()

    def _add(self, subscription: Subscription[Item]) -> None:
        self._session.add(subscription)
        self._flush()

    def _remove(self, subscription: Subscription[Item]) -> None:
        self._session.remove(subscription)
        self._flush()


class Subscriber(Generic[Item]):
    """The demand of one stream for values of the daemon, which sends them while the stream exists."""

    def __init__(self, connection: Connection, subscription: Subscription[Item]) -> None:
        self._connection = connection
        self._subscription = subscription
        connection._add(subscription)

    def close(self) -> None:
        """Ends the demand for the values; so does the end of the last reference."""
        self._connection._remove(self._subscription)

    def __del__(self) -> None:
        # An invalid argument leaves the stream without a subscription.
        if hasattr(self, "_subscription"):
            self.close()
