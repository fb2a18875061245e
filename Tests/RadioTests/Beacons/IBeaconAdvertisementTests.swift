import Foundation
import Radio
import TestSupport
import Testing

@Suite("iBeacon advertisements", .timeLimit(.minutes(30)))
struct IBeaconAdvertisementTests {
  private static let uuid = UUID(
    uuid: (
      0xB9, 0x40, 0x7F, 0x30, 0xF5, 0xF8, 0x46, 0x6E, 0xAF, 0xF9, 0x25, 0x55, 0x6B, 0x57, 0xFE,
      0x6D
    ))
  /// Manufacturer data by the layout of Apple's specification, written out by hand.
  private static let data: [UInt8] = [
    0x02, 0x15, 0xB9, 0x40, 0x7F, 0x30, 0xF5, 0xF8, 0x46, 0x6E, 0xAF, 0xF9, 0x25, 0x55, 0x6B, 0x57,
    0xFE, 0x6D, 0x12, 0x34, 0xFE, 0xDC, 0xC5,
  ]

  @Test("manufacturer data is read by Apple's layout: major and minor big-endian, power signed")
  func layout() {
    let beacon = IBeaconAdvertisement(manufacturerData: Self.data, company: 0x004C)
    let identity = BeaconIdentity(uuid: Self.uuid, major: 0x1234, minor: 0xFEDC)
    #expect(beacon == IBeaconAdvertisement(identity: identity, measuredPowerDBm: -59))
  }

  @Test("an advertisement's payload is 25 bytes and decodes to the same values")
  func payload() {
    let beacon = IBeaconAdvertisement(manufacturerData: Self.data, company: 0x004C)
    #expect(beacon?.payload == [0x4C, 0x00] + Self.data)
    #expect(beacon?.payload.count == 25)
    #expect(beacon?.beaconData == Array(Self.data.dropFirst(2)))
    #expect(beacon?.manufacturerData == Self.data)
  }

  @Test("another company, another type, another length and any truncation are not an iBeacon")
  func foreign() {
    #expect(IBeaconAdvertisement(manufacturerData: Self.data, company: 0x4C00) == nil)
    for count in 0..<Self.data.count {
      #expect(
        IBeaconAdvertisement(manufacturerData: Self.data.prefix(count), company: 0x004C) == nil)
    }
    for index in 0..<2 {
      var wrong = Self.data
      wrong[index] ^= 1
      #expect(IBeaconAdvertisement(manufacturerData: wrong, company: 0x004C) == nil)
    }
    // Further bytes of another message are ignored.
    let longer = IBeaconAdvertisement(manufacturerData: Self.data + [1, 2], company: 0x004C)
    #expect(longer?.manufacturerData == Self.data)
  }

  @Test("any accepted bytes are encoded as they were decoded")
  func random() {
    var generator = SeededGenerator(seed: 7)
    var accepted = 0
    for round in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if round.isMultiple(of: 2) { bytes = [0x02, 0x15] + bytes }
      guard let beacon = IBeaconAdvertisement(manufacturerData: bytes, company: 0x004C) else {
        continue
      }
      accepted += 1
      #expect(beacon.manufacturerData == Array(bytes.prefix(23)))
    }
    #expect(accepted > 1000)
  }

  @Test("a constraint without numbers matches all")
  func constraint() {
    let identity = BeaconIdentity(uuid: Self.uuid, major: 1, minor: 2)
    let other = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    #expect(BeaconConstraint(uuid: Self.uuid).contains(identity))
    #expect(BeaconConstraint(uuid: Self.uuid, major: 1).contains(identity))
    #expect(BeaconConstraint(uuid: Self.uuid, major: 1, minor: 2).contains(identity))
    #expect(BeaconConstraint(uuid: Self.uuid, minor: 2).contains(identity))
    #expect(!BeaconConstraint(uuid: Self.uuid, major: 2).contains(identity))
    #expect(!BeaconConstraint(uuid: Self.uuid, major: 1, minor: 1).contains(identity))
    #expect(!BeaconConstraint(uuid: other).contains(identity))
  }
}
