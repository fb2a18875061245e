import Quantities
import RealModule

extension UBXMessageName {
  static var initialAid: Self { Self(0x13, 0x40) }
  static var aidAcknowledged: Self { Self(0x13, 0x60) }
  static var database: Self { Self(0x13, 0x80) }
  static var uniqueID: Self { Self(0x27, 0x03) }
  static var expertNavigation: Self { Self(0x06, 0x23) }
}

extension UBXConfigurationKey {
  /// CFG-NAVSPG-ACKAIDING: whether assistance messages are acknowledged.
  static var acknowledgesAid: Self { Self(number: 0x1011_0025) }
  /// CFG-ANA-USE_ANA: whether the receiver predicts orbits (AssistNow Autonomous).
  static var predictsOrbits: Self { Self(number: 0x1023_0001) }
}

/// Assistance of a starting receiver.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, 5.12 (MGA) and 5.9.15 (CFG-NAVX5);
///   pyubx2 1.4.0, whose encoder the tests compare with.
extension UBXCommand {
  /// SEC-UNIQID: polls the number of the receiver's chip.
  public static var uniqueIDPoll: UBXCommand { UBXCommand(.uniqueID) }

  /// MGA-DBD: polls the navigation database. The receiver answers with a message for each entry and
  /// an MGA-ACK with their number.
  public static var databasePoll: UBXCommand { UBXCommand(.database) }

  /// MGA-DBD: gives an entry back, as it was sent.
  public static func databaseEntry(_ payload: [UInt8]) -> UBXCommand {
    UBXCommand(.database, payload: payload)
  }

  /// MGA-INI-POS_LLH: the approximate place.
  /// - Parameters:
  ///   - position: The place.
  ///   - heightMetres: Its height above the WGS 84 ellipsoid.
  ///   - accuracyMetres: One sigma.
  /// - Returns: The command.
  public static func aid(
    _ position: GeodeticPosition, heightMetres: Double, accuracyMetres: Double
  ) -> UBXCommand {
    var payload: [UInt8] = [0x01, 0, 0, 0]
    payload.appendLittleEndian(signed(position.latitude.degrees * 1e7))
    payload.appendLittleEndian(signed(position.longitude.degrees * 1e7))
    payload.appendLittleEndian(signed(heightMetres * 100))
    payload.appendLittleEndian(UInt32(clamping: Int(bounded: (accuracyMetres * 100).rounded(.up))))
    return UBXCommand(.initialAid, payload: payload)
  }

  /// MGA-INI-TIME_UTC: the time at which the message is received.
  /// - Parameters:
  ///   - utc: The time.
  ///   - accuracySeconds: One sigma.
  ///   - leapSeconds: GPS time minus UTC; nil where it is not known.
  /// - Returns: The command; nil for a year that the message cannot state.
  public static func aid(
    _ utc: UTCTime, accuracySeconds: Double, leapSeconds: Int? = nil
  ) -> UBXCommand? {
    let date = utc.date
    guard (1980...2261).contains(date.year), accuracySeconds >= 0 else { return nil }
    let (seconds, nanoseconds) = utc.nanosecondsOfDay.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    // -128 is "not known".
    let leap = leapSeconds.flatMap { Int8(exactly: $0) } ?? -128
    var payload: [UInt8] = [0x10, 0, 0, UInt8(bitPattern: leap)]
    payload.appendLittleEndian(UInt16(truncatingIfNeeded: date.year))
    payload += [UInt8(truncatingIfNeeded: date.month), UInt8(truncatingIfNeeded: date.day)]
    payload += [
      UInt8(truncatingIfNeeded: seconds / 3600), UInt8(truncatingIfNeeded: seconds / 60 % 60),
      UInt8(truncatingIfNeeded: seconds % 60), 0,
    ]
    payload.appendLittleEndian(UInt32(truncatingIfNeeded: nanoseconds))
    let whole = min(accuracySeconds.rounded(.down), Double(UInt16.max))
    payload.appendLittleEndian(UInt16(clamping: Int(bounded: whole)))
    payload += [0, 0]
    let rest = min(max(0, accuracySeconds - whole), 0.999_999_999)
    payload.appendLittleEndian(UInt32(clamping: Int(bounded: (rest * 1e9).rounded(.up))))
    return UBXCommand(.initialAid, payload: payload)
  }

  /// CFG-NAVX5 of receivers without configuration keys: acknowledge assistance and predict orbits.
  /// Only the masked values are changed, in RAM.
  public static var assistanceSettings: UBXCommand {
    // Version, `ackAid` and `aop` of mask 1, `ackAiding` and `aopCfg`.
    let (length, version, mask, acknowledging, orbits) = (40, 0, 2, 17, 27)
    var payload = [UInt8](repeating: 0, count: length)
    payload[version] = 2
    payload[mask + 1] = 1 << 2 | 1 << 6
    (payload[acknowledging], payload[orbits]) = (1, 1)
    return UBXCommand(.expertNavigation, payload: payload)
  }

  private static func signed(_ value: Double) -> UInt32 {
    UInt32(bitPattern: Int32(clamping: Int(bounded: value.rounded())))
  }
}
