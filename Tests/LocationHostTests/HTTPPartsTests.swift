import Pipeline
import Quantities
import Servers
import Storage
import Testing

@Suite("The parts of the HTTP server", .timeLimit(.minutes(30)))
struct HTTPPartsTests {
  private static let browsers = BrowserGuard(names: ["boat.example"], hostName: "Pi4")

  @Test(
    "a request by an address, a name of this machine or a configured one is allowed",
    arguments: [
      "127.0.0.1", "127.0.0.1:8090", "192.168.1.7:8090", "[::1]:8090", "[2001:db8::7]",
      "localhost:8090", "LOCALHOST", "pi4:8090", "pi4.local", "boat.example",
      "boat.example.:443",
    ])
  func allowed(_ host: String) {
    #expect(Self.browsers.fault(host: host, origin: nil) == nil)
    #expect(Self.browsers.fault(host: host, origin: "http://\(host)") == nil)
  }

  @Test(
    "a request by a foreign name for this machine's address is refused",
    arguments: [
      "evil.example", "evil.example:8090", "127.0.0.1.evil.example", "pi4.evil.example", "local",
      "evil.local", "pi4-2.local:8090", "pi4.local.evil", "pi4.evil.local",
      "", "[evil]", "boat.example.evil",
    ])
  func rebinding(_ host: String) {
    #expect(Self.browsers.fault(host: host, origin: nil)?.contains("http-names") == true)
  }

  @Test("a request of a page of another origin is refused, also of another port")
  func origins() {
    let fault = { Self.browsers.fault(host: $0, origin: $1) }
    #expect(fault("boat.example", "https://boat.example") == nil)
    #expect(fault("boat.example:443", "https://boat.example") == nil)
    #expect(fault("boat.example", "http://boat.example:80") == nil)
    #expect(fault("127.0.0.1:3000", "ws://127.0.0.1:3000") == nil)
    for origin in [
      "http://evil.example", "null", "", "http://boat.example:8091", "https://boat.example",
      "ftp://boat.example", "ws://evil.example", "http://boat.example/path",
      "http://user@boat.example",
    ] {
      #expect(fault("boat.example:8090", origin) != nil, "\(origin)")
    }
    #expect(fault(nil, nil) == nil && fault(nil, "http://boat.example") != nil)
  }

  /// The macro `#expect` takes no mutating calls.
  private final class Attempts {
    private var limit = AttemptLimit()
    func admits(_ address: String, _ now: Timestamp) -> Bool { limit.admits(address, at: now) }
    func fail(_ address: String, _ now: Timestamp) { limit.recordFailure(address, at: now) }
  }

  @Test("ten wrong codes of an address are answered a minute, and those of others meanwhile")
  func attempts() {
    let limit = Attempts()
    let start = Timestamp(nanoseconds: 5_000_000_000)
    for _ in 0..<10 {
      #expect(limit.admits("a", start))
      limit.fail("a", start)
    }
    let later = start.advanced(bySeconds: 59)
    #expect(!limit.admits("a", later) && limit.admits("b", later))
    #expect(limit.admits("a", start.advanced(bySeconds: 61)))
  }

  @Test("the addresses with wrong codes are limited, and free places again after a minute")
  func addresses() {
    let limit = Attempts()
    let start = Timestamp(nanoseconds: 5_000_000_000)
    for number in 0..<AttemptLimit.mostAddresses {
      #expect(limit.admits("\(number)", start))
      limit.fail("\(number)", start)
    }
    #expect(!limit.admits("new", start) && limit.admits("0", start))
    #expect(limit.admits("new", start.advanced(bySeconds: 61)))
  }

