import Foundation
import LinuxIO
import LocationHost
import Quantities
import ReceiverProtocols
import ScriptedSource
import Servers
import TestSupport
import Testing

/// A bus of CAN frames in memory: a Unix socket that stands for the kernel's interface.
private final class TestBus {
  let path: String
  private let folder: TemporaryFolder
  private let listener: StreamListener
  private var device: StreamSocket?
  private var rest: [UInt8] = []

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/can"
    listener = try StreamListener(path: path, backlog: 4)
  }

  /// The frames that have arrived.
  func frames() throws -> [CANFrame] {
    if let other = try listener.accept() { device = other }
    guard let device else { return [] }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try device.read(into: &bytes)
    rest += bytes[..<count]
    var frames: [CANFrame] = []
    while rest.count >= CANFrame.size {
      let frame = rest.prefix(CANFrame.size).withUnsafeBytes { CANFrame(kernel: $0) }
      frames += [frame].compactMap { $0 }
      rest.removeFirst(CANFrame.size)
    }
    return frames
  }

  /// Sends a frame of another device.
  func send(_ header: MessageHeader, _ bytes: [UInt8]) throws {
    let frame = CANFrame(identifier: header.identifier, bytes)
    _ = try device?.write(frame.kernelBytes[...])
  }

  /// Ends the connection, as an interface that is removed.
  func close() { (device, rest) = (nil, []) }
}

@Suite("NMEA 2000", .timeLimit(.minutes(30)))
struct NMEA2000ServerTests {
  private static func estimate(_ number: Int) -> Estimate {
    var estimate = Estimate.fix(latitude: 54.5123, longitude: 10.25, at: Double(number + 1) * 0.1)
    estimate.magneticHeading = MagneticHeading(Angle(radians: 0.5))
    (estimate.headingState, estimate.positionState) = (.live, .live)
    return estimate
  }

  private func rig(_ bus: TestBus, policy: String = "") throws -> ServiceRig {
    try ServiceRig(policy: policy) {
      $0.nmea2000.interface = bus.path
    }
  }

  /// The newest message of each group that arrives while estimates are sent, until a condition
  /// holds.
  private func messages(
    _ rig: ServiceRig, _ bus: TestBus, estimate: ((Int) -> Estimate)? = estimate,
    until isEnough: ([PGN: PGNMessage]) -> Bool
  ) throws -> [PGN: PGNMessage] {
    var messages: [PGN: PGNMessage] = [:]
    var assembler = FastPacket.Assembler()
    for number in 0..<800 where !isEnough(messages) {
      if let estimate { rig.publisher.send(estimate(number)) }
      for frame in try bus.frames() {
        guard let pgn = PGN(rawValue: MessageHeader(frame.identifier).pgn) else { continue }
        let bytes = pgn.isFastPacket ? assembler.add(frame, at: MonotonicClock.now) : frame.bytes
        if let bytes { messages[pgn] = PGNMessage(pgn, bytes: bytes) }
      }
      usleep(20_000)
    }
    return messages
  }

  @Test("claims an address, then sends position and heading with the policy's accuracy")
  func values() throws {
    for isReduced in [false, true] {
      let bus = try TestBus()
      let rig = try rig(
        bus,
        policy: isReduced
          ? "applications:\n  org.lodestar.nmea2000: {authorization: always, accuracy: reduced}\n"
          : "")
      let known = try messages(rig, bus) {
        $0[.gnssPosition]?[.latitude] != nil && $0[.heading] != nil && $0[.heartbeat] != nil
      }
      #expect(known[.request] != nil && known[.addressClaim] != nil)
      #expect(abs((known[.heading]?[.heading] ?? 0) - 0.5) < 1e-9)
      let fix = try #require(known[.gnssPosition])
      let latitude = try #require(fix[.latitude])
      #expect((abs(latitude - 54.5123) < 1e-9) == !isReduced, "\(latitude)")
      #expect((fix[code: .integrity] == PGN.Code.caution) == isReduced)
      #expect((known[.position]?[.latitude] != nil) == !isReduced)
      #expect(rig.logged.all.contains { $0.contains("nmea2000: address 35 at") })
      rig.daemon.stop()
    }
  }

