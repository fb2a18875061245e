import Foundation
import Radio
import TestSupport
import Testing

@Suite("Coarse positions from a service on this machine", .timeLimit(.minutes(30)))
struct WiFiLocatorTests {
  private static let found = HTTPFixture.answer(
    "200 OK", #"{"location":{"lat":-22.7539192,"lng":-43.4371081},"accuracy":100.0}"#)
  private static let scan = WrittenScan(
    points: [.test(1, -50), .test(2, -70)].compactMap { $0 })

  /// A clock that the test advances.
  private final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0.0
    var seconds: Double { lock.withLock { value } }
    func advance(_ seconds: Double) { lock.withLock { value += seconds } }
  }

  private static func locator(
    _ server: HTTPFixture, _ clock: Clock = Clock(), key: String? = nil
  ) throws -> WiFiLocator {
    var configuration = try WiFiConfiguration(server.address + "/v1/geolocate", key: key)
    configuration.timeoutSeconds = 10
    return WiFiLocator(configuration, source: scan) { clock.seconds }
  }

  private static func fault(_ answer: String) throws -> WiFiError.Kind? {
    let server = try HTTPFixture(answering: answer)
    return fault(of: try locator(server))
  }

  private static func fault(of locator: WiFiLocator) -> WiFiError.Kind? {
    do throws(WiFiError) {
      _ = try locator.position()
      return nil
    } catch {
      return error.kind
    }
  }

  @Test("a position is requested by Ichnaea's protocol, and its radius is the service's 95 %")
  func position() throws {
    let server = try HTTPFixture(answering: Self.found)
    let locator = try Self.locator(server, key: "secret")
    let before = Date().timeIntervalSince1970
    let position = try locator.position()
    #expect(position.latitudeDegrees == -22.7539192)
    #expect(position.longitudeDegrees == -43.4371081)
    #expect(position.radius95Metres == 100)
    #expect(abs(position.time.secondsSince1970 - before) < 60)
    let request = try #require(server.requests.all.first)
    #expect(request.line == "POST /v1/geolocate?key=secret HTTP/1.1")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["user-agent"]?.hasPrefix("Lodestar") == true)
    #expect(request.headers["cookie"] == nil)
    let expected = try IchnaeaRequest(Self.scan.points, oldestSeconds: 9).body
    #expect(request.body == String(decoding: expected, as: UTF8.self))
  }

  @Test("no request is sent before the interval is over, nor after a refusal")
  func interval() throws {
    let server = try HTTPFixture(answering: Self.found)
    let clock = Clock()
    let locator = try Self.locator(server, clock)
    #expect(locator.pauseSeconds == 0)
    _ = try locator.position()
    clock.advance(299)
    #expect(Self.fault(of: locator) == .tooSoon(seconds: 1))
    #expect(locator.pauseSeconds == 1)
    clock.advance(1)
    server.answer(HTTPFixture.answer("404 Not Found", "{}"))
    #expect(Self.fault(of: locator) == .notFound)
    #expect(Self.fault(of: locator) == .tooSoon(seconds: 300))
    clock.advance(300)
    server.answer(HTTPFixture.answer("429 Too Many Requests", "", "Retry-After: 1000\r\n"))
    #expect(Self.fault(of: locator) == .tooMany(seconds: 1000))
    clock.advance(999)
    #expect(Self.fault(of: locator) == .tooSoon(seconds: 1))
    clock.advance(1)
    server.answer(Self.found)
    #expect(Self.fault(of: locator) == nil)
    #expect(server.requests.all.count == 4)
  }

  @Test("a scan with fewer than two access points sends nothing and starts no interval")
  func tooFew() throws {
    let server = try HTTPFixture(answering: Self.found)
    let configuration = try WiFiConfiguration(server.address)
    let points = [AccessPoint.test(1), .test(2, name: "x_nomap")].compactMap { $0 }
    let locator = WiFiLocator(configuration, source: WrittenScan(points: points))
    #expect(Self.fault(of: locator) == .tooFew(1))
    #expect(locator.pauseSeconds == 0)
    #expect(server.requests.all.isEmpty)
  }

