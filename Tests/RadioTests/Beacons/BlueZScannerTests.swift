import Foundation
import LinuxIO
import Radio
import TestSupport
import Testing

/// With `MockBlueZ`, a mock made after BlueZ's documents and sources: tests that the scanner
/// conforms to them, not that they are right.
@Suite(
  "Scanning, against a mock of BlueZ",
  .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.absence)),
  .timeLimit(.minutes(30)))
struct BlueZScannerTests {
  private static let beacon = IBeaconAdvertisement(
    identity: BeaconIdentity(uuid: .test(1), major: 7, minor: 9), measuredPowerDBm: -61)
  private static let address = "C0:00:00:00:00:01"

  private static func fault(_ bus: String, rfkill: String = "/nonexistent") -> BeaconError.Kind? {
    do throws(BeaconError) {
      let connection = DBusConnection(DBusAddress(bus))
      _ = try BlueZScanner.adapter(over: connection, rfkill: rfkill)
      return nil
    } catch {
      return error.kind
    }
  }

  private static func start(
    _ bus: PrivateBus, _ purpose: BeaconScanPurpose
  ) -> (BlueZScanner, Collected<BeaconScanEvent>) {
    let scanner = BlueZScanner(DBusAddress(bus.address), rfkill: "/nonexistent")
    let events = Collected<BeaconScanEvent>()
    scanner.start(purpose) { events.add($0) }
    return (scanner, events)
  }

  private static func strengths(_ events: [BeaconScanEvent]) -> [Int?] {
    events.compactMap { event -> Int?? in
      if case .sighting(let sighting) = event { return .some(sighting.rssiDBm) }
      return nil
    }
  }

  private static func isListening(_ events: [BeaconScanEvent]) -> Bool {
    events.contains(.listening(adapter: "hci0"))
  }

  @Test("no bus, no daemon, no adapter, one that is off or blocked: each is distinguished")
  func unavailable() throws {
    #expect(Self.fault("unix:path=/nonexistent/bus") == .noBus)
    let bus = try PrivateBus()
    #expect(Self.fault(bus.address) == .noDaemon)
    let mock = try MockBlueZ(bus)
    #expect(Self.fault(bus.address) == .noAdapter)
    try mock.plugIn(powered: false, state: "off")
    #expect(Self.fault(bus.address) == .poweredOff("hci0"))
    // The kernel reports it, for a BlueZ that does not.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { do { try FileManager.default.removeItem(at: folder) } catch { _ = error } }
    let radio = folder.appendingPathComponent("rfkill3")
    try FileManager.default.createDirectory(at: radio, withIntermediateDirectories: true)
    for (file, text) in ["type": "bluetooth", "name": "hci0", "soft": "1", "hard": "0"] {
      try Data("\(text)\n".utf8).write(to: radio.appendingPathComponent(file))
    }
    #expect(Self.fault(bus.address, rfkill: folder.path) == .blocked("hci0"))
    try mock.unplug()
    try mock.plugIn(powered: false, state: "off-blocked")
    #expect(Self.fault(bus.address) == .blocked("hci0"))
    try mock.plugIn("/org/bluez/hci1", powered: true)
    #expect(Self.fault(bus.address) == nil)
  }

  @Test("the error of a user without access to BlueZ names the group")
  func noAccess() {
    let cause = DBusError(.accessDenied("Rejected send message"), bus: "system bus")
    let error = BeaconError(asking: cause)
    #expect(error.kind == .noAccess)
    #expect(error.description.contains("usermod -aG bluetooth"))
  }

