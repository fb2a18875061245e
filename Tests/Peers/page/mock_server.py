#!/usr/bin/env python3
"""Serves the web page with a simulated boat, without the daemon. Usage: mock_server.py [--port N] [--speed N]

It has the paths and messages of the HTTP server of `lodestar serve`, and a calibration from its begin to `saved`. It
prints the one-time link. Standard library only."""
import argparse, asyncio, base64, hashlib, json, math, os, random, struct, sys, time
from datetime import datetime, timezone

pages = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "Sources", "CWebPage", "Page")
types = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
         ".webmanifest": "application/manifest+json"}
policy = "default-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"


class Boat:
    """A boat that sails a winding course, and circles while it is calibrated."""

    def __init__(self, options):
        self.options, self.began = options, time.monotonic()
        self.heading, self.rate, self.roll, self.pitch = 276.0, 0.0, 0.0, 0.0
        self.north, self.east, self.t = 0.0, 0.0, 0.0
        self.quality, self.error = "poor", 8.4
        self.session, self.use, self.random = None, "any attitude", random.Random(7)
        self.satellites = [(name, 1 + 3 * n + k, round(6 + 74 * ((0.618 * (7 * n + 3 * k)) % 1) ** 1.6), (137 * (n + 7 * k)) % 360)
                           for k, (name, count) in enumerate([("GPS", 9), ("GLONASS", 5), ("Galileo", 7), ("BeiDou", 6)])
                           for n in range(count)]

    def step(self, seconds):
        self.t += seconds
        t = self.t
        if self.session and self.session["state"] != "failed":
            wanted = 12 * self.options.speed
        else:
            wanted = 4 * math.sin(t / 17) + 2 * math.sin(t / 6.1)
        self.rate += (wanted - self.rate) * min(1, seconds * 2)
        self.heading = (self.heading + self.rate * seconds) % 360
        amount = 16 if self.session else 9
        self.roll = amount * math.sin(t / 1.9) + 3 * math.sin(t / 0.7)
        self.pitch = 3.5 * math.sin(t / 1.3 + 1)
        course = math.radians(self.course())
        self.north += 3.2 * math.cos(course) * seconds
        self.east += 3.2 * math.sin(course) * seconds
        if self.session:
            self.collect(seconds)

    def course(self):
        return (self.heading + 4.1 + 5 * math.sin(self.t / 23)) % 360

    def collect(self, seconds):
        s = self.session
        if s["state"] == "failed":
            return
        s["turned"] += abs(self.rate) * seconds
        s["samples"] += max(1, round(seconds * 100))
        s["coverage"] = min(1, s["turned"] / 720)
        if self.options.fail_after and s["samples"] > 100 * self.options.fail_after:
            s.update(state="failed", message="The field changed while it was measured: iron moved near the sensor.")
            return
        if s["turned"] > 90:
            s["error"] = 2.1 + 30 * math.exp(-(s["turned"] - 60) / 170)
        # Level circles show no more than the sensor's rotation in its case permits.
        if s["use"] == "level" and "error" in s:
            s["error"] = max(3.2, s["error"])
        if s.get("error", 99) < 6:
            s["state"] = "ready"
            if self.options.save_by_itself and s["error"] < 3:
                self.quality, self.error, self.session = "good", round(s["error"], 2), None

    def estimate(self):
        t, wobble = self.t, self.random.gauss
        disturbed = 40 < t % 120 < 52 and not self.session
        accuracy = {"poor": 14.6, "fair": 7.3, "good": 3.1}[self.quality] + 1.2 * math.sin(t / 31) + (6 if disturbed else 0)
        magnetic = (self.heading + wobble(0, 0.15)) % 360
        value = {
            "t": round(t, 9), "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "magneticHeading": round(magnetic, 4), "headingAccuracy": round(accuracy, 4),
            "roll": round(self.roll, 4), "pitch": round(self.pitch, 4), "rateOfTurn": round(self.rate, 4),
            "deviation": round(1.4 * math.sin(math.radians(self.heading)), 3), "heave": round(0.3 * math.sin(t / 1.1), 3),
            "calibration": self.quality, "disturbance": "disturbed" if disturbed else "clean",
            "fieldStrength": 49.96 * (1.12 if disturbed else 1.006) + wobble(0, 0.05), "dip": 68.4 + wobble(0, 0.1),
            "modelFieldStrength": 49.964, "modelDip": 68.302, "attitudeMode": "9-axis"}
        if not self.options.no_receiver:
            value.update({
                "trueHeading": round((magnetic + 4.1) % 360, 4),
                "latitude": round(54.45 + self.north / 111320, 9),
                "longitude": round(10.25 + self.east / (111320 * math.cos(math.radians(54.45))), 9),
                "horizontalAccuracy": 2.5 + 0.4 * math.sin(t / 9), "altitude": 2.8 + 0.5 * math.sin(t / 1.1) + wobble(0, 0.05),
                "verticalAccuracy": 2.6, "verticalSpeed": 0.3 * math.cos(t / 1.1), "speed": 3.2 + wobble(0, 0.05),
                "course": round(self.course(), 4), "fix": "simulated" if self.options.simulated else "3D"})
        if self.options.simulated:
            value["simulated"] = True
        return value

    def field(self):
        """The raw field along the body's axes, with the iron of the board."""
        h, r, p = (math.radians(a) for a in (self.heading, self.roll, self.pitch))
        dip = math.radians(68.3)
        n, e, d = 50 * math.cos(dip), 0.0, 50 * math.sin(dip)
        x, y, z = n * math.cos(h) + e * math.sin(h), -n * math.sin(h) + e * math.cos(h), d
        x, z = x * math.cos(p) - z * math.sin(p), x * math.sin(p) + z * math.cos(p)
        y, z = y * math.cos(r) + z * math.sin(r), -y * math.sin(r) + z * math.cos(r)
        g = self.random.gauss
        return [round(1.04 * x + 0.02 * y + 14 + g(0, 0.25), 3), round(0.97 * y - 9 + g(0, 0.25), 3),
                round(1.01 * z + 6 + g(0, 0.25), 3)]

    def sky(self):
        list_ = []
        for system, number, elevation, azimuth in self.satellites:
            signal = 22 + 23 * math.sin(math.radians(elevation + 8)) + 3 * math.sin(self.t / 5 + 2 * number)
            list_.append({"system": system, "number": number, "elevation": elevation, "azimuth": (azimuth + self.t / 60) % 360,
                          "signal": round(signal, 1), "used": signal > 32})
        return [] if self.options.no_receiver or self.options.no_sky else list_

    def deviation(self):
        """The curve that the estimates' deviation follows, with less trust where no leg was sailed."""
        rows = [{"compass": c, "deviation": round(1.4 * math.sin(math.radians(c)), 2), "sigma": 0.6 if c < 250 else 1.8}
                for c in range(0, 360, 15)]
        return {"origin": "course", "made": "2026-06-01T10:00:00Z", "age": 93600, "coverage": 255, "legs": 17, "sigma": 1.8, "rows": rows}

    def report(self):
        if not self.session:
            return {"type": "calibration", "state": "idle", "coverage": 0, "samples": 0, "quality": self.quality,
                    "predictedHeadingError": self.error, "use": self.use}
        s = self.session
        value = {"type": "calibration", "state": s["state"], "coverage": round(s["coverage"], 3), "samples": s["samples"], "use": s["use"]}
        if "error" in s:
            value["predictedHeadingError"] = round(s["error"], 2)
            value["quality"] = "good" if s["error"] < 3 else "fair" if s["error"] < 6 else "poor"
        if "message" in s:
            value["message"] = s["message"]
        return value

    def source(self):
        return {"isOpen": True, "hasMagnetometer": True, "hasReceiver": not self.options.no_receiver,
                "isSimulated": self.options.simulated}

    def command(self, name, content):
        """The status and the reason of a refusal."""
        if name == "begin":
            if self.options.fail_begin:
                return 409, "calibration failed: no magnetometer is open"
            self.session = self.session or {"state": "collecting", "coverage": 0.0, "samples": 0, "turned": 0.0}
            self.session["use"] = self.use = content.get("use", "any attitude")
        elif name == "cancel":
            self.session = None
        elif name == "save":
            if not self.session or self.session["state"] != "ready":
                return 409, "there is no calibration to save: the measurements are not sufficient yet"
            self.error = round(self.session["error"], 2)
            self.quality, self.session = "good" if self.error < 3 else "fair", None
        elif name == "reset":
            self.quality, self.error = "poor", 30.0
            if self.session:
                self.session = {"state": "collecting", "coverage": 0.0, "samples": 0, "turned": 0.0, "use": self.use}
        else:
            return 404, "no such command"
        return 204, None


