import Foundation
import TestSupport
import Testing

/// The program's server, asked from outside by Python's client and by bare sockets.
@Suite("The HTTP server", .timeLimit(.minutes(30)))
struct HTTPServerTests {
  /// Arguments: program, folder. Prints what is wrong.
  private static let script = """
    import base64, json, os, socket, subprocess, sys, time, urllib.error, urllib.request
    program, folder = sys.argv[1:]
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    command = [program, "serve", "--simulate", "--gpsd-port", "0", "--http-port", str(port), "--state"]
    environment = dict(os.environ, LODESTAR_POLICY="")
    def start(name):
        environment["LODESTAR_SOCKET"] = f"{folder}/{name}"
        return subprocess.Popen(command + [f"{folder}/state-{name}"], env=environment, stderr=subprocess.PIPE, text=True)
    def get(path, **more):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", **more)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()
    daemon, second = start("a"), None
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                page = get("/")
                break
            except OSError:
                assert time.monotonic() < deadline and daemon.poll() is None, "it does not listen"
                time.sleep(0.05)
        assert page[0] == 200 and page[2].rstrip().endswith("</html>"), page
        assert "default-src 'self'" in page[1]["Content-Security-Policy"], page[1]
        estimate = json.loads(get("/api/v1/estimate")[2])
        assert estimate["simulated"] is True and "magneticHeading" in estimate, estimate
        assert json.loads(get("/api/v1/status")[2])["source"]["isOpen"] is True
        for path in ("estimate", "status", "sky", "health", "absent"):
            stamp = json.loads(get("/api/v1/" + path)[2])["time"]
            assert time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S") and stamp[19] == "." and stamp[23:] == "Z", path
        sky = json.loads(get("/api/v1/sky")[2])["satellites"]
        assert len(sky) >= 12 and {"GPS", "Galileo"} <= {one["system"] for one in sky}, sky
        metrics = get("/metrics")[2]
        assert "lodestar_magnetic_heading_degrees " in metrics and "lodestar_build_info{version=" in metrics, metrics
        assert 'lodestar_source_kind{source="simulation"} 1' in metrics and "lodestar_uptime_seconds " in metrics
        health = json.loads(get("/api/v1/health")[2])
        assert health["source"] == "simulation" and health["uptime"] > 0 and "devices" in health, health
        assert get("/absent")[0] == 404
        for path, method, allowed in (("status", "POST", "GET, HEAD"), ("token", "GET", "POST"), ("token", "OPTIONS", "POST")):
            status, fields, _ = get("/api/v1/" + path, method=method)
            assert status == 405 and fields["Allow"] == allowed, (path, method, status)
        # The card of a swing that was entered through the daemon: 2 degrees on every heading.
        for name, text in (("c.json", '{"softIron":[[1,0,0],[0,1,0],[0,0,1]],"hardIron":[10,-20,5],"quality":"good"}'),
                ("s.txt", "".join(f"{45 * k + 2} {45 * k}\\n" for k in range(8)))):
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        for words in (["import", f"{folder}/c.json"], ["swing", f"{folder}/s.txt", "--keep"]):
            run = subprocess.run([program, "calibrate", *words], env=environment, capture_output=True, text=True)
            assert run.returncode == 0, run.stderr
        card = json.loads(get("/api/v1/deviation")[2])
        assert card["origin"] == "swing" and card["sigma"] == 1.5 and 0 <= card["age"] < 60, card
        assert [row["compass"] for row in card["rows"]] == list(range(0, 360, 15)), card
        assert all(abs(row["deviation"] - 2) < 0.01 for row in card["rows"]), card
        status, _, text = get("/api/v1/calibration/begin", data=b"", method="POST", headers={"X-Lodestar": "1"})
        assert status == 401 and "lodestar token" in text, text
        # The key and its answer are the example of RFC 6455, section 1.3.
        client = socket.create_connection(("127.0.0.1", port), timeout=20)
        client.sendall(b"GET /api/v1/stream HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: Upgrade\\r\\n"
            b"Upgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
        live = b""
        wanted = [b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="] + [
            b'Z","type":"%s"' % one for one in (b"source", b"calibration", b"estimate", b"field", b"sky")]
        while not all(one in live for one in wanted):
            part = client.recv(65536)
            assert part, live
            live += part
        # A second daemon finds the port in use, and continues without it.
        second = start("b")
        line = ""
        while "another port with http-port" not in line:
            line = second.stderr.readline()
            assert line, "no warning"
        assert second.poll() is None and str(daemon.pid) in line, line
    finally:
        for one in (daemon, second):
            if one:
                one.terminate()
                assert one.wait(20) == 0
    """