  @Test("the service's errors are distinguished")
  func statuses() throws {
    let reasoned = #"{"error":{"errors":[{"reason":"keyInvalid"}],"code":400,"message":"no"}}"#
    let limited = #"{"error":{"errors":[{"reason":"dailyLimitExceeded"}],"code":403}}"#
    let cases: [(String, WiFiError.Kind)] = [
      (HTTPFixture.answer("404 Not Found", "{}"), .notFound),
      (
        HTTPFixture.answer("400 Bad Request", reasoned), .refused(status: 400, reason: "keyInvalid")
      ),
      (HTTPFixture.answer("403 Forbidden", "no"), .refused(status: 403, reason: "")),
      (HTTPFixture.answer("403 Forbidden", limited), .tooMany(seconds: 3600)),
      (HTTPFixture.answer("429 Slow", "", "Retry-After: 7\r\n"), .tooMany(seconds: 7)),
      (HTTPFixture.answer("429 Slow", "", "Retry-After: soon\r\n"), .tooMany(seconds: 3600)),
      (HTTPFixture.answer("429 Slow", "", "Retry-After: 1e9\r\n"), .tooMany(seconds: 86_400)),
      (HTTPFixture.answer("503 Busy", "", "Retry-After: 5\r\n"), .tooMany(seconds: 5)),
      (HTTPFixture.answer("500 Broken", ""), .outOfOrder(status: 500)),
    ]
    for (answer, kind) in cases { #expect(try Self.fault(answer) == kind) }
  }

  @Test("a redirection is not followed: another server would get the access points")
  func redirection() throws {
    let other = try HTTPFixture(answering: Self.found)
    let headers = "Location: \(other.address)/v1/geolocate\r\n"
    let kind = try Self.fault(HTTPFixture.answer("307 Temporary Redirect", "", headers))
    #expect(kind == .refused(status: 307, reason: ""))
    #expect(other.requests.all.isEmpty)
  }

  @Test("an invalid, impossible, IP-based or endless answer is refused")
  func badAnswers() throws {
    func isBad(_ body: String) throws -> Bool {
      guard case .badAnswer = try Self.fault(HTTPFixture.answer("200 OK", body)) else {
        return false
      }
      return true
    }
    let bodies = [
      "", "[]", "null", #"{"location":{}}"#, #"{"location":{"lat":1,"lng":2}}"#,
      #"{"location":{"lat":"1","lng":2},"accuracy":3}"#,
      #"{"location":{"lat":91,"lng":2},"accuracy":3}"#,
      #"{"location":{"lat":1,"lng":181},"accuracy":3}"#,
      #"{"location":{"lat":1,"lng":2},"accuracy":0}"#,
      #"{"location":{"lat":1,"lng":2},"accuracy":-5}"#,
      #"{"location":{"lat":1,"lng":2},"accuracy":1e300}"#,
      String(repeating: " ", count: 70_000),
    ]
    for body in bodies { #expect(try isBad(body), "\(body.prefix(60))") }
    let byAddress = #"{"location":{"lat":51,"lng":0},"accuracy":600000,"fallback":"ipf"}"#
    #expect(try Self.fault(HTTPFixture.answer("200 OK", byAddress)) == .notFound)
  }

  @Test("no server, a silent server, and an answer that is not HTTP")
  func unreachable() throws {
    func isUnreachable(_ kind: WiFiError.Kind?) -> Bool {
      if case .unreachable = kind { return true }
      return false
    }
    var absent = try WiFiConfiguration("http://127.0.0.1:1/v1/geolocate")
    absent.timeoutSeconds = 5
    #expect(isUnreachable(Self.fault(of: WiFiLocator(absent, source: Self.scan))))
    let silent = try ScriptedServer { client, _ in _ = client.pause(30) }
    var configuration = try WiFiConfiguration("http://127.0.0.1:\(silent.port)/")
    configuration.timeoutSeconds = 1
    #expect(isUnreachable(Self.fault(of: WiFiLocator(configuration, source: Self.scan))))
    silent.stop()
    let kind = try Self.fault("SSH-2.0-OpenSSH_9.2\r\n")
    #expect(kind != nil)
  }

  @Test("errors name the remedy")
  func descriptions() {
    #expect(WiFiError(.tooFew(1)).description.contains("needs 2"))
    #expect(WiFiError(.noScanner).description.contains("systemctl start NetworkManager"))
  }
}
