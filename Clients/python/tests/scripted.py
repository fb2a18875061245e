"""A scripted server on a Unix socket in a temporary folder, and messages for it."""

import json
import os
import socket
import tempfile
import threading
from typing import Any, Callable, List, Optional

#: Seconds after which a wait of a test has failed.
TIMEOUT = 20.0

WELCOME = {
    "version": 1,
    "pid": 1,
    "source": {
        "isOpen": True, "hasMagnetometer": True, "hasReceiver": True, "isSimulated": False, "isLive": True,
        "position": {"receiver": {"_0": "/dev/ttyAMA0"}},
    },
    "access": {"authorization": "always", "accuracy": "full", "isEnabled": True},
}


def message(kind: str, body: Any) -> bytes:
    return json.dumps({"type": kind, "body": body}).encode() + b"\n"


def heading(number: int, **more: Any) -> bytes:
    """An estimate with a heading of `number` milliradians, 20 ms after that of the number before."""
    body = {
        "timestamp": number * 20_000_000, "isLevelKnown": True, "magneticHeading": number / 1000,
        "isDeclinationOutOfDate": False, "isSimulated": False,
    }
    return message("estimate", {**body, **more})


def welcome(**changes: Any) -> bytes:
    return message("welcome", {**WELCOME, **changes})


class Peer:
    """The server's side of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        connection.settimeout(TIMEOUT)
        self._lines = connection.makefile("rb")

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def read(self) -> Optional[Any]:
        """The client's next message; None after its end."""
        try:
            line = self._lines.readline()
        except ConnectionResetError:
            return None
        return json.loads(line) if line else None

    def expect(self, kind: str) -> Any:
        """The body of the client's next message, which has the type `kind`."""
        read = self.read()
        assert read is not None and read["type"] == kind, f"expected {kind}, received {read}"
        return read["body"]

    def handshake(self, **changes: Any) -> Any:
        """Answers `hello` with `welcome`."""
        hello = self.expect("hello")
        self.send(welcome(**changes))
        return hello

    def close(self) -> None:
        self._lines.close()
        self.connection.close()


class ScriptedServer:
    """Plays one script for each connection, in order. Errors of a script are raised at the end."""

    def __init__(self, *scripts: Callable[[Peer], None]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self._folder.name, "socket")
        self._scripts = scripts
        self.errors: List[BaseException] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(4)
        self._listener.settimeout(TIMEOUT)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for script in self._scripts:
            try:
                peer = Peer(self._listener.accept()[0])
            except OSError as error:
                self.errors.append(error)
                return
            try:
                script(peer)
            except (BrokenPipeError, ConnectionResetError):
                pass  # The client has closed the connection in the middle of the script.
            except BaseException as error:
                self.errors.append(error)
            finally:
                peer.close()

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._thread.join(TIMEOUT)
        self._listener.close()
        self._folder.cleanup()
        if kind is None and self.errors:
            raise self.errors[0]


def until_closed(peer: Peer) -> None:
    """Reads until the client closes the connection."""
    while peer.read() is not None:
        pass
