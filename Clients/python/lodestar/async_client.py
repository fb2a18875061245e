"""The client for asyncio. A task reads the socket, so that `latest` follows while a stream exists."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Generator, List, Optional, Type

from . import session as protocol
from .connection import Connection, Subscriber, closed, is_final
from .errors import LodestarError
from .session import Item, Session, Subscription, log
from .values import Estimate, Heading, Location, Samples


class AsyncClient(Connection):
    """One connection to the daemon, for one event loop. `lodestar.aconnect` makes it."""

    def __init__(self, paths: List[str], session: Session, reconnect: bool) -> None:
        super().__init__(paths, session, reconnect)
        self._task: Optional[asyncio.Task[None]] = None
        self._fault: Optional[Exception] = None

    def headings(self, interval: Optional[float] = None) -> AsyncStream[Heading]:
        """The headings; a slow reader receives only the newest. `interval`: least seconds between two."""
        return AsyncStream(self, protocol.heading_subscription(interval))

    def locations(
        self, interval: Optional[float] = None, *, accuracy_metres: Optional[float] = None
    ) -> AsyncStream[Location]:
        """The receiver's fixes.

        `interval`: sufficient seconds between two fixes; with `accuracy_metres`, the required accuracy, it lets
        the receiver sleep. Every fix of the receiver is delivered.
        """
        return AsyncStream(self, protocol.location_subscription(interval, accuracy_metres))

    def estimates(self, interval: Optional[float] = None) -> AsyncStream[Estimate]:
        """Every estimate: heading, attitude and location; `interval` is that of the headings."""
        return AsyncStream(self, protocol.estimate_subscription(interval))

    def samples(self, interval: Optional[float] = None) -> AsyncStream[Samples]:
        """The sensors' samples in sensor axes."""
        return AsyncStream(self, protocol.sample_subscription(interval))

    async def heading(self) -> Heading:
        """Waits for one heading."""
        async with self.headings() as stream:
            return await self._one(stream)

    async def location(self) -> Location:
        """Waits for one fix."""
        async with self.locations() as stream:
            return await self._one(stream)

    async def close(self) -> None:
        """Closes the connection and ends all iterations."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._disconnect()
        self._session.wake_all()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    # Connection

    async def _start(self) -> None:
        """Connects for the first time and starts the reading task."""
        await self._open()
        self._task = asyncio.ensure_future(self._run())

    async def _open(self) -> None:
        """Connects and waits for `welcome`."""
        try:
            await asyncio.wait_for(self._handshake(), protocol.WELCOME_TIMEOUT)
        except asyncio.TimeoutError:
            self._disconnect()
            raise self._no_answer() from None
        except BaseException:
            self._disconnect()
            raise

    async def _handshake(self) -> None:
        while True:
            try:
                self._socket, self._path = protocol.open_socket(self._paths)
                break
            except protocol.DaemonBusy:
                await asyncio.sleep(0.02)
        self._session.begin()
        self._flush()
        while not self._session.is_welcome:
            await self._receive()

    async def _receive(self) -> None:
        if self._socket is None:
            raise self._session.lost(self._path)
        try:
            data = await asyncio.get_running_loop().sock_recv(self._socket, protocol.READ_SIZE)
        except OSError as error:
            raise self._session.lost(self._path) from error
        if not data:
            raise self._session.lost(self._path)
        self._session.receive(data)
        self._flush()
        # A read of bytes that are there does not let other tasks run.
        await asyncio.sleep(0)

    async def _run(self) -> None:
        """Reads, and reconnects, until a final error."""
        delay = protocol.FIRST_DELAY
        while True:
            try:
                if not self._session.is_welcome:
                    await self._open()
                    delay = protocol.FIRST_DELAY
                    log.warning("%s: connected again", self._path)
                while True:
                    await self._receive()
            except LodestarError as fault:
                was_connected = self._session.is_welcome
                self._disconnect()
                if not self._reconnect or is_final(fault):
                    self._fault = fault
                    self._session.wake_all()
                    return
                self._session.report_loss(fault, was_connected)
            except Exception as fault:
                # Not an error of the connection: the iterations raise it instead of waiting for ever.
                self._disconnect()
                self._fault = fault
                self._session.wake_all()
                return
            await asyncio.sleep(delay)
            delay = min(delay * 2, protocol.LONGEST_DELAY)

    # Streams

    async def _one(self, stream: AsyncStream[Item]) -> Item:
        async for item in stream:
            return item
        raise closed()

    async def _next(self, subscription: Subscription[Item], arrived: asyncio.Event) -> Optional[Item]:
        """The next item of a stream; None after `close`."""
        while not self._is_closed:
            arrived.clear()
            if subscription.queue:
                return subscription.queue.popleft()
            if self._fault is not None:
                raise self._fault.with_traceback(None)
            await arrived.wait()
        return None


class AsyncStream(Subscriber[Item]):
    """An asynchronous iterator over values of the daemon. The daemon sends them while the stream exists.

    A wait for the next value may be cancelled, as by `asyncio.wait_for`; the iteration can go on afterwards.
    """

    def __init__(self, client: AsyncClient, subscription: Subscription[Item]) -> None:
        self._client = client
        self._arrived = asyncio.Event()
        subscription.wake = self._arrived.set
        super().__init__(client, subscription)

    def __aiter__(self) -> AsyncStream[Item]:
        return self

    async def __anext__(self) -> Item:
        item = await self._client._next(self._subscription, self._arrived)
        if item is None:
            raise StopAsyncIteration
        return item

    async def __aenter__(self) -> AsyncStream[Item]:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


class Connecting:
    """What `aconnect` returns: for `async with`, or for `await`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def _connected(self) -> AsyncClient:
        await self._client._start()
        return self._client

    def __await__(self) -> Generator[object, None, AsyncClient]:
        return self._connected().__await__()

    async def __aenter__(self) -> AsyncClient:
        return await self._connected()

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self._client.close()
