import Foundation
import TestSupport
import Testing

/// In a process of its own: the library's tasks need threads of Swift's shared pool, which the tests of this process block.
@Suite("The HTTP server")
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
        sky = json.loads(get("/api/v1/sky")[2])["satellites"]
        assert len(sky) >= 12 and {"GPS", "Galileo"} <= {one["system"] for one in sky}, sky
        assert "lodestar_magnetic_heading_degrees " in get("/metrics")[2]
        assert get("/absent")[0] == 404
        status, _, text = get("/api/v1/calibration/begin", data=b"", method="POST")
        assert status == 405 and "nothing can be changed" in text, text
        # The key and its answer are the example of RFC 6455, section 1.3.
        client = socket.create_connection(("127.0.0.1", port), timeout=20)
        client.sendall(b"GET /api/v1/stream HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: Upgrade\\r\\n"
            b"Upgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
        live = b""
        wanted = [b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="] + [
            b'"type":"%s"' % one for one in (b"source", b"calibration", b"estimate", b"field", b"sky")]
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

  @Test(
    "it serves page, estimates, metrics and live messages, refuses changes, and reports a taken port"
  )
  func requests() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/requests.py"
    try Self.script.write(toFile: path, atomically: true, encoding: .utf8)
    try Python.run(path, [BuiltProgram("lodestar").path, folder.path])
  }
}
