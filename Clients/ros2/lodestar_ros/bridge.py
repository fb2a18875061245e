"""Connects the daemon with a publisher of messages, of ROS or of rosbridge."""

from __future__ import annotations

import asyncio
import math
import time
from typing import Any, Callable, Dict, Optional

import lodestar

from . import convert

#: How an estimate or sample of now can differ from the machine's monotonic clock, nanoseconds.
_MACHINES_CLOCK = 10_000_000_000
#: Seconds between two attempts of the first connection, and between two diagnostics.
_RETRY, _DIAGNOSTICS = 2.0, 1.0
#: The topics of the interval, and half a sample interval of the board, seconds.
_SPACED = {"imu/data", "imu/data_raw", "imu/mag", "pressure", "temperature"}
_SLACK = 0.005


class CivilClock:
    """Civil time less the clock of the source.

    A simulation and a recording have clocks of their own: their first time is now.
    """

    def __init__(self) -> None:
        self._own: Optional[int] = None

    def offset(self, timestamp: int) -> int:
        now, machines = time.time_ns(), time.monotonic_ns()
        if abs(machines - timestamp) < _MACHINES_CLOCK:
            return now - machines
        if self._own is None or abs(now - timestamp - self._own) > _MACHINES_CLOCK:
            self._own = now - timestamp
        return self._own


class Bridge:
    """Publishes the daemon's values until it is cancelled.

    `publish(topic, message)` is called with the topics of `convert.TOPICS`. `interval`: the least
    seconds between two messages of a topic, 0 for all.
    """

    def __init__(
        self,
        publish: Callable[[str, convert.Message], None],
        *,
        socket: Optional[str] = None,
        application: str = "org.lodestar.ros2",
        frame: str = "base_link",
        interval: float = 0.0,
    ) -> None:
        self._publish = publish
        self._socket, self._application = socket, application
        self._frame, self._interval = frame, interval
        self._converter = convert.Converter(CivilClock().offset, frame)
        self._newest: Optional[lodestar.Estimate] = None
        self._arrival = 0.0
        self._times: Dict[str, float] = {}

    async def run(self) -> None:
        """Connects, and again after each loss. A version that does not fit ends it."""
        while True:
            try:
                connecting = lodestar.aconnect(self._socket, application=self._application)
                async with connecting as client:
                    await self._serve(client)
            except lodestar.ProtocolError:
                raise
            except lodestar.LodestarError as error:
                self._newest = None
                self._publish("/diagnostics", convert.diagnostics(time.time_ns(), fault=str(error)))
            await asyncio.sleep(_RETRY)

    async def _serve(self, client: lodestar.AsyncClient) -> None:
        parts = (self._estimates(client), self._samples(client), self._diagnostics(client))
        tasks = [asyncio.ensure_future(part) for part in parts]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _apply(self, source: Optional[lodestar.Source]) -> None:
        if source is None:
            return
        if source.mounting is not None:
            self._converter.mounting = source.mounting
        is_reference = source.is_live and not source.is_simulated and source.has_receiver
        self._converter.time_source = (source.position or "receiver") if is_reference else None

    async def _estimates(self, client: lodestar.AsyncClient) -> None:
        async with client.estimates(self._interval) as stream:
            async for estimate in stream:
                # A new fix comes with its own estimate, whatever the interval is.
                self._newest, self._arrival = estimate, time.monotonic()
                self._apply(client.source)
                self._publish_all(self._converter.of_estimate(estimate))

    async def _samples(self, client: lodestar.AsyncClient) -> None:
        # All samples: those of the barometer come in other messages than those of other chips.
        async with client.samples(0) as stream:
            async for samples in stream:
                self._apply(client.source)
                self._publish_all(self._converter.of_samples(samples))

    def _publish_all(self, published: Any) -> None:
        now = time.monotonic()
        for topic, message in published:
            if topic in _SPACED:
                if now - self._times.get(topic, -math.inf) < self._interval - _SLACK:
                    continue
                self._times[topic] = now
            self._publish(topic, message)

    async def _diagnostics(self, client: lodestar.AsyncClient) -> None:
        while True:
            is_known = self._newest is not None
            fault = None if client.is_connected else "the daemon has ended; reconnecting"
            message = convert.diagnostics(
                time.time_ns(),
                fault=fault,
                source=client.source,
                access=client.access,
                estimate=self._newest,
                age=time.monotonic() - self._arrival if is_known else None,
            )
            self._publish("/diagnostics", message)
            await asyncio.sleep(_DIAGNOSTICS)
