"""The protocol without input and output: bytes in, values to the streams, bytes out.

`Session` outlives each connection. `Client` and `AsyncClient` own the socket.
"""

from __future__ import annotations

import errno
import grp
import json
import logging
import os
import re
import socket
import stat
import sys
from collections import deque
from typing import Any, Callable, Deque, Dict, Generic, List, Mapping, Optional, Tuple, TypeVar

from . import decoding
from .contract import Demand, Hello
from .errors import ConnectionLost, DaemonNotFound, LodestarError, ProtocolError, Refused
from .values import Access, Estimate, Heading, Location, Samples, Source

log = logging.getLogger("lodestar")

#: The newest protocol version that this package supports, and the oldest.
VERSION, OLDEST_VERSION = 1, 1
#: The greatest length of a line of the daemon in bytes, without its end.
LINE_LIMIT = 8 * 1024 * 1024
#: Seconds until the daemon has to accept the connection and answer `hello`.
WELCOME_TIMEOUT = 2.0
#: Seconds before a reconnection: the first delay, which doubles, and the longest.
FIRST_DELAY, LONGEST_DELAY = 0.1, 5.0
#: Bytes that one read takes at most.
READ_SIZE = 65536
#: Items that a stream stores for a slow reader; then the oldest is dropped.
QUEUE_LIMIT = 1024

SYSTEM_SOCKET = "/run/lodestar/lodestar.sock"
_START = "start one with 'systemctl start lodestar' or 'lodestar serve'"

_NO_DEMAND: Demand = {"fixes": False, "headings": False}

Item = TypeVar("Item")


def socket_paths(environment: Mapping[str, str]) -> List[str]:
    """`$LODESTAR_SOCKET` alone if it is set, else the system's socket and then the user's."""
    named = environment.get("LODESTAR_SOCKET", "")
    if named:
        return [named] if named.startswith("/") else []
    folder = environment.get("XDG_RUNTIME_DIR", "")
    return [SYSTEM_SOCKET] + ([folder + "/lodestar.sock"] if folder.startswith("/") else [])


def application_name(environment: Mapping[str, str], program: str) -> str:
    """The name for the policy: `$CL_APPLICATION_ID`, else the script's name, else 'python'."""
    script = os.path.basename(program)
    if script == "__main__.py":
        script = os.path.basename(os.path.dirname(program))
    for candidate in (environment.get("CL_APPLICATION_ID", ""), script):
        name = re.sub(r"[^A-Za-z0-9._-]", "-", candidate[:64])
        if re.match(r"[A-Za-z0-9]", name):
            return name
    return "python"


class DaemonBusy(Exception):
    """The daemon's queue of new connections is full: try again."""


def open_socket(paths: List[str]) -> Tuple[socket.socket, str]:
    """Connects without waiting to the first path with a daemon.

    Returns the socket and its path. Raises `DaemonNotFound`, `Refused`, `ConnectionLost` or `DaemonBusy`.
    """
    searched = ", ".join(paths) or "any path"
    fault: LodestarError = DaemonNotFound(f"no daemon: no socket at {searched}; {_START}")
    for path in paths:
        try:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        except OSError as error:
            raise ConnectionLost(f"{path}: cannot open a socket: {error.strerror or error}") from error
        try:
            connection.setblocking(False)
            connection.connect(path)
            return connection, path
        except OSError as error:
            connection.close()
            if error.errno in (errno.ENOENT, errno.ENOTDIR):
                continue  # The error of an existing socket is more useful than that of a missing one.
            if error.errno == errno.EAGAIN:
                raise DaemonBusy from error
            fault = _connect_fault(path, error)
    raise fault


def _connect_fault(path: str, error: OSError) -> LodestarError:
    if error.errno == errno.ECONNREFUSED:
        return DaemonNotFound(f"{path}: no daemon listens; {_START}")
    if error.errno in (errno.EACCES, errno.EPERM):
        remedy = "the daemon serves another user; run as that user, or start your own daemon"
        group = _group(path)
        if group is not None:
            remedy = f"add the user to the group '{group}': sudo usermod -aG {group} USER, and log in again"
        return Refused("access", f"{path}: permission denied; {remedy}")
    return ConnectionLost(f"{path}: cannot connect: {error.strerror or error}; check LODESTAR_SOCKET")