  /// Arguments: program, folder. A daemon whose page only tokens may read.
  private static let tokens = #"""
    import base64, http.client, json, os, signal, socket, subprocess, sys, threading, time
    program, folder = sys.argv[1:]
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with open(f"{folder}/serve.yaml", "w") as file:
        file.write(f"http-read: token\nhttp-port: {port}\nhttp-names: boat.example\ngpsd-port: 0\n")
    environment = dict(os.environ, LODESTAR_POLICY="", LODESTAR_SOCKET=f"{folder}/s")
    state = ["--state", f"{folder}/state"]
    def run(*arguments):
        done = subprocess.run([program, "token", *arguments, *state], env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr
    def ask(method, path, body=b"", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body or None, headers=headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text[:1] == b"{" else text, answer.headers
    def post(path, body=None, **headers):
        return ask("POST", "/api/v1/" + path, json.dumps(body).encode() if body else b"", X_Lodestar="1", **headers)
    def start():
        daemon = subprocess.Popen([program, "serve", "--simulate", "--config", f"{folder}/serve.yaml", *state],
                                  env=environment, stderr=subprocess.PIPE, text=True)
        lines = []
        threading.Thread(target=lambda: lines.extend(daemon.stderr), daemon=True).start()
        deadline = time.monotonic() + 30
        while True:
            try:
                ask("GET", "/api/v1/status")
                return daemon, lines
            except OSError:
                assert time.monotonic() < deadline and daemon.poll() is None, lines
                time.sleep(0.05)
    def code(text):
        return text.split("#code=")[1].split()[0].rstrip(";")
    def eventually(what):
        deadline = time.monotonic() + 20
        while not what():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    status, _, error = run("list")
    assert status == 69 and "start the daemon" in error, error
    daemon, lines = start()
    try:
        # The log says how to make a link while there is no token, and has none, since others may read it.
        eventually(lambda: any("'lodestar token' prints a link" in line for line in lines))
        assert not any("#code=" in line for line in lines), lines
        # The host's socket may be ready a moment after its web page.
        links = [""]
        def linked():
            links[0] = run()[1]
            return "#code=" in links[0]
        eventually(linked)
        first = code(links[0])
        assert ask("GET", "/")[0] == 200 and ask("GET", "/page.js")[0] == 200
        assert ask("GET", "/api/v1/status")[1]["permission"] == {"mayCalibrate": False, "mayRead": False}
        for path in ("estimate", "sky", "deviation", "stream"):
            assert ask("GET", "/api/v1/" + path)[0] == 401, path
        assert ask("GET", "/metrics")[0] == 401
        assert post("token")[0] == 400 and post("token", {"code": 5})[0] == 400
        assert post("token", {"code": "wrong"})[0] == 401
        assert ask("POST", "/api/v1/token", json.dumps({"code": first}).encode())[0] == 403
        status, new, headers = post("token", {"code": first.upper()}, User_Agent="Mozilla/5.0 (Linux; Android 15)")
        assert status == 200 and new["name"] == "Android", new
        cookie = headers["Set-Cookie"]
        assert all(word in cookie for word in ("HttpOnly", "SameSite=Strict", new["token"])) and "Secure" not in cookie
        assert headers["Cache-Control"] == "no-store"
        assert post("token", {"code": first})[0] == 401
        # A second one with a name, through a proxy with TLS.
        status, text, _ = run("--name", "laptop", "--url", "https://boat.example")
        assert status == 0 and text.startswith("https://boat.example/#code="), text
        _, second, headers = post("token", {"code": code(text)}, Host="boat.example", Origin="https://boat.example")
        assert second["name"] == "laptop" and headers["Set-Cookie"].endswith("; Secure"), headers["Set-Cookie"]
        phone, laptop = {"Cookie": f"other=1; lodestar={new['token']}"}, {"Authorization": f"Bearer {second['token']}"}
        assert ask("GET", "/api/v1/estimate", **laptop)[1]["simulated"] and ask("GET", "/metrics", **phone)[0] == 200
        assert ask("GET", "/api/v1/status", **phone)[1]["permission"]["mayCalibrate"] is True
        assert ask("GET", "/api/v1/estimate", Authorization="Bearer " + second["token"][:-1])[0] == 401
        # What a foreign page or a long request may do: nothing.
        assert ask("POST", "/api/v1/calibration/begin", **phone)[0] == 403
        assert post("calibration/begin", Origin="http://evil.example", **phone)[0] == 403
        assert post("calibration/begin", Host="evil.example", **phone)[0] == 403
        assert ask("GET", "/api/v1/estimate", Host="evil.example", **phone)[0] == 403
        status, _, headers = post("token", {"code": "x" * 5000})
        assert status == 413
        assert ask("PUT", "/", **phone)[0] == 405 and post("calibration/reset", **phone)[0] == 404
        assert ask("HEAD", "/")[1] == b""
        # The commands, and what is not possible now.
        assert post("calibration/save", **phone)[0] == 409 and post("calibration/cancel", **phone)[0] == 409
        def stream(headers):
            client = socket.create_connection(("127.0.0.1", port), timeout=20)
            client.sendall(("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n").encode())
            return client
        def until(client, *texts):
            live = b""
            while not any(text in live for text in texts):
                part = client.recv(65536)
                assert part, live[-500:]
                live += part
            return live
        foreign = stream(dict(phone, Origin="http://evil.example"))
        assert b" 403 " in until(foreign, b"\r\n")
        live = stream(phone)
        until(live, b'"state":"idle"')
        assert post("calibration/begin", **phone)[0] == 200
        until(live, b'"state":"collecting"')
        status, refusal, _ = post("calibration/save", **phone)
        assert status == 409 and "turn" in refusal["error"], refusal
        assert post("calibration/begin", {"use": "sideways"}, **phone)[0] == 400
        assert post("calibration/cancel", **phone)[0] == 200
        until(live, b'"state":"idle"')
        # A ping is answered: opcode 9, masked with zeros, and 10.
        live.sendall(b"\x89\x82\0\0\0\0hi")
        until(live, b"\x8a\x02hi")
        # A revocation holds for requests at once, for open pages and a running calibration within a second or so.
        assert post("calibration/begin", **phone)[0] == 200
        status, text, _ = run("list", "--format", "json")
        assert [one["name"] for one in json.loads(text)["tokens"]] == ["Android", "laptop"], text
        assert run("revoke", "nothing")[0] == 1 and run("revoke")[0] == 64
        assert run("revoke", new["id"])[0] == 0
        assert post("calibration/cancel", **phone)[0] == 401
        rest = until(live, b'"mayCalibrate":false')
        while part := live.recv(65536):
            rest += part
        eventually(lambda: any("permission was revoked" in line for line in lines))
        # The log comes before the end of the calibration, which a page that is open then receives with its reason.
        watch = stream(laptop)
        until(watch, b'"state":"idle"', b'"state":"failed"')
        # Killed: nothing of it is lost, and the advice is not repeated.
        daemon.send_signal(signal.SIGKILL)
        daemon.wait(20)
        daemon, lines = start()
        assert ask("GET", "/api/v1/estimate", **laptop)[0] == 200 and ask("GET", "/api/v1/estimate", **phone)[0] == 401
        # Ten wrong codes a minute.
        answers = [post("token", {"code": "wrong"})[0] for _ in range(12)]
        assert answers == [401] * 10 + [429] * 2, answers
        assert run("revoke", "--all")[0] == 0 and ask("GET", "/api/v1/estimate", **laptop)[0] == 401
        assert not any("prints a link" in line for line in lines), lines
    finally:
        daemon.terminate()
        assert daemon.wait(20) == 0
    """#

  @Test(
    "a one-time link gives a token that may read and calibrate, until it is revoked")
  func permission() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/tokens.py"
    try Self.tokens.write(toFile: path, atomically: true, encoding: .utf8)
    try Python.run(path, [BuiltProgram("lodestar").path, folder.path])
  }

  @Test(
    "it serves page, estimates, metrics and live messages, refuses changes without a token, and reports a taken port"
  )
  func requests() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/requests.py"
    try Self.script.write(toFile: path, atomically: true, encoding: .utf8)
    try Python.run(path, [BuiltProgram("lodestar").path, folder.path])
  }
}
