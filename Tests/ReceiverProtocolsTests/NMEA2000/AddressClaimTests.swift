import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Addresses of NMEA 2000", .timeLimit(.minutes(30)))
struct AddressClaimTests {
  private let name = DeviceName(machine: "machine".utf8)

  /// Another device's claim.
  private func claim(_ bits: UInt64, from source: UInt8) -> CANFrame {
    CANFrame(
      identifier: MessageHeader(priority: 6, pgn: 60_928, source: source).identifier,
      (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) })
  }

  private func claimed(_ preferred: UInt8 = 35) -> AddressClaim {
    var device = AddressClaim(name: name, preferred: preferred)
    _ = device.start(at: seconds(1))
    _ = device.advance(to: seconds(1.3))
    _ = device.advance(to: seconds(1.6))
    return device
  }

  /// The values are those of canboat 9.0.0's decoder for these bytes (PyPI `nmea2000`), see
  /// `Tests/Peers/nmea2000`.
  @Test("the NAME is that of a self-made GNSS device that can move to another address")
  func ownName() {
    #expect(name.manufacturer == 2046 && name.bits >> 63 == 1)
    #expect(name.bits >> 40 & 0xFF == 145 && name.bits >> 49 & 0x7F == 60)
    #expect(name.bits >> 60 & 7 == 4)
    #expect(DeviceName(machine: "other".utf8).uniqueNumber != name.uniqueNumber)
    let airmar = DeviceName(bits: 0xC078_8200_10E4_E819)
    #expect(airmar.uniqueNumber == 321_561 && airmar.manufacturer == 135)
  }

  @Test("the device asks, claims its preferred address, and has it after 250 ms")
  func begin() {
    var device = AddressClaim(name: name, preferred: 35)
    #expect(device.answer.isEmpty)
    #expect(device.start(at: seconds(1)) == canFrames("18EAFFFE#00EE00"))
    #expect(device.advance(to: seconds(1.2)).isEmpty && device.address == nil)
    let claims = device.advance(to: seconds(1.25))
    #expect(claims.map(\.identifier) == [0x18EE_FF23] && device.address == nil)
    #expect(claims == device.answer)
    #expect(device.deadline == seconds(1.5))
    #expect(device.advance(to: seconds(1.5)).isEmpty && device.address == 35)
  }

  @Test("addresses that were in use are not claimed")
  func free() {
    var device = AddressClaim(name: name, preferred: 250)
    _ = device.start(at: seconds(1))
    for address: UInt8 in [250, 251, 0] {
      _ = device.receive(claim(UInt64(address) + 1, from: address), at: seconds(1.1))
    }
    let claims = device.advance(to: seconds(1.25))
    #expect(claims.map { MessageHeader($0.identifier).source } == [1])
  }

  @Test("the device with the lower NAME has the address, also after the claim")
  func contention() {
    var device = claimed()
    let defence = device.receive(claim(name.bits + 1, from: 35), at: seconds(2))
    #expect(defence == device.answer && device.address == 35 && device.losses == 0)
    let escape = device.receive(claim(name.bits - 1, from: 35), at: seconds(3))
    #expect(escape.map { MessageHeader($0.identifier).source } == [36])
    #expect(device.address == nil && device.losses == 1)
    _ = device.advance(to: seconds(3.25))
    #expect(device.address == 36)
    #expect(device.receive(claim(1, from: 40), at: seconds(4)).isEmpty && device.address == 36)
  }

  @Test("without a free address the device sends its claim from 254 and nothing else")
  func none() {
    var device = claimed()
    for address in 0...AddressClaim.greatestAddress where address != 35 {
      _ = device.receive(claim(UInt64(address) + 1, from: address), at: seconds(2))
    }
    let failure = device.receive(claim(999, from: 35), at: seconds(2.1))
    #expect(failure.map { MessageHeader($0.identifier).source } == [254])
    #expect(device.hasFailed && device.address == nil && device.answer == failure)
  }

  @Test("of two devices with one preferred address both have one in the end", arguments: [1, 2, 3])
  func two(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var devices = (0..<6).map {
      AddressClaim(name: DeviceName(machine: "\(seed) \($0)".utf8), preferred: 35)
    }
    var bus: [(sender: Int, frame: CANFrame)] = []
    for step in 0..<200 {
      let now = seconds(1 + Double(step) * 0.05)
      for index in devices.indices {
        let new = step == 0 ? devices[index].start(at: now) : devices[index].advance(to: now)
        bus += new.map { (index, $0) }
      }
      while !bus.isEmpty {
        let (sender, frame) = bus.remove(at: Int(generator.next() % UInt64(bus.count)))
        for index in devices.indices where index != sender {
          bus += devices[index].receive(frame, at: now).map { (index, $0) }
        }
      }
    }
    #expect(Set(devices.compactMap(\.address)) == Set(35...40))
  }

  @Test("random claims never give two states at once", arguments: [1, 2, 3])
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var device = claimed()
    for step in 0..<20_000 {
      let now = seconds(2 + Double(step) * 0.01)
      let source = UInt8(truncatingIfNeeded: generator.next())
      let answer = device.receive(claim(generator.next(), from: source), at: now)
      #expect(answer.count <= 1)
      _ = device.advance(to: now)
      #expect(!(device.hasFailed && device.address != nil))
      #expect((device.address ?? 0) <= AddressClaim.greatestAddress)
    }
  }
}
