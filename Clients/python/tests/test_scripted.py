"""The client against a scripted server."""

import asyncio
import json
import logging
import math
import os
import socket
import tempfile
import threading
import unittest
from typing import Any, Callable, List
from unittest import mock

import lodestar
from lodestar import session

from .scripted import TIMEOUT, Peer, ScriptedServer, heading, message, until_closed


def sends(data: bytes, **changes: Any) -> Callable[[Peer], None]:
    """A script: answers `hello`, sends bytes after the demand, closes."""

    def script(peer: Peer) -> None:
        peer.handshake(**changes)
        peer.expect("demand")
        peer.send(data)

    return script


def only_handshake(**changes: Any) -> Callable[[Peer], None]:
    """A script: answers `hello`, and sends nothing more."""

    def script(peer: Peer) -> None:
        peer.handshake(**changes)
        until_closed(peer)

    return script


class ScriptedTests(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)

    def fails_with(self, kind: Any, data: bytes, text: str, **options: Any) -> lodestar.LodestarError:
        """After one heading, `data` makes an iteration fail, plain and asynchronous."""
        for run in (self._plain, self._asynchronous):
            with self.subTest(run=run.__name__), ScriptedServer(sends(heading(1) + data)) as server:
                values, error = run(server.path, **options)
                self.assertIsInstance(error, kind)
                self.assertIn(text, str(error))
                self.assertEqual([each.timestamp_nanoseconds for each in values], [20_000_000])
        return error

    def _plain(self, path: str, **options: Any) -> Any:
        values = []
        with lodestar.connect(path, **options) as client:
            try:
                for each in client.estimates(timeout=TIMEOUT):
                    values.append(each)
            except lodestar.LodestarError as error:
                return values, error
        return values, None

    def _asynchronous(self, path: str, **options: Any) -> Any:
        async def run() -> Any:
            values = []
            async with lodestar.aconnect(path, **options) as client:
                try:
                    async for each in client.estimates():
                        values.append(each)
                except lodestar.LodestarError as error:
                    return values, error
            return values, None

        return asyncio.run(asyncio.wait_for(run(), TIMEOUT))

    # Values

    def test_a_line_in_single_bytes_is_one_value(self) -> None:
        def script(peer: Peer) -> None:
            peer.handshake()
            peer.expect("demand")
            for byte in heading(1):
                peer.send(bytes([byte]))
            until_closed(peer)

        with ScriptedServer(script) as server, lodestar.connect(server.path) as client:
            self.assertEqual(client.heading(TIMEOUT).magnetic_degrees, math.degrees(0.001))

    def test_estimates_of_one_packet_are_all_delivered_and_unknown_messages_skipped(self) -> None:
        unknown = message("novelty", 7) + b"\n" + message("event", {}) + message("notice", "a notice")
        packet = heading(1) + unknown + heading(2, novelty=[1]) + heading(3)
        with ScriptedServer(sends(packet)) as server:
            values, error = self._plain(server.path, reconnect=False)
        self.assertEqual([each.timestamp_nanoseconds // 20_000_000 for each in values], [1, 2, 3])
        self.assertIsInstance(error, lodestar.ConnectionLost)

    def test_a_slow_reader_receives_the_newest_heading(self) -> None:
        with ScriptedServer(sends(b"".join(heading(number) for number in range(1, 100)))) as server:
            with lodestar.connect(server.path, reconnect=False) as client:
                stream = client.headings(timeout=TIMEOUT)
                server._thread.join(TIMEOUT)
                self.assertEqual(next(stream).timestamp_nanoseconds, 99 * 20_000_000)

    def test_a_fix_is_delivered_once_and_never_dropped(self) -> None:
        fixes = b"".join(
            heading(number, position=[0.5, 0.25], fixTimestamp=number // 2, fixKind="3D", course=1.5)
            for number in range(2, 100)
        )
        with ScriptedServer(sends(fixes)) as server:
            with lodestar.connect(server.path, reconnect=False) as client:
                with self.assertRaises(lodestar.ConnectionLost):
                    values = []
                    for each in client.locations(timeout=TIMEOUT):
                        values.append(each)
                self.assertEqual([each.timestamp_nanoseconds for each in values], list(range(1, 50)))
                self.assertEqual(values[0].latitude_degrees, math.degrees(0.5))
                self.assertEqual(values[0].longitude_degrees, math.degrees(0.25))
                self.assertEqual(values[0].course_degrees, math.degrees(1.5))
                self.assertEqual((values[0].fix_kind, values[0].altitude_metres), ("3D", None))

    def test_numbers_are_exactly_as_sent(self) -> None:
        numbers = {"heaveMetres": 5e-324, "altitudeMetres": 0.1 + 0.2, "position": [-0.0, math.nextafter(1, 2)]}
        data = heading(1, utc=1795418474539114198, deviation="0x7ff0000000000000", **numbers)
        with ScriptedServer(sends(data)) as server:
            values, _ = self._plain(server.path, reconnect=False)
        self.assertEqual({key: values[0].as_sent[key] for key in numbers}, numbers)
        self.assertEqual(values[0].location.altitude_metres, 0.1 + 0.2)
        self.assertEqual(values[0].heading.deviation_degrees, math.inf)
        self.assertEqual(values[0].utc_nanoseconds, 1795418474539114198)
        self.assertEqual(values[0].utc.isoformat(), "2026-11-23T07:21:14.539114+00:00")

    def test_unknown_values_are_none(self) -> None:
        with ScriptedServer(sends(heading(1))) as server:
            values, _ = self._plain(server.path, reconnect=False)
        value = values[0]
        self.assertIsNone(value.heading.accuracy_degrees)
        self.assertIsNone(value.heading.true_degrees)
        self.assertIsNone(value.utc)
        self.assertIsNone(value.location)
        self.assertIsNone(value.attitude)

    def test_samples_have_the_message_s_time_unless_they_have_their_own(self) -> None:
        def script(peer: Peer) -> None:
            peer.handshake()
            self.assertEqual(peer.expect("samples"), True)
            peer.send(message("samples", {"timestamp": 5, "field": [1, 2.5, 3], "pressure": 1013.25,
                                          "pressureTimestamp": 4, "celsius": 20}))
            self.assertEqual(peer.expect("samples"), False)

        with ScriptedServer(script) as server, lodestar.connect(server.path) as client:
            with client.samples(timeout=TIMEOUT) as stream:
                value = next(stream)
            self.assertEqual((value.field_timestamp_nanoseconds, value.pressure_timestamp_nanoseconds), (5, 4))
            self.assertEqual((value.field_microtesla, value.pressure_hectopascal), ((1.0, 2.5, 3.0), 1013.25))
            self.assertIsNone(value.inertial_timestamp_nanoseconds)

    def test_the_welcome_has_source_access_and_last_fix(self) -> None:
        fix = json.dumps({"timestamp": 9, "position": [0.5, 0.25], "isSimulated": False})
        with ScriptedServer(only_handshake(lastFix=fix)) as server:
            with lodestar.connect(server.path) as client:
                assert client.source and client.access and client.last_location
                self.assertEqual(client.source.position, "receiver /dev/ttyAMA0")
                self.assertTrue(client.access.is_granted)
                self.assertEqual(client.last_location.latitude_degrees, math.degrees(0.5))

    # Demand

    def test_the_demand_is_that_of_all_open_streams(self) -> None:
        def script(peer: Peer) -> None:
            hello = peer.handshake()
            self.assertEqual((hello["version"], hello["application"]), (1, "org.example.boat"))
            self.assertEqual(peer.expect("demand"), {"fixes": False, "headings": True, "headingInterval": 1.0})
            self.assertEqual(peer.expect("demand"), {
                "fixes": True, "headings": True, "headingInterval": 1.0, "fixInterval": 10.0,
                "desiredAccuracyMetres": 1000.0})
            self.assertEqual(peer.expect("demand"), {"fixes": True, "headings": True})
            self.assertEqual(peer.expect("demand"), {"fixes": False, "headings": True, "headingInterval": 1.0})
            self.assertEqual(peer.expect("demand"), {"fixes": False, "headings": False})

        with ScriptedServer(script) as server:
            with lodestar.connect(server.path, application="org.example.boat") as client:
                headings = client.headings(1.0)
                locations = client.locations(10.0, accuracy_metres=1000.0)
                estimates = client.estimates()
                locations.close()
                del estimates
                headings.close()

    def test_a_wrong_interval_is_refused(self) -> None:
        with ScriptedServer(only_handshake()) as server:
            with lodestar.connect(server.path) as client:
                for wrong in (-1.0, math.nan, math.inf):
                    with self.assertRaises(ValueError):
                        client.headings(wrong)

    def test_streams_of_different_intervals_keep_theirs(self) -> None:
        with ScriptedServer(sends(b"".join(heading(number) for number in range(100)))) as server:
            with lodestar.connect(server.path, reconnect=False) as client:
                rarely = client.estimates(0.5, timeout=TIMEOUT)
                every = client.estimates(timeout=TIMEOUT)
                for stream, count in ((rarely, 4), (every, 100)):
                    values = []
                    with self.assertRaises(lodestar.ConnectionLost):
                        for each in stream:
                            values.append(each)
                    self.assertEqual(len(values), count)

    # Faults

    def test_garbage_is_a_protocol_error(self) -> None:
        for data in (b"garbage\n", b"\xff\xfe{}\n", b"[1]\n", b"{}\n", b'{"type":7}\n', b'{"type":"x","body":NaN}\n',
                     b"[" * 100_000 + b"\n", b'{"type":"x","body":' + b"9" * 4_000_000 + b"}\n"):
            with self.subTest(data=data[:20]):
                self.fails_with(lodestar.ProtocolError, data, "is no message")

    def test_a_value_of_a_wrong_type_names_the_message_and_the_key(self) -> None:
        bodies = {
            "magneticHeading": "north", "headingAccuracy": True, "position": [1], "utc": 1 << 63, "fixKind": 3,
            "isLevelKnown": 1, "attitude": [1, 2, 3, "0xzz"], "timestamp": -1, "altitudeMetres": 10**400,
            "attitudeMode": [], "satellitesUsed": 1.5,
        }
        for key, value in bodies.items():
            with self.subTest(key=key):
                base = {"position": [0.1, 0.2], "attitude": [1, 0, 0, 0]}
                self.fails_with(lodestar.ProtocolError, heading(2, **{**base, key: value}),
                                f"the message 'estimate' cannot be read: '{key}' is not")

    def test_an_endless_line_is_a_protocol_error(self) -> None:
        self.fails_with(lodestar.ProtocolError, b"x" * (session.LINE_LIMIT + session.READ_SIZE), "longer than 8388608")

    def test_a_line_of_the_greatest_length_is_read(self) -> None:
        line = message("novelty", "")
        line = line.replace(b'""', b'"' + b"x" * (session.LINE_LIMIT - len(line) + 1) + b'"')
        self.assertEqual(len(line), session.LINE_LIMIT + 1)
        with ScriptedServer(sends(line + heading(1))) as server:
            self.assertEqual(len(self._plain(server.path, reconnect=False)[0]), 1)

    def test_a_close_within_a_line_is_a_lost_connection(self) -> None:
        self.fails_with(lodestar.ConnectionLost, heading(2)[:40], "has ended", reconnect=False)

    def test_the_reason_of_the_daemon_s_end_is_reported(self) -> None:
        self.fails_with(lodestar.ConnectionLost, message("goodbye", "SIGTERM"), "has ended: SIGTERM", reconnect=False)

    def test_a_refusal_has_the_daemon_s_code_and_message(self) -> None:
        fault = {"code": "malformed", "message": "the line is no message"}
        error = self.fails_with(lodestar.Refused, message("refused", fault), "the line is no message")
        assert isinstance(error, lodestar.Refused)
        self.assertEqual(error.code, "malformed")

    def test_a_refused_hello_is_raised_by_connect(self) -> None:
        def script(peer: Peer) -> None:
            peer.send(message("refused", {"code": "tooMany", "message": "client limit reached; close one"}))

        begin = session.Session.begin

        def begin_after_the_close(self: session.Session) -> None:
            server._thread.join(TIMEOUT)
            begin(self)

        for connect in (lodestar.connect, self._aconnect):
            for instead in (begin, begin_after_the_close):
                with self.subTest(connect=connect.__name__, begin=instead.__name__):
                    with mock.patch.object(session.Session, "begin", instead), ScriptedServer(script) as server:
                        with self.assertRaisesRegex(lodestar.Refused, "close one"):
                            connect(server.path)

    def test_a_newer_protocol_version_is_refused(self) -> None:
        with ScriptedServer(lambda peer: peer.handshake(version=2)) as server:
            with self.assertRaisesRegex(lodestar.Refused, "version 2"):
                lodestar.connect(server.path)

    def _aconnect(self, path: str) -> None:
        async def run() -> None:
            client = await lodestar.aconnect(path)
            await client.close()

        asyncio.run(run())

    def test_a_daemon_that_does_not_answer_is_a_lost_connection(self) -> None:
        def silent(peer: Peer) -> None:
            until_closed(peer)

        def dripping(peer: Peer) -> None:
            while True:
                peer.send(b" ")

        with mock.patch.object(session, "WELCOME_TIMEOUT", 0.2):
            for script in (silent, dripping):
                for connect in (lodestar.connect, self._aconnect):
                    with self.subTest(script=script.__name__, connect=connect.__name__):
                        with mock.patch.object(session, "LINE_LIMIT", 1 << 62), ScriptedServer(script) as server:
                            with self.assertRaisesRegex(lodestar.ConnectionLost, "does not answer"):
                                connect(server.path)

    def test_a_full_queue_of_connections_is_a_lost_connection(self) -> None:
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            path = os.path.join(folder, "socket")
            listener.bind(path)
            listener.listen(0)
            with socket.socket(socket.AF_UNIX) as first, mock.patch.object(session, "WELCOME_TIMEOUT", 0.1):
                first.connect(path)
                for connect in (lodestar.connect, self._aconnect):
                    with self.assertRaisesRegex(lodestar.ConnectionLost, "does not answer"):
                        connect(path)

    def test_a_missing_daemon_names_the_paths_and_the_remedy(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "socket")
            for connect in (lodestar.connect, self._aconnect):
                with self.assertRaisesRegex(lodestar.DaemonNotFound, f"{path}; start one"):
                    connect(path)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            listener.close()
            with self.assertRaisesRegex(lodestar.DaemonNotFound, "no daemon listens"):
                lodestar.connect(path)

    def test_a_wait_for_a_value_has_a_timeout(self) -> None:
        with ScriptedServer(only_handshake()) as server:
            with lodestar.connect(server.path) as client:
                with self.assertRaises(TimeoutError):
                    client.heading(0.05)

    def test_a_flood_of_other_messages_does_not_delay_a_timeout(self) -> None:
        def script(peer: Peer) -> None:
            peer.handshake()
            while True:
                peer.send(message("novelty", 7) * 1000)

        async def run(path: str) -> None:
            async with lodestar.aconnect(path) as client:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.headings().__anext__(), 0.05)

        with ScriptedServer(script, script) as server:
            with lodestar.connect(server.path) as client, self.assertRaises(TimeoutError):
                client.heading(0.05)
            asyncio.run(run(server.path))

    # Access

    def test_missing_access_is_logged_with_the_remedy_and_values_follow_a_grant(self) -> None:
        access = {"authorization": "notDetermined", "accuracy": "full", "isEnabled": True}
        logged = threading.Event()

        def script(peer: Peer) -> None:
            peer.handshake(access=access)
            self.assertEqual(peer.expect("authorize"), "whenInUse")
            peer.expect("demand")
            logged.wait(TIMEOUT)
            peer.send(message("access", {**access, "authorization": "whenInUse"}) + heading(1))
            until_closed(peer)

        logging.disable(logging.NOTSET)
        with ScriptedServer(script) as server, lodestar.connect(server.path, application="boat") as client:
            with self.assertLogs("lodestar", "WARNING") as logs:
                stream = client.headings(timeout=TIMEOUT)
            logged.set()
            self.assertIn("'boat' is not decided: set 'authorization: always' and 'users: [NAME]'", logs.output[0])
            next(stream)
            assert client.access
            self.assertIsNone(client.access.remedy)

    def test_a_missing_magnetometer_is_logged_for_headings(self) -> None:
        source = {"isOpen": True, "hasMagnetometer": False, "hasReceiver": True, "isSimulated": False, "isLive": True}
        logging.disable(logging.NOTSET)
        with ScriptedServer(only_handshake(source=source)) as server, lodestar.connect(server.path) as client:
            with self.assertLogs("lodestar", "WARNING") as logs:
                client.headings()
        self.assertIn("no magnetometer", logs.output[0])

    def test_each_kind_of_missing_access_has_its_remedy(self) -> None:
        def remedy(authorization: str, is_enabled: bool = True, fault: Any = None) -> Any:
            return lodestar.Access("boat", authorization, "full", is_enabled, fault).remedy

        self.assertIn("'boat' is 'denied'", remedy("denied"))
        self.assertIn("enabled: true", remedy("denied", False))
        self.assertEqual(remedy("denied", True, "join the group"), "join the group")
        self.assertIsNone(remedy("whenInUse"))

    def test_exact_positions_are_removed_when_the_access_is_reduced(self) -> None:
        reduced = message("access", {"authorization": "always", "accuracy": "reduced", "isEnabled": True})
        data = heading(1, position=[0.5, 0.25]) + reduced + heading(2)
        with ScriptedServer(sends(data)) as server, lodestar.connect(server.path, reconnect=False) as client:
            stream = client.estimates(timeout=TIMEOUT)
            server._thread.join(TIMEOUT)
            self.assertIsNone(next(stream).location)
            self.assertIsNone(client.last_location)

    # Reconnection

    def test_an_iteration_goes_on_after_a_reconnection(self) -> None:
        def refused(peer: Peer) -> None:
            peer.expect("hello")
            peer.send(message("refused", {"code": "tooMany", "message": "close one"}))

        def after(peer: Peer) -> None:
            peer.handshake()
            self.assertTrue(peer.expect("demand")["headings"])
            peer.send(heading(2))
            until_closed(peer)

        for run in (self._two_plain, self._two_asynchronous):
            with self.subTest(run=run.__name__):
                scripts = (sends(heading(1)), refused, lambda peer: None, after)
                with ScriptedServer(*scripts) as server:
                    values = run(server.path)
                self.assertEqual(values, [math.degrees(0.001), math.degrees(0.002)])

    def _two_plain(self, path: str) -> List[float]:
        with lodestar.connect(path) as client:
            stream = client.headings(timeout=TIMEOUT)
            return [next(stream).magnetic_degrees, next(stream).magnetic_degrees]

    def _two_asynchronous(self, path: str) -> List[float]:
        async def run() -> List[float]:
            async with lodestar.aconnect(path) as client:
                stream = client.headings()
                first = await stream.__anext__()
                return [first.magnetic_degrees, (await stream.__anext__()).magnetic_degrees]

        return asyncio.run(asyncio.wait_for(run(), TIMEOUT))

    def test_a_refusal_of_the_program_ends_the_reconnection(self) -> None:
        def refused(peer: Peer) -> None:
            peer.expect("hello")
            peer.send(message("refused", {"code": "version", "message": "update the older program"}))

        for run in (self._plain, self._asynchronous):
            with self.subTest(run=run.__name__), ScriptedServer(sends(heading(1)), refused) as server:
                self.assertIsInstance(run(server.path)[1], lodestar.Refused)

    def test_an_unexpected_error_of_the_reading_task_ends_the_iteration(self) -> None:
        for error, raised in ((OSError(24, "Too many open files"), lodestar.ConnectionLost), (KeyError(1), KeyError)):
            go_on = threading.Event()

            def script(peer: Peer) -> None:
                peer.handshake()
                go_on.wait(TIMEOUT)

            async def run(path: str) -> None:
                reconnect = raised is KeyError
                async with lodestar.aconnect(path, reconnect=reconnect) as client:
                    with mock.patch.object(session.socket, "socket", side_effect=error):
                        go_on.set()
                        with self.assertRaises(raised):
                            await client.heading()
                        if not reconnect:
                            with self.assertRaisesRegex(lodestar.ConnectionLost, "Too many open files"):
                                await lodestar.aconnect(path)

            with self.subTest(error=error), ScriptedServer(script) as server:
                asyncio.run(asyncio.wait_for(run(server.path), TIMEOUT))

    def test_the_delays_double_up_to_five_seconds(self) -> None:
        now, delays = [0.0], []

        def sleep(seconds: float) -> None:
            delays.append(round(seconds, 3))
            now[0] += seconds
            if len(delays) == 8:
                raise KeyboardInterrupt

        with ScriptedServer(lambda peer: peer.handshake()) as server, lodestar.connect(server.path) as client:
            server._thread.join(TIMEOUT)
            server._listener.close()
            with mock.patch("time.sleep", sleep), mock.patch("time.monotonic", lambda: now[0]):
                with self.assertRaises(KeyboardInterrupt):
                    client.heading()
        self.assertEqual(delays, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0])

    # asyncio

    def test_a_cancelled_wait_does_not_end_an_asynchronous_iteration(self) -> None:
        go_on = threading.Event()

        def script(peer: Peer) -> None:
            peer.handshake()
            peer.expect("demand")
            go_on.wait(TIMEOUT)
            peer.send(heading(1))
            until_closed(peer)

        async def run(path: str) -> float:
            async with lodestar.aconnect(path) as client:
                stream = client.headings()
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(stream.__anext__(), 0.05)
                go_on.set()
                value = await stream.__anext__()
                assert client.latest and client.latest.heading
                self.assertEqual(client.latest.heading, value)
                return value.magnetic_degrees

        with ScriptedServer(script) as server:
            self.assertEqual(asyncio.run(run(server.path)), math.degrees(0.001))

    def test_close_ends_the_iterations(self) -> None:
        async def run(path: str) -> None:
            client = await lodestar.aconnect(path)

            async def iterate() -> int:
                return len([each async for each in client.headings()])

            task = asyncio.ensure_future(iterate())
            await asyncio.sleep(0)
            await client.close()
            self.assertEqual(await asyncio.wait_for(task, TIMEOUT), 0)
            with self.assertRaisesRegex(lodestar.ConnectionLost, "is closed"):
                await client.heading()

        with ScriptedServer(only_handshake(), only_handshake()) as server:
            asyncio.run(run(server.path))
            client = lodestar.connect(server.path)
            client.close()
            self.assertEqual(list(client.headings()), [])
            with self.assertRaisesRegex(lodestar.ConnectionLost, "is closed"):
                client.location()


class NameTests(unittest.TestCase):
    def test_the_socket_s_paths_are_searched_in_order(self) -> None:
        system = "/run/lodestar/lodestar.sock"
        for environment, paths in (
            ({}, [system]),
            ({"XDG_RUNTIME_DIR": "/run/user/1"}, [system, "/run/user/1/lodestar.sock"]),
            ({"XDG_RUNTIME_DIR": "run", "LODESTAR_SOCKET": ""}, [system]),
            ({"XDG_RUNTIME_DIR": "/run/user/1", "LODESTAR_SOCKET": "/tmp/a"}, ["/tmp/a"]),
            ({"LODESTAR_SOCKET": "none"}, []),
        ):
            self.assertEqual(session.socket_paths(environment), paths)
        with mock.patch.dict(os.environ, {"LODESTAR_SOCKET": "none"}):
            with self.assertRaisesRegex(lodestar.DaemonNotFound, "no socket at any path"):
                lodestar.connect()

    def test_the_application_is_the_environment_s_else_the_script_s_name(self) -> None:
        for variable, program, name in (
            ("org.example.boat", "/home/pi/compass.py", "org.example.boat"),
            ("", "/home/pi/my compass.py", "my-compass.py"),
            ("", "-c", "python"),
            ("", "/usr/lib/python3/dist-packages/lodestar/__main__.py", "lodestar"),
        ):
            self.assertEqual(session.application_name({"CL_APPLICATION_ID": variable}, program), name)


if __name__ == "__main__":
    unittest.main()