  @Test("a source that sends nothing more is not available on the bus, and its device has a fault")
  func silentSource() throws {
    let bus = try TestBus()
    let rig = try rig(bus)
    _ = try messages(rig, bus) { $0[.gnssPosition]?[.latitude] != nil }
    let lost = try messages(rig, bus, estimate: nil) {
      $0[.gnssPosition].map { $0[.latitude] == nil } ?? false
    }
    #expect(lost[.gnssPosition]?[code: .method] == PGN.Code.noGNSS)
    #expect(lost[.heading] != nil && lost[.heading]?[.heading] == nil)
    try bus.send(
      MessageHeader(priority: 6, pgn: PGN.request.rawValue, source: 9, destination: 35),
      [0x11, 0xF0, 0x01])
    let heartbeat = try messages(rig, bus, estimate: nil) { $0[.heartbeat] != nil }[.heartbeat]
    #expect(heartbeat?[code: .equipmentStatus] == PGN.Code.fault)
    rig.daemon.stop()
  }

  @Test("a server without access sends no value")
  func denied() throws {
    let bus = try TestBus()
    let rig = try rig(
      bus, policy: "applications:\n  org.lodestar.nmea2000: {authorization: denied}\n")
    var known = try messages(rig, bus) { $0[.heartbeat] != nil }
    // Estimates go on: what the turn of the first answer sends comes before the second answer.
    for pgn in [PGN.productInformation, .heartbeat] {
      let number = pgn.rawValue
      try bus.send(
        MessageHeader(priority: 6, pgn: PGN.request.rawValue, source: 9, destination: 35),
        [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16)])
      let answer = try messages(rig, bus) { $0[pgn] != nil }
      #expect(answer[pgn] != nil)
      known.merge(answer) { $1 }
    }
    #expect(known[.heading] == nil && known[.gnssPosition] == nil && known[.position] == nil)
    rig.daemon.stop()
  }

  @Test("another device with a lower NAME takes the address; requests are answered from the next")
  func contention() throws {
    let bus = try TestBus()
    let rig = try rig(bus)
    _ = try messages(rig, bus) { $0[.heading] != nil }
    try bus.send(
      MessageHeader(priority: 6, pgn: PGN.addressClaim.rawValue, source: 35),
      [1, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      eventually { rig.logged.all.contains { $0.contains("nmea2000: address 36 at") } })
    try bus.send(
      MessageHeader(priority: 6, pgn: PGN.request.rawValue, source: 9), [0x14, 0xF0, 0x01])
    let product = try messages(rig, bus) { $0[.productInformation] != nil }
    #expect(product[.productInformation]?[code: .version] == 2100)
    rig.daemon.stop()
  }

  @Test("an interface that is lost or missing is tried again, with one warning")
  func lostInterface() throws {
    let bus = try TestBus()
    let rig = try rig(bus)
    _ = try messages(rig, bus) { $0[.heading] != nil }
    bus.close()
    let again = try messages(rig, bus) { $0[.heading] != nil }
    #expect(again[.addressClaim] != nil)
    rig.daemon.stop()
    let missing = try ServiceRig { $0.nmea2000.interface = "no-such-can" }
    let reason =
      "nmea2000: nmea2000-interface no-such-can: no such CAN interface; check the overlay"
    func warnings() -> Int { missing.logged.all.filter { $0.hasPrefix("<4>" + reason) }.count }
    #expect(eventually { warnings() == 1 })
    // Estimates do not hasten the next attempt, and it is no second warning.
    for number in 0..<50 {
      missing.publisher.send(Self.estimate(number))
      usleep(30_000)
    }
    #expect(warnings() == 1)
    missing.daemon.stop()
  }

  @Test("keys that are not allowed are refused")
  func keys() {
    for (key, text) in [
      ("nmea2000-interface", "a/b"), ("nmea2000-interface", "can0 up"), ("nmea2000-interface", ""),
      ("nmea2000-interface", "a-name-of-16-byt"), ("nmea2000-address", "252"),
      ("nmea2000-address", "-1"),
    ] { #expect(ServeKey.fault(of: text, for: key) != nil, "\(key): \(text)") }
    for (key, text) in [
      ("nmea2000-interface", "can0"), ("nmea2000-interface", "vcan0"), ("nmea2000-address", "0"),
    ] { #expect(ServeKey.fault(of: text, for: key) == nil, "\(key): \(text)") }
  }
}