def _group(path: str) -> Optional[str]:
    """The group that may write to the socket, other than root's."""
    try:
        status = os.stat(path)
        if status.st_gid == 0 or not status.st_mode & stat.S_IWGRP:
            return None
        return grp.getgrgid(status.st_gid).gr_name
    except (OSError, KeyError):
        return None


class Subscription(Generic[Item]):
    """A queue of the items of one stream, and its part of the demand."""

    def __init__(
        self,
        take: Callable[[Any], Optional[Item]],
        *,
        headings: bool = False,
        fixes: bool = False,
        samples: bool = False,
        interval: Optional[float] = None,
        accuracy: Optional[float] = None,
        newest_only: bool = False,
    ) -> None:
        for value, name in ((interval, "interval"), (accuracy, "accuracy_metres")):
            if value is not None and not 0 <= value < float("inf"):
                raise ValueError(f"{name} is {value}: expected a finite number of 0 or more")
        self.headings, self.fixes, self.samples = headings, fixes, samples
        self.interval, self.accuracy = interval, accuracy
        self.queue: Deque[Item] = deque(maxlen=1 if newest_only else QUEUE_LIMIT)
        self.wake: Callable[[], None] = lambda: None
        self._take = take

    def offer(self, value: Any) -> None:
        item = self._take(value)
        if item is not None:
            self.queue.append(item)
            self.wake()


class _Spacing:
    """Whether an item is at least an interval after the last one."""

    #: Half a sample interval of the board, seconds: the daemon's rule.
    SLACK = 0.005

    def __init__(self, interval: Optional[float]) -> None:
        self._nanoseconds = ((interval or 0.0) - self.SLACK) * 1e9
        self._last: Optional[int] = None

    def is_due(self, timestamp: int) -> bool:
        if self._last is not None and 0 <= timestamp - self._last < self._nanoseconds:
            return False
        self._last = timestamp
        return True


def _new_fix() -> Callable[[Estimate], Optional[Location]]:
    """A function that gives the position of an estimate, once for each fix."""
    last: Optional[int] = None

    def take(estimate: Estimate) -> Optional[Location]:
        nonlocal last
        location = estimate.location
        if location is None or location.timestamp_nanoseconds == last:
            return None
        last = location.timestamp_nanoseconds
        return location

    return take


def heading_subscription(interval: Optional[float]) -> Subscription[Heading]:
    spacing = _Spacing(interval)

    def take(estimate: Estimate) -> Optional[Heading]:
        heading = estimate.heading
        return heading if heading and spacing.is_due(heading.timestamp_nanoseconds) else None

    return Subscription(take, headings=True, interval=interval, newest_only=True)


def location_subscription(
    interval: Optional[float], accuracy: Optional[float]
) -> Subscription[Location]:
    return Subscription(_new_fix(), fixes=True, interval=interval, accuracy=accuracy)


def estimate_subscription(interval: Optional[float]) -> Subscription[Estimate]:
    new_fix, spacing = _new_fix(), _Spacing(interval)

    def take(estimate: Estimate) -> Optional[Estimate]:
        is_due = new_fix(estimate) is not None or spacing.is_due(estimate.timestamp_nanoseconds)
        return estimate if is_due else None

    return Subscription(take, headings=True, fixes=True, interval=interval)


def sample_subscription(interval: Optional[float]) -> Subscription[Samples]:
    spacing = _Spacing(interval)

    def take(samples: Samples) -> Optional[Samples]:
        return samples if spacing.is_due(samples.timestamp_nanoseconds) else None

    return Subscription(take, samples=True, interval=interval)


