"""Heading, attitude and location from the Lodestar daemon.

    import lodestar
    with lodestar.connect() as client:
        for heading in client.headings():
            print(heading.magnetic_degrees, heading.true_degrees, heading.accuracy_degrees)
"""

from __future__ import annotations

import os
import sys
from typing import List, Optional

from .async_client import AsyncClient, AsyncStream, Connecting
from .client import Client, Stream
from .errors import ConnectionLost, DaemonNotFound, LodestarError, ProtocolError, Refused
from .session import Session, application_name, socket_paths
from .values import Access, Attitude, Estimate, Heading, Location, Samples, Source

__version__ = "1.0.0"

__all__ = [
    "Access",
    "AsyncClient",
    "AsyncStream",
    "Attitude",
    "Client",
    "ConnectionLost",
    "DaemonNotFound",
    "Estimate",
    "Heading",
    "Location",
    "LodestarError",
    "ProtocolError",
    "Refused",
    "Samples",
    "Source",
    "Stream",
    "aconnect",
    "connect",
]


def connect(
    path: Optional[str] = None,
    *,
    application: Optional[str] = None,
    reconnect: bool = True,
    request_access: bool = True,
) -> Client:
    """Connects to the daemon.

    `path`: the socket; without it `$LODESTAR_SOCKET`, else the system's socket, else the user's.
    `application`: the name for the machine's policy; without it `$CL_APPLICATION_ID`, else the script's name.
    `reconnect`: connect again after a loss, with a delay of 0.1 s that doubles up to 5 s.
    `request_access`: request access where the policy is `ask` and nothing is decided yet.

    Raises `DaemonNotFound`, `Refused`, `ConnectionLost` or `ProtocolError`.
    """
    return Client(_paths(path), _session(application, request_access), reconnect)


def aconnect(
    path: Optional[str] = None,
    *,
    application: Optional[str] = None,
    reconnect: bool = True,
    request_access: bool = True,
) -> Connecting:
    """Connects to the daemon: `async with aconnect() as client`, or `client = await aconnect()`.

    Parameters and errors are those of `connect`.
    """
    return Connecting(AsyncClient(_paths(path), _session(application, request_access), reconnect))


def _paths(path: Optional[str]) -> List[str]:
    return socket_paths(dict(os.environ)) if path is None else [path]


def _session(application: Optional[str], request_access: bool) -> Session:
    name = application or application_name(dict(os.environ), sys.argv[0] if sys.argv else "")
    return Session(name, request_access)