class Server:
    def __init__(self, options):
        self.options, self.boat, self.sockets = options, Boat(options), set()
        self.code, self.token = "MOCK-" + options.code, base64.urlsafe_b64encode(os.urandom(12)).decode()

    async def run(self):
        server = await asyncio.start_server(self.serve, self.options.host, self.options.port)
        port = server.sockets[0].getsockname()[1]
        print(f"http://{self.options.host}:{port}/#code={self.code}", flush=True)
        await self.tick()

    async def tick(self):
        count, before = 0, time.monotonic()
        while True:
            await asyncio.sleep(0.1)
            now = time.monotonic()
            self.boat.step(now - before)
            before = now
            count += 1
            if self.options.silent_after and self.boat.t > self.options.silent_after:
                continue
            self.send({"type": "estimate", "estimate": self.boat.estimate()})
            if count % 2 == 0:
                self.send({"type": "field", "points": [self.boat.field() for _ in range(3)]})
            if count % 10 == 0:
                self.send({"type": "sky", "satellites": self.boat.sky()})
            if count % 5 == 0:
                self.send(self.boat.report())

    def send(self, value):
        frame = self.frame(json.dumps(value))
        for writer in list(self.sockets):
            if not writer.is_closing():
                writer.write(frame)

    @staticmethod
    def frame(text):
        body = text.encode()
        head = struct.pack("!BB", 0x81, len(body)) if len(body) < 126 else struct.pack("!BBH", 0x81, 126, len(body))
        return head + body

    async def serve(self, reader, writer):
        try:
            head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ", 2)
            fields = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
            body = await reader.readexactly(min(int(fields.get("content-length", 0)), 4096))
            if path == "/api/v1/stream" and fields.get("upgrade", "").lower() == "websocket":
                return await self.stream(reader, writer, fields)
            status, type_, content, extra = self.answer(method, path.split("?")[0], fields, body)
            reason = {200: "OK", 204: "No Content", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict"}
            lines = [f"HTTP/1.1 {status} {reason.get(status, 'Error')}", f"Content-Length: {len(content)}",
                     "Connection: close", f"Content-Security-Policy: {policy}", "X-Content-Type-Options: nosniff"] + extra
            if type_:
                lines.append(f"Content-Type: {type_}")
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
            await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.TimeoutError, ConnectionError, ValueError):
            pass
        finally:
            writer.close()

    def answer(self, method, path, fields, body):
        may = self.options.no_token or f"lodestar={self.token}" in fields.get("cookie", "")
        refuse = lambda status, reason: (status, "application/json", json.dumps({"error": reason}).encode(), [])
        if method == "POST":
            if fields.get("x-lodestar") != "1":
                return refuse(403, "the header X-Lodestar is missing")
            if path == "/api/v1/token":
                if json.loads(body or b"{}").get("code") != self.code:
                    return refuse(401, "this link has been used or has expired: run 'lodestar token' for a new one")
                return 204, None, b"", [f"Set-Cookie: lodestar={self.token}; HttpOnly; SameSite=Strict; Path=/"]
            if path.startswith("/api/v1/calibration/"):
                if not may:
                    return refuse(401, "this needs a token: run 'lodestar token' on the board and open its link")
                status, reason = self.boat.command(path.rsplit("/", 1)[1], json.loads(body or b"{}"))
                self.send(self.boat.report())
                return (status, None, b"", []) if reason is None else refuse(status, reason)
            return refuse(404, "no such path")
        values = {
            "/api/v1/status": lambda: {"version": "0.9.0", "uptime": round(time.monotonic() - self.boat.began, 1),
                                       "source": self.boat.source(), "permission": {"mayCalibrate": bool(may)}},
            "/api/v1/estimate": self.boat.estimate,
            "/api/v1/deviation": self.boat.deviation,
            "/api/v1/sky": lambda: {"satellites": self.boat.sky()}}
        if path in values:
            return 200, "application/json", json.dumps(values[path]()).encode(), ["Cache-Control: no-store"]
        name = "index.html" if path == "/" else path[1:]
        if name not in os.listdir(pages):
            return refuse(404, "no such path")
        with open(os.path.join(pages, name), "rb") as file:
            return 200, types[os.path.splitext(name)[1]], file.read(), ["Cache-Control: no-cache"]

    async def stream(self, reader, writer, fields):
        key = fields.get("sec-websocket-key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode())
        for first in ({"type": "source", "source": self.boat.source()}, {"type": "sky", "satellites": self.boat.sky()},
                      self.boat.report()):
            writer.write(self.frame(json.dumps(first)))
        self.sockets.add(writer)
        try:
            while True:
                a, b = await reader.readexactly(2)
                length = b & 127
                if length == 126:
                    length = struct.unpack("!H", await reader.readexactly(2))[0]
                await reader.readexactly(4 + min(length, 65535))
                if a & 15 == 8:
                    break
        finally:
            self.sockets.discard(writer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--speed", type=float, default=1, help="how fast the boat circles during a calibration")
    parser.add_argument("--code", default="7K4Q", help="the end of the one-time code")
    parser.add_argument("--simulated", action="store_true", help="estimates are marked as simulated")
    parser.add_argument("--no-receiver", action="store_true", help="the board has no receiver")
    parser.add_argument("--no-token", action="store_true", help="every browser may calibrate")
    parser.add_argument("--fail-begin", action="store_true", help="refuse to begin a calibration")
    parser.add_argument("--no-sky", action="store_true", help="the receiver reports no satellites")
    parser.add_argument("--fail-after", type=float, help="seconds after which a calibration fails")
    parser.add_argument("--save-by-itself", action="store_true", help="a good calibration is saved at once")
    parser.add_argument("--silent-after", type=float, help="seconds after which no message is sent")
    try:
        asyncio.run(Server(parser.parse_args()).run())
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
