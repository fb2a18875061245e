"""Publishes the daemon's values to a rosbridge server, without ROS on this machine.

rosbridge protocol 2.0: the operations advertise, publish and unadvertise as JSON over a WebSocket.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import json
import logging
import signal
import sys
from typing import Any, Deque, Dict, List, Optional

import lodestar
import websockets

from . import convert
from .bridge import Bridge

log = logging.getLogger("lodestar_ros")

#: Messages that wait for a slow connection; then the oldest is dropped.
_QUEUE_LIMIT = 64
#: Seconds before a reconnection: the first delay, which doubles, and the longest.
_FIRST_DELAY, _LONGEST_DELAY = 1.0, 30.0


class RosbridgeLink:
    """A connection that is made again after each loss. What was not sent then is dropped."""

    def __init__(self, url: str, prefix: str = "") -> None:
        self._url = url
        self._names = {
            topic: topic if topic.startswith("/") else f"{prefix.rstrip('/')}/{topic}"
            for topic in convert.TOPICS
        }
        self._queue: Deque[str] = collections.deque(maxlen=_QUEUE_LIMIT)
        self._arrived = asyncio.Event()
        self._is_open = False

    def publish(self, topic: str, message: convert.Message) -> None:
        """Queues a message; without a connection it is dropped."""
        if not self._is_open:
            return
        # An unknown altitude is NaN, which JSON has not: Python's reader, that of rosbridge_suite,
        # takes the word.
        self._queue.append(self._operation("publish", topic, msg=message))
        self._arrived.set()

    def _operation(self, name: str, topic: str, **more: Any) -> str:
        return json.dumps({"op": name, "topic": self._names[topic], **more})

    async def run(self) -> None:
        """Connects until it is cancelled."""
        delay = _FIRST_DELAY
        while True:
            try:
                async with websockets.connect(self._url, max_size=1 << 20) as socket:
                    log.info("%s: connected", self._url)
                    delay = _FIRST_DELAY
                    await self._serve(socket)
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as error:
                log.warning("%s: %s; again in %g s", self._url, error or "lost", delay)
            await asyncio.sleep(delay)
            delay = min(2 * delay, _LONGEST_DELAY)

    async def _serve(self, socket: Any) -> None:
        for topic, kind in convert.TOPICS.items():
            await socket.send(self._operation("advertise", topic, type=kind))
        self._queue.clear()
        self._is_open = True
        reading = asyncio.ensure_future(self._read(socket))
        try:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                while self._queue:
                    await socket.send(self._queue.popleft())
        except asyncio.CancelledError:
            for topic in convert.TOPICS:
                await socket.send(self._operation("unadvertise", topic))
            raise
        finally:
            self._is_open = False
            self._queue.clear()
            reading.cancel()

    async def _read(self, socket: Any) -> None:
        """Logs what the server reports. Its end is found by the next message that is sent."""
        try:
            async for text in socket:
                self._report(text)
        except websockets.ConnectionClosed:
            pass

    def _report(self, text: Any) -> None:
        try:
            message: Dict[str, Any] = json.loads(text)
        except ValueError:
            return
        if isinstance(message, dict) and message.get("op") == "status":
            level = message.get("level")
            if level in ("error", "warning"):
                log.warning("%s: %s: %s", self._url, level, message.get("msg"))


async def run(options: argparse.Namespace) -> None:
    link = RosbridgeLink(options.url, options.prefix)
    bridge = Bridge(
        link.publish,
        socket=options.socket,
        application=options.application,
        frame=options.frame,
        interval=options.interval,
    )
    tasks = [asyncio.ensure_future(link.run()), asyncio.ensure_future(bridge.run())]
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: [task.cancel() for task in tasks])
    try:
        await asyncio.gather(*tasks)
    except asyncio.CancelledError:
        pass
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command and returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="lodestar-rosbridge", description="Publish the daemon's values to a rosbridge server."
    )
    parser.add_argument("url", help="ws://ROBOT:9090")
    parser.add_argument("--prefix", default="", help="of the topics, such as /boat")
    parser.add_argument("--frame", default="base_link")
    parser.add_argument(
        "--interval", type=float, default=0.1, help="least seconds between two messages of a topic"
    )
    parser.add_argument("--socket", help="the daemon's; else $LODESTAR_SOCKET, else the usual")
    parser.add_argument("--application", default="org.lodestar.ros2", help="for the policy")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="lodestar-rosbridge: %(message)s")
    try:
        asyncio.run(run(options))
    except lodestar.LodestarError as error:
        print(f"lodestar-rosbridge: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
