"""The client for plain iteration. It has no thread: the socket is read while a stream is iterated."""

from __future__ import annotations

import select
import time
from types import TracebackType
from typing import List, Optional, Type

from . import session as protocol
from .connection import Connection, Subscriber, closed, is_final
from .errors import ConnectionLost, LodestarError
from .session import Item, Session, Subscription, log
from .values import Estimate, Heading, Location, Samples


class Client(Connection):
    """One connection to the daemon, for one thread. `lodestar.connect` makes it."""

    #: Reads before an item is delivered, so that a fast sender cannot delay it without end.
    _MOST_READS = 64

    def __init__(self, paths: List[str], session: Session, reconnect: bool) -> None:
        super().__init__(paths, session, reconnect)
        self._delay = protocol.FIRST_DELAY
        self._retry_at = 0.0
        self._fault: Optional[LodestarError] = None
        self._open()

    def headings(
        self, interval: Optional[float] = None, *, timeout: Optional[float] = None
    ) -> Stream[Heading]:
        """The headings; a slow reader receives only the newest.

        `interval`: least seconds between two headings. `timeout`: seconds without a heading after which
        the iteration raises `TimeoutError`; it can go on afterwards.
        """
        return Stream(self, protocol.heading_subscription(interval), timeout)

    def locations(
        self,
        interval: Optional[float] = None,
        *,
        accuracy_metres: Optional[float] = None,
        timeout: Optional[float] = None,
    ) -> Stream[Location]:
        """The receiver's fixes.

        `interval`: sufficient seconds between two fixes; with `accuracy_metres`, the required accuracy, it lets
        the receiver sleep. Every fix of the receiver is delivered.
        """
        return Stream(self, protocol.location_subscription(interval, accuracy_metres), timeout)

    def estimates(
        self, interval: Optional[float] = None, *, timeout: Optional[float] = None
    ) -> Stream[Estimate]:
        """Every estimate: heading, attitude and location; `interval` is that of the headings."""
        return Stream(self, protocol.estimate_subscription(interval), timeout)

    def samples(
        self, interval: Optional[float] = None, *, timeout: Optional[float] = None
    ) -> Stream[Samples]:
        """The sensors' samples in sensor axes."""
        return Stream(self, protocol.sample_subscription(interval), timeout)

    def heading(self, timeout: Optional[float] = None) -> Heading:
        """Waits for one heading."""
        with self.headings(timeout=timeout) as stream:
            return self._one(stream)

    def location(self, timeout: Optional[float] = None) -> Location:
        """Waits for one fix."""
        with self.locations(timeout=timeout) as stream:
            return self._one(stream)

    def close(self) -> None:
        """Closes the connection and ends all iterations."""
        self._is_closed = True
        self._disconnect()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    # Connection

    def _open(self) -> None:
        """Connects and waits for `welcome`."""
        deadline = time.monotonic() + protocol.WELCOME_TIMEOUT
        try:
            while True:
                try:
                    self._socket, self._path = protocol.open_socket(self._paths)
                    break
                except protocol.DaemonBusy:
                    if time.monotonic() >= deadline:
                        raise self._no_answer() from None
                    time.sleep(0.02)
            self._session.begin()
            while not self._session.is_welcome:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise self._no_answer()
                self._exchange(left)
        except BaseException:
            self._disconnect()
            raise
        self._delay = protocol.FIRST_DELAY

    def _exchange(self, timeout: Optional[float]) -> bool:
        """Sends what is queued and handles what arrives within the timeout, all without waiting if it is 0.

        Returns True if something was received.
        """
        connection = self._socket
        if connection is None:
            raise ConnectionLost(f"{self._path}: not connected")
        session = self._session
        try:
            self._flush()
            if timeout != 0:
                events = select.POLLIN | (select.POLLOUT if session.outbox else 0)
                poll = select.poll()
                poll.register(connection, events)
                # At most an hour; rounded up, so that the wait is not repeated without a pause.
                milliseconds = None if timeout is None else int(min(timeout, 3600.0) * 1000) + 1
                poll.poll(milliseconds)
            data = connection.recv(protocol.READ_SIZE)
        except BlockingIOError:
            return False
        except OSError as error:
            raise session.lost(self._path) from error
        if not data:
            raise session.lost(self._path)
        session.receive(data)
        return True

    # Streams

    def _one(self, stream: Stream[Item]) -> Item:
        for item in stream:
            return item
        raise closed()

    def _next(self, subscription: Subscription[Item], timeout: Optional[float]) -> Optional[Item]:
        """The next item of a stream; None after `close`."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._is_closed:
            try:
                self._read_available()
            except LodestarError as fault:
                self._lose(fault)
            if subscription.queue:
                return subscription.queue.popleft()
            if self._fault is not None:
                raise self._fault.with_traceback(None)
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError(f"{self._path}: no value within {timeout} s")
            try:
                if self._socket is not None:
                    self._exchange(left)
                else:
                    self._connect_again(left)
            except LodestarError as fault:
                self._lose(fault)
        return None

    def _read_available(self) -> None:
        """Reads what has arrived, so that the newest heading is delivered."""
        if self._socket is None:
            return
        for _ in range(self._MOST_READS):
            if not self._exchange(0):
                return

    def _connect_again(self, timeout: Optional[float]) -> None:
        wait = max(self._retry_at - time.monotonic(), 0)
        if timeout is not None and timeout < wait:
            time.sleep(timeout)
            return
        time.sleep(wait)
        self._open()
        log.warning("%s: connected again", self._path)

    def _lose(self, fault: LodestarError) -> None:
        """Plans a reconnection, or ends the client."""
        was_connected = self._session.is_welcome
        self._disconnect()
        if not self._reconnect or is_final(fault):
            self._fault = fault
            return
        self._session.report_loss(fault, was_connected)
        if was_connected:
            self._delay = protocol.FIRST_DELAY
        self._retry_at = time.monotonic() + self._delay
        self._delay = min(self._delay * 2, protocol.LONGEST_DELAY)


class Stream(Subscriber[Item]):
    """An iterator over values of the daemon. The daemon sends them while the stream exists."""

    def __init__(
        self, client: Client, subscription: Subscription[Item], timeout: Optional[float]
    ) -> None:
        self._client = client
        self._timeout = timeout
        super().__init__(client, subscription)

    def __iter__(self) -> Stream[Item]:
        return self

    def __next__(self) -> Item:
        item = self._client._next(self._subscription, self._timeout)
        if item is None:
            raise StopIteration
        return item

    def __enter__(self) -> Stream[Item]:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
