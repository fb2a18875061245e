import Foundation
import TestSupport
import Testing

/// In a process of its own, as the HTTP server.
@Suite("The Signal K server", .timeLimit(.minutes(30)))
struct SignalKServerTests {
  /// Arguments: program, folder. Prints what is wrong.
  private static let script = """
    import json, os, random, socket, struct, subprocess, sys, time, urllib.error, urllib.request
    program, folder = sys.argv[1:]
    # Not one that the kernel gives to the clients of other tests in the meantime.
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)):
                break
    environment = dict(os.environ, LODESTAR_POLICY="", LODESTAR_SOCKET=f"{folder}/s")
    def start(more=""):
        with open(f"{folder}/serve.yaml", "w") as file:
            file.write(f"signalk-port: {port}\\n{more}")
        return subprocess.Popen([program, "serve", "--simulate", "--gpsd-port", "0", "--http-port", "0", "--state",
            f"{folder}/state", "--config", f"{folder}/serve.yaml"], env=environment, stderr=subprocess.PIPE, text=True)
    def get(path, headers={}, **more):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers, **more)
        deadline = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                return error.code, json.load(error)
            except OSError:
                assert time.monotonic() < deadline and daemon.poll() is None, "it does not listen"
                time.sleep(0.05)
    class Stream:
        def __init__(self, query):
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
            self.socket.sendall((f"GET /signalk/v1/stream{query} HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: Upgrade\\r\\n"
                "Upgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n").encode())
            self.file = self.socket.makefile("rb")
            assert b" 101 " in self.file.readline()
            while self.file.readline().strip():
                pass
        def frame(self):
            while True:
                first, count = self.file.read(2)
                if count == 126:
                    count = struct.unpack("!H", self.file.read(2))[0]
                payload = self.file.read(count)
                if first != 0x89:
                    return first, payload
                # A ping of the server, each 20 s.
                self.send(payload, first=0x8A)
        def message(self):
            first, payload = self.frame()
            assert first == 0x81, (first, payload)
            return json.loads(payload)
        def send(self, payload, first=0x81):
            payload = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
            size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\\xfe" + struct.pack("!H", len(payload))
            self.socket.sendall(bytes([first]) + size + bytes(4) + payload)
    def paths(delta):
        return {one["path"] for update in delta["updates"] for one in update["values"]}
    def end(daemon):
        daemon.terminate()
        assert daemon.wait(20) == 0
    daemon = start()
    try:
        status, found = get("/signalk")
        assert found["endpoints"]["v1"] == {"version": "1.7.0",
            "signalk-http": f"http://127.0.0.1:{port}/signalk/v1/api/",
            "signalk-ws": f"ws://127.0.0.1:{port}/signalk/v1/stream"}, found
        model = get("/signalk/v1/api/")[1]
        urn = model["self"].removeprefix("vessels.")
        assert urn.startswith("urn:mrn:signalk:uuid:") and list(model["vessels"]) == [urn], model
        # True north is known with the first fix.
        deadline = time.monotonic() + 20
        while not {"headingTrue", "position"} <= set(model["vessels"][urn].get("navigation", {})):
            assert time.monotonic() < deadline, model
            time.sleep(0.05)
            model = get("/signalk/v1/api/")[1]
        heading = model["vessels"][urn]["navigation"]["headingTrue"]
        assert 0 <= heading["value"] < 6.2832 and heading["timestamp"].endswith("Z"), heading
        assert heading["$source"] == "lodestar.compass" and heading["meta"]["units"] == "rad", heading
        assert get("/signalk/v1/api/self")[1] == model["self"]
        for vessel in ("self", urn, urn.replace(":", "%3A")):
            value = get(f"/signalk/v1/api/vessels/{vessel}/navigation/position/value")[1]
            assert abs(value["latitude"] - 54.45) < 0.1 and abs(value["longitude"] - 10.25) < 0.1, value
        assert get("/signalk/v1/api/vessels/self/navigation/log")[0] == 404
        assert get("/signalk/v1/playback")[0] == 501 and get("/")[0] == 404
        status, answer = get("/signalk/v1/api/vessels/self/navigation/headingTrue", data=b'{"value":1}', method="PUT")
        assert status == 405 and answer["state"] == "FAILED", answer
        assert get("/signalk/v1/stream?subscribe=some")[0] == 501
        status, answer = get("/signalk/v1/stream", {"Origin": "http://example.org"})
        assert status == 403, answer
        # All values, without a message of the client.
        stream = Stream("")
        hello = stream.message()
        assert hello["self"] == model["self"] and hello["roles"] == ["master", "main"], hello
        delta = stream.message()
        assert delta["context"] == model["self"], delta
        # By messages.
        stream = Stream("?subscribe=none&sendMeta=all")
        stream.message()
        stream.send({"requestId": "a", "put": {"path": "navigation.headingTrue", "value": 1}})
        answer = stream.message()
        assert (answer["requestId"], answer["state"], answer["statusCode"]) == ("a", "FAILED", 405), answer
        stream.send(b"nonsense")
        assert stream.message()["statusCode"] == 400
        stream.send({"subscribe": [{"path": "*", "format": "full"}]})
        assert stream.message()["statusCode"] == 501
        stream.send({"context": "vessels.other", "subscribe": [{"path": "*"}]})
        stream.send({"context": "vessels.self", "subscribe": [{"path": "navigation.rate*", "period": 100, "policy": "fixed"}]})
        for number in range(3):
            delta = stream.message()
            assert paths(delta) == {"navigation.rateOfTurn"}, delta
            assert ("meta" in delta["updates"][0]) == (number == 0), delta
        stream.send({"context": "*", "unsubscribe": [{"path": "*"}]})
        stream.send(b"still there", first=0x89)
        # Deltas may have been sent before.
        while True:
            first, payload = stream.frame()
            if first == 0x8A:
                break
        assert payload == b"still there", payload
        stream.send({"requestId": "b", "login": {}})
        assert stream.message()["requestId"] == "b"
        for number in range(70):
            stream.send({"subscribe": [{"path": f"none.{number}"}]})
        assert "more than 64 subscriptions" in stream.message()["message"]
        # A message beyond the limit ends the connection; the reason is lost where the rest has not been read.
        stream.send(b"x" * 20000)
        first = 0
        try:
            while first != 0x88:
                first, payload = stream.frame()
            assert payload[:2] == struct.pack("!H", 1009), payload
        except ConnectionError:
            pass
        # The vessel of a later start.
        end(daemon)
        daemon = start()
        assert get("/signalk/v1/api/self")[1] == model["self"]
        end(daemon)
        daemon = start("signalk-mmsi: 211234560\\n")
        assert get("/signalk/v1/api/self")[1] == "vessels.urn:mrn:imo:mmsi:211234560"
    finally:
        end(daemon)
    """

  @Test(
    "it serves the model and streams by subscription, refuses changes, and the vessel's identifier is lasting"
  )
  func requests() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/requests.py"
    try Self.script.write(toFile: path, atomically: true, encoding: .utf8)
    try Python.run(path, [BuiltProgram("lodestar").path, folder.path])
  }
}