class Session:
    """One program's state at the daemon, over any number of connections."""

    def __init__(self, application: str, request_access: bool) -> None:
        self.application = application
        self.is_welcome = False
        self.access: Optional[Access] = None
        self.source: Optional[Source] = None
        self.latest: Optional[Estimate] = None
        self.last_location: Optional[Location] = None
        self.outbox = bytearray()
        self._request_access = request_access
        self._subscriptions: List[Subscription[Any]] = []
        self._input = bytearray()
        self._searched = 0
        self._sent_demand = _NO_DEMAND
        self._sent_samples = False
        self._goodbye: Optional[str] = None
        self._warned: Optional[str] = None
        self._reported: Optional[str] = None

    # Streams

    def add(self, subscription: Subscription[Any]) -> None:
        self._subscriptions.append(subscription)
        self._send_changes()
        self._warn_of_missing_values()

    def remove(self, subscription: Subscription[Any]) -> None:
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)
            self._send_changes()

    def wake_all(self) -> None:
        for subscription in self._subscriptions:
            subscription.wake()

    # Connections

    def begin(self) -> None:
        """Begins a connection with `hello`."""
        self.end()
        hello: Hello = {
            "version": VERSION,
            "application": self.application,
            "client": os.path.basename(sys.argv[0]) or "python",
            "pid": os.getpid(),
        }
        self._send("hello", hello)

    def end(self) -> None:
        """Ends a connection. The streams stay."""
        self.is_welcome = False
        self._input.clear()
        self.outbox.clear()
        self._searched = 0
        self._sent_demand, self._sent_samples = _NO_DEMAND, False
        self._goodbye = None

    def lost(self, path: str) -> ConnectionLost:
        """The error for a connection that the daemon has closed."""
        if not self.is_welcome:
            return ConnectionLost(
                f"{path}: the connection was closed before the daemon answered; see 'systemctl status lodestar'"
            )
        reason = f": {self._goodbye}" if self._goodbye else ""
        return ConnectionLost(f"{path}: the daemon has ended{reason}; {_START}")

    # Receiving

    def receive(self, data: bytes) -> None:
        """Handles received bytes.

        Raises `ProtocolError` for an unreadable or endless line, and `Refused`.
        """
        self._input += data
        start = 0
        while True:
            end = self._input.find(b"\n", max(start, self._searched))
            length = (len(self._input) if end < 0 else end) - start
            if length > LINE_LIMIT:
                raise ProtocolError(f"the daemon's line is longer than {LINE_LIMIT} bytes; update this package")
            if end < 0:
                break
            if end > start:
                self._handle(bytes(self._input[start:end]))
            start = end + 1
        del self._input[:start]
        self._searched = len(self._input)

    def _handle(self, line: bytes) -> None:
        try:
            message = _json(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise ProtocolError(
                f"the line {_shown(line)} is no message: {_shown(str(error).encode())};"
                " check that a Lodestar daemon listens at the socket"
            ) from None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise ProtocolError(f"the line {_shown(line)} is no message: expected {{\"type\":…}}")
        kind, body = message["type"], message.get("body")
        if kind == "refused":
            fault = decoding.Reader(body, "refused")
            raise Refused(fault.required_text("code"), fault.required_text("message"))
        if kind == "welcome":
            self._take_welcome(body)
        elif not self.is_welcome:
            # The first answer is `welcome`; notices may precede it.
            return
        elif kind == "estimate":
            self._take_estimate(decoding.estimate(body))
        elif kind == "samples":
            samples = decoding.samples(body)
            for subscription in self._subscriptions[:]:
                if subscription.samples:
                    subscription.offer(samples)
        elif kind == "source":
            self.source = decoding.source(body)
            self._warn_of_missing_values()
        elif kind == "access":
            self._take_access(decoding.access(body, self.application))
        elif kind == "lastFix":
            self.last_location = _last_fix(body)
        elif kind == "notice":
            log.info("the daemon: %s", body)
        elif kind == "goodbye":
            self._goodbye = body if isinstance(body, str) else None

    def _take_welcome(self, body: Any) -> None:
        welcome = decoding.Reader(body, "welcome")
        version = welcome.integer("version")
        if version is None or not OLDEST_VERSION <= version <= VERSION:
            raise Refused(
                "version",
                f"the daemon's protocol version {version} is not supported, only {OLDEST_VERSION} to {VERSION};"
                " update the older program",
            )
        access = decoding.access(welcome.body.get("access"), self.application, "welcome")
        self.source = decoding.source(welcome.body.get("source"), "welcome")
        fix = welcome.body.get("lastFix")
        last_location = None if fix is None else _last_fix(fix)
        self.is_welcome = True
        self._take_access(access)
        self.last_location = last_location
        if self._request_access and access.authorization == "notDetermined":
            self._send("authorize", "whenInUse")
        self._send_changes()

    def _take_access(self, access: Access) -> None:
        before, self.access = self.access, access
        if before is not None and (not access.is_granted or access.accuracy != before.accuracy):
            # The program no longer has access to an earlier, more accurate position.
            self.latest = self.last_location = None
            for subscription in self._subscriptions:
                subscription.queue.clear()
        self._warn_of_missing_values()

    def _take_estimate(self, estimate: Estimate) -> None:
        self.latest = estimate
        if estimate.location is not None:
            self.last_location = estimate.location
        for subscription in self._subscriptions[:]:
            if subscription.headings or subscription.fixes:
                subscription.offer(estimate)

    def report_loss(self, fault: LodestarError, was_connected: bool) -> None:
        """Logs a lost connection, and each different refusal of the following attempts."""
        is_new = isinstance(fault, Refused) and str(fault) != self._reported
        if was_connected or is_new:
            log.warning("%s; reconnecting", fault)
        self._reported = str(fault)

    def _warn_of_missing_values(self) -> None:
        """Logs once, while a stream is open, why no values arrive and what to do."""
        if not self._subscriptions or not self.is_welcome:
            return
        remedy = self.access.remedy if self.access else None
        if remedy is None and self.source is not None and not self.source.is_open:
            remedy = self.source.fault
        wants_headings = any(each.headings and not each.fixes for each in self._subscriptions)
        if remedy is None and wants_headings and self._has_no_compass():
            remedy = "the daemon has no magnetometer and sends no headings; 'lodestar probe' lists the attached chips"
        if remedy is not None and remedy != self._warned:
            log.warning("%s", remedy)
        self._warned = remedy

    def _has_no_compass(self) -> bool:
        return self.source is not None and (
            self.source.is_open and not self.source.has_magnetometer and not self.source.has_compass
        )

    # Sending

    def _demand(self) -> Demand:
        """The demand of all streams: each interval and accuracy is the finest of its kind."""
        headings = [each for each in self._subscriptions if each.headings]
        fixes = [each for each in self._subscriptions if each.fixes]
        demand: Demand = {"fixes": bool(fixes), "headings": bool(headings)}
        interval = _finest([each.interval for each in headings])
        if interval is not None:
            demand["headingInterval"] = interval
        # The interval of `estimates` is that of the headings.
        interval = _finest([None if each.headings else each.interval for each in fixes])
        if interval is not None:
            demand["fixInterval"] = interval
        accuracy = _finest([each.accuracy for each in fixes])
        if accuracy is not None:
            demand["desiredAccuracyMetres"] = accuracy
        return demand

    def _send_changes(self) -> None:
        if not self.is_welcome:
            return
        demand = self._demand()
        if demand != self._sent_demand:
            self._send("demand", demand)
            self._sent_demand = demand
        samples = any(each.samples for each in self._subscriptions)
        if samples != self._sent_samples:
            self._send("samples", samples)
            self._sent_samples = samples

    def flush(self, connection: socket.socket) -> None:
        """Sends what is queued, without waiting.

        An error is left to the next read, which finds the daemon's last message: it may have refused this client
        and closed the connection before `hello` was sent.
        """
        try:
            while self.outbox:
                del self.outbox[: connection.send(self.outbox)]
        except BlockingIOError:
            pass
        except OSError:
            self.outbox.clear()

    def _send(self, kind: str, body: Any) -> None:
        self.outbox += json.dumps({"type": kind, "body": body}).encode() + b"\n"


def _finest(values: List[Optional[float]]) -> Optional[float]:
    """The least of the values; None where there is none, and where one is not limited."""
    known = [value for value in values if value is not None]
    return min(known) if known and len(known) == len(values) else None


def _last_fix(text: Any) -> Optional[Location]:
    """An estimate as a JSON text within the message."""
    try:
        body = _json(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        raise ProtocolError("the message 'lastFix' cannot be read: its body is not JSON") from None
    return decoding.estimate(body, "lastFix").location


def _json(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse_constant, parse_int=_integer)


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _integer(digits: str) -> int:
    # The time of the conversion grows with the square of the length.
    if len(digits) > 1000:
        raise ValueError(f"an integer of {len(digits)} digits")
    return int(digits)


def _shown(line: bytes) -> str:
    """The beginning of a peer's line, printable."""
    text = ascii(line[:60].decode("utf-8", "replace"))
    return text + ("…" if len(line) > 60 else "")
