import EarthModel
import Quantities

/// An estimate as messages of GDL 90, the interface of ADS-B receivers to flight bags (ForeFlight,
/// SkyDemon, Garmin Pilot, EasyVFR).
///
/// The pressure altitude is the barometer's: in a pressurised cabin it is that of the cabin.
/// - Source: Garmin 560-1058-00 Rev A, "GDL 90 Data Interface Specification"; ForeFlight, "GDL 90
///   Extended Specification" (identity and attitude, message 0x65).
package struct GDL90Report: Sendable {
  /// The participant address of a device without one of its own (type 1, self-assigned).
  private static let address: [UInt8] = [0xF0, 0, 0]
  /// The category of an emitter: a light aircraft.
  private static let lightAircraft: UInt8 = 1
  private static let absent16: UInt16 = 0x7FFF

  private let estimate: Estimate
  private let pressureAltitudeMetres: Double?

  /// Makes the report of an estimate and of the newest pressure. For a simulation the report has no
  /// values, because the messages cannot be marked as simulated.
  package init(_ estimate: Estimate, pressure: PressureSample?) {
    self.estimate = estimate.isSimulated ? Estimate(timestamp: estimate.timestamp) : estimate
    pressureAltitudeMetres = (estimate.isSimulated ? nil : pressure).map {
      StandardAtmosphere.pressureAltitudeMetres(hectopascal: $0.hectopascal)
    }
  }

  /// True for a position measured by satellites now: not propagated, coarse or from a network.
  private var hasFix: Bool { estimate.position != nil && estimate.isPositionMeasured }

  /// The heartbeat, once a second, which says whether the position is valid.
  package var heartbeat: [UInt8] {
    let seconds = estimate.utc.map { Int($0.nanosecondsOfDay / 1_000_000_000) }
    let time = UInt32(truncatingIfNeeded: seconds ?? 0)
    let status: UInt8 = hasFix ? 0x81 : 0x01
    let clock: UInt8 = UInt8(truncatingIfNeeded: time >> 16) << 7
    var message: [UInt8] = [0, status, seconds == nil ? clock : clock | 1]
    message += [UInt8(truncatingIfNeeded: time), UInt8(truncatingIfNeeded: time >> 8), 0, 0]
    return Self.framed(message)
  }

  /// Name and capabilities for ForeFlight, once a second: the geometric altitude is above the
  /// ellipsoid.
  package static let identity: [UInt8] = {
    var message: [UInt8] = [0x65, 0, 1]
    message += [UInt8](repeating: 0xFF, count: 8)
    message += padded("Lodestar", 8)
    message += padded("Lodestar", 16)
    message += [0, 0, 0, 0]
    return framed(message)
  }()

  /// The own position, once a second. Without a valid position, latitude, longitude and NIC are 0,
  /// as the specification requires.
  package var ownship: [UInt8] {
    let place = hasFix ? estimate.position : nil
    let altitude = pressureAltitudeMetres.map { code($0 / 0.3048, step: 25, offset: 1000) }
    let speed = hasFix ? estimate.speedMetresPerSecond.map { $0 * 3600 / 1852 } : nil
    let knots = speed.map { UInt16(clamping: Int(bounded: $0.rounded())) }
    let climb = estimate.verticalSpeedMetresPerSecond.map {
      max(-510, min(510, Int(bounded: ($0 / 0.3048 * 60 / 64).rounded())))
    }
    let vertical = UInt16(truncatingIfNeeded: climb ?? 0x800) & 0xFFF
    let horizontal = knots.map { min($0, 0xFFE) } ?? 0xFFF
    let track = place == nil ? nil : estimate.course
    let heading = track == nil ? estimate.trueHeading?.angle : nil
    // Always airborne: a board does not know. The direction is a track or a true heading.
    let kind: UInt8 = 0x8 | (track != nil ? 1 : heading != nil ? 3 : 0)
    let high = altitude ?? 0xFFF
    var message: [UInt8] = [10, 0x01] + Self.address
    message += Self.angle(place?.latitude) + Self.angle(place?.longitude)
    message.append(UInt8(high >> 4))
    message.append(UInt8(high & 0xF) << 4 | kind)
    message.append(place == nil ? 0 : integrity << 4 | accuracy)
    message.append(UInt8(horizontal >> 4))
    message.append(UInt8(horizontal & 0xF) << 4 | UInt8(vertical >> 8))
    message.append(UInt8(vertical & 0xFF))
    message.append(Self.direction256(track ?? heading))
    message += [Self.lightAircraft] + Self.padded("LODESTAR", 8) + [0]
    return Self.framed(message)
  }

  /// The altitude above the ellipsoid; nil without one.
  package var geometricAltitude: [UInt8]? {
    guard hasFix, let metres = estimate.ellipsoidalAltitudeMetres else { return nil }
    let fives = Int16(clamping: Int(bounded: (metres / 0.3048 / 5).rounded()))
    // Two sigma: the figure of merit holds with 95 %.
    let merit = estimate.verticalAccuracyMetres.map {
      UInt16(clamping: Int(bounded: min($0 * 2, 32766).rounded(.up)))
    }
    return Self.framed([11] + Self.bytes(UInt16(bitPattern: fives)) + Self.bytes(merit ?? 0x7FFF))
  }

  /// ForeFlight's attitude, five times a second; unknown angles have the absent value.
  package var attitude: [UInt8] {
    let level = estimate.isLevelKnown ? estimate.attitude?.attitudeAngles : nil
    let direction: UInt16 =
      if let heading = estimate.trueHeading?.angle {
        Self.tenthsOfTurn(heading)
      } else if let heading = estimate.magneticHeading?.angle {
        0x8000 | Self.tenthsOfTurn(heading)
      } else {
        0xFFFF
      }
    var message: [UInt8] = [0x65, 1]
    for value in [Self.tenths(level?.roll), Self.tenths(level?.pitch), direction, 0xFFFF, 0xFFFF] {
      message += Self.bytes(value)
    }
    return Self.framed(message)
  }

  // MARK: Values

  /// The integrity category of the radius that holds the place with 95 %: the receiver states no
  /// radius of containment, so that it is never better than 8 (185 m).
  private var integrity: UInt8 {
    category([(185.2, 8), (370.4, 7), (1111.2, 6), (1852, 5)])
  }

  /// The accuracy category of the radius and, for the best three, of the height that hold with 95 %.
  private var accuracy: UInt8 {
    let vertical = estimate.verticalAccuracyMetres.map { $0 * 2 } ?? .infinity
    let heights: [(metres: Double, code: UInt8)] = [(4, 11), (15, 10), (45, 9)]
    let best = heights.first { vertical < $0.metres }?.code ?? 8
    let limits: [(metres: Double, code: UInt8)] = [
      (3, 11), (10, 10), (30, 9), (92.6, 8), (185.2, 7), (370.4, 6), (926, 5), (1852, 4),
    ]
    return min(category(limits), best)
  }

  private func category(_ limits: [(metres: Double, code: UInt8)]) -> UInt8 {
    // Two-dimensional: the accuracy holds with 68 %, 1.62 of it with 95 %.
    guard let radius = estimate.horizontalAccuracyMetres.map({ $0 * 1.62 }) else { return 0 }
    return limits.first { radius < $0.metres }?.code ?? 0
  }

  private func code(_ feet: Double, step: Double, offset: Double) -> UInt16 {
    let code = Int(bounded: ((feet + offset) / step).rounded())
    return (0...0xFFE).contains(code) ? UInt16(code) : 0xFFF
  }

  /// 24 bits for half a turn and its negative, high byte first.
  private static func angle(_ angle: Angle?) -> [UInt8] {
    let code = Int(bounded: ((angle?.degrees ?? 0) / 180 * 0x80_0000).rounded())
    let bits = UInt32(truncatingIfNeeded: min(code, 0x7F_FFFF))
    return [
      UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
      UInt8(truncatingIfNeeded: bits),
    ]
  }

  /// A direction in 256ths of a turn.
  private static func direction256(_ direction: Angle?) -> UInt8 {
    guard let direction else { return 0 }
    let share = direction.wrappedToTurn.degrees * 256 / 360
    return UInt8(truncatingIfNeeded: Int(bounded: share.rounded()))
  }

  private static func tenths(_ angle: Angle?) -> UInt16 {
    guard let degrees = angle?.degrees, abs(degrees) <= 180 else { return absent16 }
    return UInt16(bitPattern: Int16(clamping: Int(bounded: (degrees * 10).rounded())))
  }

  private static func tenthsOfTurn(_ direction: Angle) -> UInt16 {
    UInt16(clamping: Int(bounded: (direction.degreesBelowTurn(decimals: 1) * 10).rounded()))
  }

  private static func bytes(_ value: UInt16) -> [UInt8] {
    [UInt8(value >> 8), UInt8(value & 0xFF)]
  }

  private static func padded(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count))
    return bytes + [UInt8](repeating: UInt8(ascii: " "), count: count - bytes.count)
  }

  // MARK: Frames

  /// The message between flags, with its check and escaped flags.
  package static func framed(_ message: [UInt8]) -> [UInt8] {
    let check = crc(message)
    var frame: [UInt8] = [0x7E]
    for byte in message + [UInt8(check & 0xFF), UInt8(check >> 8)] {
      if byte == 0x7E || byte == 0x7D {
        frame += [0x7D, byte ^ 0x20]
      } else {
        frame.append(byte)
      }
    }
    frame.append(0x7E)
    return frame
  }

  /// CRC-16 with the polynomial 0x1021, from 0, as the specification computes it: a byte enters
  /// behind the register.
  private static func crc(_ message: [UInt8]) -> UInt16 {
    var crc: UInt16 = 0
    for byte in message {
      var high = crc & 0xFF00
      for _ in 0..<8 {
        let isSet = high & 0x8000 != 0
        high <<= 1
        if isSet { high ^= 0x1021 }
      }
      crc = high ^ (crc << 8) ^ UInt16(byte)
    }
    return crc
  }
}
