import Foundation
import Quantities
import Radio

extension UUID {
  /// A UUID that differs by one number.
  static func test(_ number: UInt8) -> UUID {
    UUID(uuid: (0xA5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }
}

extension Timestamp {
  /// Seconds after an instant that is not the clock's zero.
  static func after(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_000_000_000_000 + UInt64(bounded: (seconds * 1e9).rounded()))
  }
}

extension BeaconSighting {
  /// A beacon of UUID 1 and group 1, -59 dBm at 1 m.
  static func test(_ minor: UInt16, _ rssi: Int?, at seconds: Double) -> BeaconSighting {
    BeaconSighting(
      BeaconIdentity(uuid: .test(1), major: 1, minor: minor), measuredPowerDBm: -59,
      rssiDBm: rssi, at: .after(seconds))
  }
}
