import Foundation
import LocationHost
import Monitoring
import Quantities
import Radio
import TestSupport
import Testing

@Suite("Beacon reports for monitoring", .timeLimit(.minutes(30)))
struct BeaconFeedTests {
  private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
  private static let any = BeaconPattern(uuid: uuid)
  private static let group = BeaconPattern(uuid: uuid, major: 1)
  private static let one = BeaconPattern(uuid: uuid, major: 1, minor: 7)

  @Test("a report contains its pattern and the received beacon")
  func identity() throws {
    let scanner = ScriptedScanner()
    let reports = Collected<BeaconReport>()
    let feed = BeaconFeed(beacons: scanner.service, reports: { reports.add($0) })
    feed.follow([Self.any, Self.group])
    try scanner.sendSighting(Self.one)
    #expect(reports.wait { $0.count == 2 })
    for pattern in [Self.any, Self.group] {
      #expect(
        reports.all.contains(BeaconReport(pattern: pattern, isPresent: true, heard: Self.one)))
    }
  }

  @Test("the last report is repeated for a new observer")
  func newcomer() throws {
    let scanner = ScriptedScanner()
    let reports = Collected<BeaconReport>()
    let feed = BeaconFeed(beacons: scanner.service, reports: { reports.add($0) })
    feed.follow([Self.any])
    try scanner.sendSighting(Self.one)
    #expect(reports.wait { $0.count == 1 })
    feed.follow([Self.any])
    #expect(reports.wait { $0.count == 2 })
    #expect(reports.all[0] == reports.all[1])
  }

  @Test("a scanner's error is reported once, and again after a beacon was received")
  func notices() throws {
    let scanner = ScriptedScanner()
    let (notices, reports) = (Collected<String>(), Collected<BeaconReport>())
    let feed = BeaconFeed(beacons: scanner.service, reports: { reports.add($0) })
    feed.onNotice { notices.add($0) }
    feed.follow([Self.any, Self.group])
    let error = BeaconError(.noAdapter)
    scanner.send(.unavailable(error))
    scanner.send(.unavailable(error))
    try scanner.sendSighting(Self.one)
    #expect(reports.wait { $0.count == 4 })
    #expect(reports.all.prefix(2).allSatisfy { $0.isUnavailable })
    #expect(notices.all == ["\(error)"])
    scanner.send(.unavailable(error))
    #expect(notices.wait { $0.count == 2 })
  }

  @Test("that beacons cannot be received is reported, and afterwards only what is received again")
  func unavailable() throws {
    let scanner = ScriptedScanner()
    let reports = Collected<BeaconReport>()
    let feed = BeaconFeed(beacons: scanner.service, reports: { reports.add($0) })
    feed.follow([Self.any])
    try scanner.sendSighting(Self.one)
    #expect(reports.wait { $0.count == 1 })
    scanner.send(.unavailable(BeaconError(.noAdapter)))
    #expect(reports.wait { $0.count == 2 })
    // For a condition that is added meanwhile.
    feed.follow([Self.any])
    #expect(reports.wait { $0.count == 3 })
    #expect(reports.all[1] == .unavailable(Self.any) && reports.all[2] == reports.all[1])
    scanner.send(.listening(adapter: "hci0"))
    try scanner.sendSighting(Self.one)
    #expect(reports.wait { $0.count == 4 })
    #expect(reports.all[3] == reports.all[0])
  }
}

/// A scanner that reports what a test sends.
private final class ScriptedScanner: BeaconScanner, @unchecked Sendable {
  private let lock = NSCondition()
  private var deliver: (@Sendable (BeaconScanEvent) -> Void)?

  var service: BeaconService { BeaconService(scanner: self) { () throws(BeaconError) in } }

  func start(
    _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
  ) {
    lock.withLock {
      self.deliver = deliver
      lock.broadcast()
    }
    deliver(.listening(adapter: "hci0"))
  }

  func stop() { lock.withLock { deliver = nil } }

  /// Sends an event after the scanner is started.
  func send(_ event: BeaconScanEvent) {
    let end = Date(timeIntervalSinceNow: 20)
    let body = lock.withLock {
      while deliver == nil, lock.wait(until: end) {}
      return deliver
    }
    body?(event)
  }

  func sendSighting(_ one: BeaconPattern) throws {
    let identity = BeaconIdentity(
      uuid: try #require(UUID(uuidString: one.uuid)), major: try #require(one.major),
      minor: try #require(one.minor))
    send(
      .sighting(
        BeaconSighting(
          identity, measuredPowerDBm: -59, rssiDBm: -60,
          at: Timestamp(nanoseconds: DispatchTime.now().uptimeNanoseconds))))
  }
}
