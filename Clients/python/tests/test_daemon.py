"""The client against the real daemon with the simulated board.

The program is `$LODESTAR_PROGRAM`, else `.build/release/lodestar` of the repository; without it the tests skip.
"""

import asyncio
import json
import logging
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Dict, List, Optional

import lodestar

TIMEOUT = 60.0
BUILT = Path(__file__).resolve().parents[3] / ".build" / "release" / "lodestar"
PROGRAM = os.environ.get("LODESTAR_PROGRAM") or (str(BUILT) if BUILT.exists() else None)


@unittest.skipUnless(PROGRAM, f"no daemon: set LODESTAR_PROGRAM, or build {BUILT.name} with 'swift build -c release'")
class DaemonTests(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "socket")
        self.environment: Dict[str, str] = {**os.environ, "LODESTAR_SOCKET": self.path, "LODESTAR_POLICY": ""}
        self.daemon: Optional[subprocess.Popen[bytes]] = None
        self.addCleanup(self.stop, signal.SIGTERM)
        self.start()

    def start(self) -> None:
        """Starts the daemon and waits until it answers."""
        assert PROGRAM
        command = [PROGRAM, "serve", "--simulate", "--state", os.path.join(self.folder, "state")]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.daemon = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                lodestar.connect(self.path).close()
                return
            except (lodestar.DaemonNotFound, lodestar.ConnectionLost):
                assert self.daemon.poll() is None and time.monotonic() < deadline, self.log()
                time.sleep(0.02)

    def stop(self, number: int) -> None:
        if self.daemon is not None:
            self.daemon.send_signal(number)
            self.daemon.wait(TIMEOUT)
            self.daemon = None

    def log(self) -> str:
        return Path(self.folder, "log").read_text()

    def run_module(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "lodestar", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=TIMEOUT)

    def test_headings_locations_and_samples_arrive(self) -> None:
        with lodestar.connect(self.path) as client:
            assert client.source and client.access
            self.assertTrue(client.access.is_granted)
            location = client.location(TIMEOUT)
            # A daemon answers before its source is open.
            self.assertTrue(client.source.is_simulated)
            self.assertEqual(location.fix_kind, "simulated")
            with client.estimates(timeout=TIMEOUT) as stream:
                value = next(each for each in stream if each.heading and each.heading.true_degrees is not None)
            assert value.heading and value.attitude
            # The quaternion and the heading are two forms of one rotation.
            w, x, y, z = value.attitude.quaternion
            yaw = math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))) % 360
            self.assertAlmostEqual(yaw, value.heading.magnetic_degrees, places=6)
            self.assertAlmostEqual(value.heading.magnetic_degrees, math.degrees(value.as_sent["magneticHeading"]))
            assert value.attitude.roll_degrees is not None
            with client.samples(timeout=TIMEOUT) as samples:
                next(each for each in samples if each.field_microtesla)
                next(each for each in samples if each.angular_rate_radians_per_second)

    def test_an_interval_is_kept(self) -> None:
        with lodestar.connect(self.path) as client, client.headings(0.2, timeout=TIMEOUT) as stream:
            times = [next(stream).timestamp_nanoseconds for _ in range(5)]
        for first, second in zip(times, times[1:]):
            self.assertGreaterEqual(second - first, 195_000_000)

    def test_asynchronous_streams_run_side_by_side(self) -> None:
        async def take(stream: "lodestar.AsyncStream[object]", count: int) -> List[object]:
            values: List[object] = []
            async for value in stream:
                values.append(value)
                if len(values) == count:
                    break
            return values

        async def run() -> None:
            async with lodestar.aconnect(self.path) as client:
                found = await asyncio.gather(
                    take(client.headings(), 20), take(client.locations(), 2), take(client.samples(), 50)
                )
            self.assertEqual([len(values) for values in found], [20, 2, 50])

        asyncio.run(asyncio.wait_for(run(), TIMEOUT))

    def test_iterations_go_on_after_the_daemon_was_killed(self) -> None:
        with lodestar.connect(self.path) as client:
            stream = client.headings(timeout=TIMEOUT)
            next(stream)
            self.stop(signal.SIGKILL)
            self.start()
            for _ in range(5):
                next(stream)
            self.assertTrue(client.is_connected)

        async def run() -> None:
            async with lodestar.aconnect(self.path) as client:
                stream = client.headings()
                last = (await stream.__anext__()).timestamp_nanoseconds
                self.stop(signal.SIGKILL)
                self.start()
                # The simulated time begins anew; what was received before the kill comes first.
                while (now := (await stream.__anext__()).timestamp_nanoseconds) > last:
                    last = now
                for _ in range(5):
                    await stream.__anext__()

        asyncio.run(asyncio.wait_for(run(), TIMEOUT))

    def test_without_reconnection_the_end_of_the_daemon_is_a_lost_connection(self) -> None:
        with lodestar.connect(self.path, reconnect=False) as client:
            stream = client.headings(timeout=TIMEOUT)
            next(stream)
            self.stop(signal.SIGTERM)
            with self.assertRaisesRegex(lodestar.ConnectionLost, "has ended"):
                for _ in stream:
                    pass

    def test_a_wrong_application_is_refused_with_the_daemon_s_message(self) -> None:
        with self.assertRaisesRegex(lodestar.Refused, "not a valid application identifier") as context:
            lodestar.connect(self.path, application="a boat")
        self.assertEqual(context.exception.code, "application")

    def test_a_denied_application_receives_the_remedy(self) -> None:
        self.stop(signal.SIGTERM)
        policy = Path(self.folder, "policy.yaml")
        policy.write_text("applications:\n  org.example.boat:\n    authorization: denied\n")
        self.environment["LODESTAR_POLICY"] = str(policy)
        self.start()
        with lodestar.connect(self.path, application="org.example.boat") as client:
            with self.assertRaises(TimeoutError):
                client.heading(0.2)
            assert client.access and client.access.remedy
            self.assertIn("policy", client.access.remedy)

    def test_the_command_prints_headings(self) -> None:
        text = self.run_module("--count", "2", "--interval", "0.1")
        self.assertEqual((text.returncode, text.stderr), (0, ""))
        for line in text.stdout.splitlines():
            self.assertRegex(line, r"^magnetic \d+\.\d°  true (-|\d+\.\d°)  accuracy .*SIMULATED$")
        lines = self.run_module("--count", "2", "--interval", "0", "--format", "json").stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(json.loads(lines[0])["is_simulated"])
        self.assertRegex(json.loads(lines[0])["time"], r"^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_the_command_reports_a_missing_daemon(self) -> None:
        result = self.run_module("--socket", os.path.join(self.folder, "none"))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("no daemon: no socket at", result.stderr)


if __name__ == "__main__":
    unittest.main()
