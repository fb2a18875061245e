import Foundation
import LinuxIO
import Radio
import TestSupport
import Testing

@Suite("One request by libcurl", .timeLimit(.minutes(30)))
struct HTTPPostTests {
  /// The installed versions of libcurl.
  private static let libraries = CurlLibrary.names.filter { name in
    do throws(CurlLibrary.Missing) {
      _ = try CurlLibrary(names: [name])
      return true
    } catch {
      return false
    }
  }

  private static func post(
    _ address: String, _ names: [String] = CurlLibrary.names, seconds: Double = 10,
    body: String = "{}"
  ) throws -> HTTPPost.Answer {
    let post = HTTPPost(
      url: try #require(URL(string: address)), userAgent: "Test",
      headers: ["Accept: text/plain", "Expect:"], body: Data(body.utf8), seconds: seconds,
      sizeLimit: 1000)
    return try post.answer(by: CurlLibrary(names: names))
  }

  private static func fault(
    _ address: String, _ names: [String] = CurlLibrary.names, seconds: Double = 10
  ) throws -> WiFiError.Kind? {
    do {
      _ = try post(address, names, seconds: seconds)
      return nil
    } catch let error as WiFiError {
      return error.kind
    }
  }

  private static func isBad(_ kind: WiFiError.Kind?, _ word: String) -> Bool {
    if case .badAnswer(let text) = kind { text.contains(word) } else { false }
  }

  private static func isUnreachable(_ kind: WiFiError.Kind?, _ word: String) -> Bool {
    if case .unreachable(let text) = kind { text.lowercased().contains(word) } else { false }
  }

  @Test("every libcurl of this machine carries a request and its answer", arguments: libraries)
  func exchange(library: String) throws {
    let body = String(repeating: "x", count: 5000)
    let server = try HTTPFixture(answering: "")
    for headers in ["retry-after:  7 \r\n", "Retry-After: 7\r\n"] {
      server.answer(HTTPFixture.answer("503 Busy", "later", headers))
      let answer = try Self.post(server.address + "/a?b=c%20d", [library], body: body)
      #expect(answer.status == 503)
      #expect(answer.retryAfter == "7")
      #expect(answer.body == Data("later".utf8))
    }
    let request = try #require(server.requests.all.first)
    #expect(request.line == "POST /a?b=c%20d HTTP/1.1")
    #expect(request.body == body)
    #expect(request.headers["accept"] == "text/plain")
    #expect(request.headers["user-agent"] == "Test")
    // No request waits for "100 Continue".
    #expect(request.headers["expect"] == nil)
    server.answer(HTTPFixture.answer("200 OK", String(repeating: "y", count: 1000)))
    #expect(try Self.post(server.address).body.count == 1000)
  }

  @Test("a header of another answer, or one too long for a number, gives no pause")
  func retryAfter() throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nRetry-After: 5\r\n\r\n"
    let server = try HTTPFixture(answering: interim + HTTPFixture.answer("200 OK", "a"))
    let answer = try Self.post(server.address)
    #expect(answer.status == 200)
    #expect(answer.retryAfter == nil)
    let long = "Retry-After: " + String(repeating: "1", count: 64) + "\r\n"
    server.answer(HTTPFixture.answer("503 Busy", "", long))
    #expect(try Self.post(server.address).retryAfter == "")
  }

  @Test("without libcurl there is a typed error with the remedy, and nothing is sent")
  func absent() throws {
    // The second is a library, but another.
    for names in [[], ["libnocurl.so.4"], ["libnocurl.so.4", "libm.so.6"]] {
      #expect(throws: CurlLibrary.Missing()) { try CurlLibrary(names: names) }
    }
    #expect(WiFiError(.libraryMissing).description.contains("sudo apt install libcurl4"))
    let server = try HTTPFixture(answering: HTTPFixture.answer("404 Not Found", "{}"))
    let scan = WrittenScan(points: [.test(1), .test(2)].compactMap { $0 })
    let locator = WiFiLocator(
      try WiFiConfiguration(server.address), source: scan, libraries: ["libnocurl.so.4"]
    ) { 0 }
    #expect(throws: WiFiError(.libraryMissing)) { try locator.position() }
    #expect(locator.pauseSeconds == 0)
    #expect(server.requests.all.isEmpty)
  }

  @Test("where the first name is absent, the second is taken", arguments: libraries)
  func second(library: String) throws {
    let server = try HTTPFixture(answering: HTTPFixture.answer("200 OK", "a"))
    #expect(try Self.post(server.address, ["libnocurl.so.4", library]).status == 200)
  }

  @Test("an answer is rejected at its limit, with a stated size or without an end")
  func oversize() throws {
    let server = try HTTPFixture(
      answering: HTTPFixture.answer("200 OK", String(repeating: "y", count: 1001)))
    #expect(try Self.fault(server.address) == .badAnswer("more than 1000 bytes"))
    let headers = String(repeating: "X-Filler: 0123456789\r\n", count: 60)
    server.answer(HTTPFixture.answer("200 OK", "", headers))
    #expect(try Self.fault(server.address) == .badAnswer("more than 1000 bytes"))
    let endless = try ScriptedServer { client, _ in
      client.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while !client.pause(0.01) { client.send("64\r\n\(String(repeating: "z", count: 100))\r\n") }
    }
    let address = "http://127.0.0.1:\(endless.port)"
    #expect(try Self.fault(address) == .badAnswer("more than 1000 bytes"))
    endless.stop()
  }

  @Test("a silent server, and one that never ends, is abandoned at the timeout")
  func timeOut() throws {
    let silent = try ScriptedServer { client, _ in _ = client.pause(30) }
    let isOver = WiFiError.Kind.unreachable("no answer within 0.3 s")
    #expect(try Self.fault("http://127.0.0.1:\(silent.port)", seconds: 0.3) == isOver)
    silent.stop()
    let dripping = try ScriptedServer { client, _ in
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n")
      while !client.pause(0.05) { client.send("z") }
    }
    #expect(try Self.fault("http://127.0.0.1:\(dripping.port)", seconds: 0.3) == isOver)
    dripping.stop()
    // 0 would be libcurl's own default, which is none.
    #expect(try Self.fault("http://127.0.0.1:1", seconds: -.infinity) != nil)
  }

  @Test("endless work is abandoned at the deadline, and finished work returns at once")
  func deadline() {
    let mayEnd = DispatchSemaphore(value: 0)
    let late = Deadline(seconds: 0.05).result { mayEnd.wait(timeout: .now() + 30) == .success }
    #expect(late == nil)
    mayEnd.signal()
    #expect(Deadline(seconds: 30).result { 7 } == 7)
  }

  @Test("another protocol differs from no answer, and only http and https are accepted")
  func strangers() throws {
    let server = try HTTPFixture(answering: "SSH-2.0-OpenSSH_9.2\r\n")
    #expect(Self.isBad(try Self.fault(server.address), "not HTTP"))
    #expect(Self.isUnreachable(try Self.fault("http://127.0.0.1:1"), "connect"))
    for library in Self.libraries {
      for address in ["file:///etc/hostname", "ftp://127.0.0.1:1/", "gopher://127.0.0.1:1/"] {
        #expect(Self.isBad(try Self.fault(address, [library]), "rotocol"), "\(address)")
      }
    }
  }
}
