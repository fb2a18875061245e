import Board
import Configuration
import Formats
import LinuxIO
import Quantities
import Testing

/// A gpsd session with the test's clock.
@Suite("A gpsd session", .timeLimit(.minutes(30)))
struct GPSDSessionTests {
  private struct Talk {
    var session: GPSDSession
    var rows: [SensorSamples] = []
    var seconds = 100.0
    var now: Timestamp { Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)) }

    init(_ address: GPSDAddress = GPSDAddress()) {
      session = GPSDSession(address: address, startedAt: Timestamp(nanoseconds: 100_000_000_000))
    }

    mutating func receive(_ line: String) {
      let now = self.now
      Array((line + "\r\n").utf8).withUnsafeBytes { bytes in
        session.push(bytes, at: now) { rows.append($0) }
      }
    }
    mutating func request() -> String? { session.request(at: now)?.description }
    var fault: String? { session.fault(at: now)?.description }
  }

  private static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  private static let fix =
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-06-01T12:00:00Z","lat":57.5,"lon":11.5}"#

  @Test("requests reports after the daemon's version, in a line that the daemon accepts")
  func watch() {
    var talk = Talk()
    #expect(talk.request() == nil)
    talk.receive(Self.version)
    let request = talk.request()
    #expect(request?.hasPrefix("?WATCH={") == true && (request?.count ?? 99) <= 80)
    #expect(talk.request() == nil)
    var mute = Talk()
    mute.seconds += 2
    #expect(mute.request()?.hasPrefix("?WATCH=") == true)
  }

  @Test("a report becomes a row with the daemon's fix and its source")
  func rows() throws {
    var talk = Talk(GPSDAddress(host: "boat"))
    talk.receive(Self.version)
    #expect(talk.session.source == nil && !talk.session.hasReported)
    talk.receive(Self.fix)
    talk.receive(#"{"class":"ATT","device":"/dev/a","heading":90,"mheading":87}"#)
    try #require(talk.rows.count == 2)
    #expect(talk.rows[0].fix?.kind == .threeDimensional && talk.rows[0].timestamp == talk.now)
    #expect(talk.rows[1].heading?.true == TrueHeading(Angle(degrees: 90)))
    #expect(talk.rows[1].heading?.magnetic == MagneticHeading(Angle(degrees: 87)))
    #expect(talk.session.source == "gpsd://boat:2947/dev/a" && talk.fault == nil)
  }

  @Test("ten seconds of silence are reported; 30 s without an answer end the session")
  func silence() {
    var talk = Talk()
    talk.receive(Self.version)
    _ = talk.request()
    talk.receive(Self.fix)
    talk.seconds += 4.9
    #expect(talk.request() == nil)
    talk.seconds += 5
    #expect(talk.fault == nil && talk.request() == "?DEVICES;\n")
    talk.seconds += 0.1
    #expect(talk.fault?.contains("no data for 10 s") == true)
    #expect(talk.request() == nil && !talk.session.isDead(at: talk.now))
    talk.seconds += 20
    #expect(talk.session.isDead(at: talk.now))
    // The daemon answers, but its receiver is silent.
    talk.receive(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#)
    #expect(!talk.session.isDead(at: talk.now))
    #expect(
      talk.fault?.contains("gpsd answers, but no receiver of it has sent a report for 30") == true)
    talk.receive(Self.fix.replacing("12:00:00", with: "12:00:31"))
    #expect(talk.fault == nil)
  }

  @Test("a daemon without receivers, or without the requested one, is reported with the remedy")
  func devices() {
    var talk = Talk(GPSDAddress(device: "/dev/b"))
    talk.receive(Self.version)
    #expect(talk.fault == nil)
    talk.receive(#"{"class":"DEVICES","devices":[]}"#)
    #expect(talk.fault?.contains("gpsdctl add") == true)
    talk.receive(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#)
    #expect(talk.fault?.contains("gpsd has no /dev/b, it has /dev/a") == true)
    talk.receive(Self.fix)
    #expect(talk.rows.isEmpty)
    talk.receive(#"{"class":"DEVICE","path":"/dev/b","activated":"2026-06-01T12:00:00Z"}"#)
    #expect(talk.fault == nil)
    talk.receive(Self.fix.replacing("/dev/a", with: "/dev/b"))
    #expect(talk.rows.count == 1)
  }

  @Test("texts of the daemon are shown short and without control characters")
  func hostileTexts() {
    var talk = Talk(GPSDAddress(device: "/dev/b"))
    let long = #"\u001b[2J"# + String(repeating: "x", count: 5000)
    talk.receive(
      Self.version.replacing("\"proto_major\":3", with: "\"proto_major\":4"))
    talk.receive(#"{"class":"ERROR","message":"\#(long)"}"#)
    let paths = (0..<100).map { #"{"class":"DEVICE","path":"/dev/\u001b[31m\#($0)"}"# }
    talk.receive(#"{"class":"DEVICES","devices":[\#(paths.joined(separator: ","))]}"#)
    let shown = talk.session.removeNotices() + [talk.fault].compactMap { $0 }
    #expect(shown.count >= 2, "\(shown)")
    for text in shown {
      #expect(text.count < 1200 && !text.unicodeScalars.contains { $0.value < 0x20 }, "\(text)")
    }
  }

  @Test("another protocol version causes a warning; the daemon's errors are reported")
  func notices() {
    var talk = Talk()
    talk.receive(Self.version.replacing("\"proto_major\":3", with: "\"proto_major\":4"))
    talk.receive(#"{"class":"ERROR","message":"Can't open /dev/a"}"#)
    talk.receive(Self.fix)
    let notices = talk.session.removeNotices()
    #expect(notices.count == 2 && talk.rows.count == 1)
    #expect(notices.first?.contains("protocol 4, this program 3") == true)
    #expect(notices.last?.contains("gpsd says: Can't open /dev/a") == true)
    #expect(talk.session.removeNotices().isEmpty)
  }

  @Test("waits 1, 2, 4, … 30 s, and 1 s again after an answer")
  func delays() {
    var delay = RetryDelay()
    #expect((0..<7).map { _ in delay.next() } == [1, 2, 4, 8, 16, 30, 30])
    delay.reset()
    #expect(delay.next() == 1)
  }
}