  @Test("a link has this machine's addresses in its networks, an IPv6 address in brackets")
  func links() {
    let link = { (host: String) in
      PageLink(to: ServedAddress(host: host, port: 8090), code: "c") { isIPv6 in
        isIPv6 ? ["2001:db8::7"] : ["192.168.1.7", "10.42.0.1"]
      }
    }
    #expect(link("localhost").links == ["http://localhost:8090/#code=c"] && link("::1").isLocal)
    #expect(
      link("0.0.0.0").links == ["http://192.168.1.7:8090/#code=c", "http://10.42.0.1:8090/#code=c"])
    #expect(link("::").links.last == "http://[2001:db8::7]:8090/#code=c" && !link("::").isLocal)
    #expect(link("fd00::1").links == ["http://[fd00::1]:8090/#code=c"])
    let none = PageLink(to: ServedAddress(host: "0.0.0.0", port: 80), code: "c") { _ in [] }
    #expect(none.links.count == 1 && none.links[0].hasSuffix(":80/#code=c"))
    #expect(
      PageLink(to: "https://boat.example", code: "c").links == ["https://boat.example/#code=c"])
  }

  // MARK: The calibration's phases

  private static func inUse(_ hardIron: Double, _ quality: CalibrationState) -> CalibrationInUse {
    CalibrationInUse(
      MagnetometerCalibration(
        softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(hardIron, 0, 0)),
        quality: quality))
  }

  private final class Followed {
    private var follower = CalibrationFollower()
    var isRunning: Bool { follower.isRunning }
    func receive(_ notice: String) { follower.receive(notice) }
    func recordEnd(reason: String? = nil) { follower.recordEnd(reason: reason) }
    func setSaving(_ isSaving: Bool) { follower.setSaving(isSaving) }
    func update(
      _ standing: CalibrationStanding?, _ inUse: CalibrationInUse?
    ) -> CalibrationFollower.Phase { follower.update(standing, inUse) }
  }

  private static let (old, new) = (inUse(1, .poor), inUse(2, .good))
  private static let done = CalibrationStanding.calibrated(residualMicrotesla: nil)

  @Test("a session that ends with a good calibration is saved once")
  func saved() {
    let follower = Followed()
    #expect(follower.update(.uncalibrated, Self.old) == .idle)
    #expect(follower.update(.collecting(progress: 0), Self.old) == .collecting(progress: 0))
    // The calibration is in use before it is stored.
    #expect(follower.update(.collecting(progress: 1), Self.new) == .collecting(progress: 1))
    #expect(follower.update(Self.done, Self.new) == .saved(notice: nil))
    #expect(follower.update(Self.done, Self.new) == .idle)
  }

  @Test("a calibration that could not be stored is reported with the reason")
  func notKept() {
    let follower = Followed()
    let notice = "\(CalibrationFault.notKept("the disk is full"))"
    follower.receive(notice)
    _ = follower.update(.collecting(progress: 1), Self.old)
    follower.receive("a sentence about something else")
    follower.receive(notice)
    #expect(follower.update(Self.done, Self.new) == .saved(notice: notice))
  }

  @Test("a session that is cancelled, or ends without a good calibration, is not saved")
  func cancelled() {
    let follower = Followed()
    _ = follower.update(.collecting(progress: 1), Self.old)
    follower.recordEnd()
    #expect(follower.update(Self.done, Self.new) == .idle)
    _ = follower.update(.collecting(progress: 0.5), Self.old)
    #expect(follower.update(Self.done, Self.new) == .idle)
    _ = follower.update(.collecting(progress: 1), Self.new)
    #expect(follower.update(Self.done, Self.new) == .idle)
  }

  @Test("a fair calibration is saved where the user saves it")
  func fair() {
    let follower = Followed()
    let fair = Self.inUse(3, .fair)
    _ = follower.update(.collecting(progress: 0.9), Self.old)
    #expect(follower.update(Self.done, fair) == .idle)
    _ = follower.update(.collecting(progress: 0.9), Self.old)
    follower.setSaving(true)
    #expect(follower.update(Self.done, fair) == .saved(notice: nil))
    _ = follower.update(.collecting(progress: 0.9), Self.old)
    follower.setSaving(true)
    follower.setSaving(false)
    #expect(follower.update(Self.done, fair) == .idle)
  }

  @Test("a session that the server ends, or whose magnetometer is lost, fails with the reason")
  func failed() {
    let follower = Followed()
    _ = follower.update(.collecting(progress: 0.5), Self.old)
    follower.recordEnd(reason: "absent")
    #expect(follower.update(.uncalibrated, Self.old) == .failed(reason: "absent"))
    _ = follower.update(.collecting(progress: 0.5), Self.old)
    guard case .failed = follower.update(nil, nil) else {
      Issue.record("the loss of the magnetometer is no failure")
      return
    }
    #expect(follower.update(nil, nil) == .idle && !follower.isRunning)
  }
}