  @Test("ranging reports every advertisement with its strength, also without a change")
  func ranging() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn()
    let (scanner, events) = Self.start(bus, .ranging)
    defer { scanner.stop() }
    #expect(events.wait(until: Self.isListening))
    let strengths = [-60, -60, -61, -75, -75]
    for rssi in strengths { try mock.advertise(Self.beacon, from: Self.address, rssi: rssi) }
    #expect(events.wait { Self.strengths($0).count >= strengths.count })
    #expect(Self.strengths(events.all) == strengths)
    guard case .sighting(let sighting) = events.all.last else {
      Issue.record("no sighting")
      return
    }
    #expect(sighting.identity == Self.beacon.identity)
    #expect(sighting.measuredPowerDBm == -61)
    #expect(mock.requests == ["SetDiscoveryFilter", "StartDiscovery"])
  }

  @Test("regions are watched passively where the daemon has monitors, at a constant strength too")
  func passive() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn(monitors: true)
    let (scanner, events) = Self.start(bus, .presence)
    defer { scanner.stop() }
    #expect(events.wait(until: Self.isListening))
    for _ in 0..<4 { try mock.advertise(Self.beacon, from: Self.address, rssi: -60) }
    try mock.advertise([0x10, 0x05, 1], 0x004C, from: "C0:00:00:00:00:02", rssi: -40)
    // The first with its strength; the others without.
    #expect(events.wait { Self.strengths($0).count >= 5 })
    #expect(Self.strengths(events.all) == [-60, nil, nil, nil, nil])
    #expect(mock.requests == ["RegisterMonitor"])
  }

  @Test("with monitors ranging discovers too, and an advertisement counts once")
  func both() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn(monitors: true)
    let (scanner, events) = Self.start(bus, .presence)
    defer { scanner.stop() }
    #expect(events.wait(until: Self.isListening))
    let again = Collected<BeaconScanEvent>()
    scanner.start(.ranging) { again.add($0) }
    let end = Date(timeIntervalSinceNow: 20)
    while !mock.requests.contains("StartDiscovery"), Date() < end { usleep(10_000) }
    // After the answer to StartDiscovery the scanner is ranging.
    for rssi in [-60, -61] { try mock.advertise(Self.beacon, from: Self.address, rssi: rssi) }
    try mock.advertise(Self.beacon, from: "C0:00:00:00:00:03", rssi: -99)
    #expect(again.wait { Self.strengths($0).contains(-99) })
    #expect(Self.strengths(again.all) == [-60, -61, -99])
    scanner.start(.presence) { again.add($0) }
    while !mock.requests.contains("StopDiscovery"), Date() < end { usleep(10_000) }
    #expect(
      mock.requests == [
        "RegisterMonitor", "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery",
      ])
  }

  @Test("with a daemon that refuses a monitor discovery is used")
  func refusedMonitor() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    mock.refuse("RegisterMonitor")
    try mock.plugIn(monitors: true)
    let (scanner, events) = Self.start(bus, .presence)
    defer { scanner.stop() }
    #expect(events.wait(until: Self.isListening))
    #expect(mock.requests == ["RegisterMonitor", "SetDiscoveryFilter", "StartDiscovery"])
  }

  @Test("the error of a refused scan names the adapter and BlueZ's message")
  func refusedDiscovery() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    mock.refuse("StartDiscovery")
    try mock.plugIn()
    let (scanner, events) = Self.start(bus, .ranging)
    defer { scanner.stop() }
    #expect(events.wait { !$0.isEmpty })
    guard case .unavailable(let error) = events.all.first else {
      Issue.record("\(events.all)")
      return
    }
    #expect(error.kind == .refused("hci0"))
    #expect(error.description.contains("org.bluez.Error.Failed"))
  }

  @Test("an adapter that is unplugged, switched off or plugged in is handled during a scan")
  func hotplug() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    let (scanner, events) = Self.start(bus, .ranging)
    defer { scanner.stop() }
    var expected: [BeaconScanEvent] = [.unavailable(BeaconError(.noAdapter))]
    func follows(_ event: BeaconScanEvent, _ step: () throws -> Void) throws {
      try step()
      expected.append(event)
      let whole = expected
      #expect(events.wait { $0.count >= whole.count })
      #expect(events.all == whole)
    }
    #expect(events.wait { !$0.isEmpty })
    let listening = BeaconScanEvent.listening(adapter: "hci0")
    try follows(listening) { try mock.plugIn() }
    try follows(.unavailable(BeaconError(.poweredOff("hci0")))) { try mock.power(false) }
    try follows(listening) { try mock.power(true) }
    try follows(.unavailable(BeaconError(.noAdapter))) { try mock.unplug() }
    try follows(listening) { try mock.plugIn() }
  }

  @Test("an adapter that is plugged in beside the one in use changes nothing")
  func secondAdapter() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn("/org/bluez/hci1")
    let (scanner, events) = Self.start(bus, .ranging)
    defer { scanner.stop() }
    #expect(events.wait { $0 == [.listening(adapter: "hci1")] })
    try mock.plugIn()
    try mock.advertise(Self.beacon, from: Self.address, rssi: -70, adapter: "/org/bluez/hci1")
    #expect(events.wait { !Self.strengths($0).isEmpty })
    #expect(!events.all.contains(.listening(adapter: "hci0")))
    #expect(mock.requests == ["SetDiscoveryFilter", "StartDiscovery"])
  }

  @Test("without a monitor discovery is restarted if known beacons are no longer reported")
  func renewal() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn()
    let (scanner, events) = Self.start(bus, .ranging)
    defer { scanner.stop() }
    #expect(events.wait(until: Self.isListening))
    try mock.advertise(Self.beacon, from: Self.address, rssi: -60)
    let whole = ["SetDiscoveryFilter", "StartDiscovery"]
    let end = Date(timeIntervalSinceNow: 20)
    while mock.requests.count < 5, Date() < end { usleep(10_000) }
    let expected: [String] = whole + ["StopDiscovery"] + whole
    #expect(mock.requests == expected)
    // No event: the scan was active all the time.
    #expect(events.all.filter { $0 == .listening(adapter: "hci0") }.count == 1)
  }

  @Test("the end of a daemon is reported, and the scan continues with the next one")
  func daemonRestarts() throws {
    let bus = try PrivateBus()
    var mock: MockBlueZ? = try MockBlueZ(bus)
    try mock?.plugIn(monitors: true)
    let (scanner, events) = Self.start(bus, .presence)
    defer { scanner.stop() }
    #expect(events.wait(until: Self.isListening))
    mock?.connection.close()
    mock = nil
    let isGone: ([BeaconScanEvent]) -> Bool = {
      guard case .unavailable(let error) = $0.last else { return false }
      return error.kind == .noDaemon
    }
    #expect(events.wait(until: isGone))
    let next = try MockBlueZ(bus)
    try next.plugIn(monitors: true)
    #expect(events.wait { $0.last == .listening(adapter: "hci0") })
    try next.advertise(Self.beacon, from: Self.address, rssi: -70)
    #expect(events.wait { !Self.strengths($0).isEmpty })
  }

  @Test("a stop ends BlueZ's scan and monitor, and nothing is delivered afterwards")
  func stopping() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn(monitors: true)
    let (scanner, events) = Self.start(bus, .ranging)
    #expect(events.wait(until: Self.isListening))
    scanner.stop()
    let count = events.all.count
    let end = Date(timeIntervalSinceNow: 20)
    while !mock.requests.contains("UnregisterMonitor"), Date() < end { usleep(10_000) }
    #expect(mock.requests.suffix(2) == ["StopDiscovery", "UnregisterMonitor"])
    try mock.advertise(Self.beacon, from: Self.address, rssi: -70)
    _ = try mock.connection.managedObjects(of: "org.bluez")
    #expect(events.all.count == count)
  }

  @Test("properties of wrong types and beacons with changing contents cause no failure")
  func oddProperties() throws {
    let bus = try PrivateBus()
    let mock = try MockBlueZ(bus)
    try mock.plugIn()
    let (scanner, events) = Self.start(bus, .ranging)
    defer { scanner.stop() }
    #expect(events.wait(until: Self.isListening))
    try mock.advertise(Self.beacon, from: Self.address, rssi: -60)
    let path = "/org/bluez/hci0/dev_C0_00_00_00_00_01"
    let odd: [[String: DBusValue]] = [
      ["RSSI": .string("loud")], ["ManufacturerData": .byte(1)], ["RSSI": .int16(-50)],
      ["ManufacturerData": .dictionary(key: "s", value: "v", [])], ["RSSI": .int64(.max)],
    ]
    for changes in odd { try mock.tree.change(changes, of: "org.bluez.Device1", at: path) }
    // A device of another adapter, whose name begins alike.
    try mock.advertise(
      Self.beacon, from: "C0:00:00:00:00:05", rssi: -33, adapter: "/org/bluez/hci01")
    try mock.advertise(Self.beacon, from: "C0:00:00:00:00:06", rssi: -70)
    #expect(events.wait { Self.strengths($0).count >= 2 })
    #expect(Self.strengths(events.all) == [-60, -70])
  }
}
