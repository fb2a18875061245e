import Quantities

/// A measurement of a motion sensor in ESF-MEAS or ESF-RAW: three bytes and a type.
/// - Source: u-blox M8 receiver description UBX-13003221, "ESF measurement data", by two decoders
///   that quote it, ublox-rs (types) and a Python one (scales 2^-12 deg/s, 2^-10 m/s², 1e-2 °C,
///   1e-3 m/s).
public enum SensorReading: Equatable, Sendable {
  /// An axis of the sensor unit, or of the vehicle where the receiver knows the mounting angles.
  public enum Axis: Sendable {
    /// The first.
    case x
    /// The second.
    case y
    /// The third.
    case z
  }

  /// The wheel of a tick counter.
  public enum Wheel: Sendable {
    /// Front left wheel.
    case frontLeft
    /// Front right wheel.
    case frontRight
    /// Rear left wheel.
    case rearLeft
    /// Rear right wheel.
    case rearRight
    /// A shaft: one count for the whole vehicle.
    case single
  }

  /// Angular rate about an axis, from a gyroscope.
  case angularRate(Axis, AngularSpeed)
  /// Specific force along an axis, from an accelerometer.
  case specificForce(Axis, metresPerSecondSquared: Double)
  /// The gyroscope's temperature.
  case temperature(celsius: Double)
  /// A count that only increases and overflows at 23 bits.
  case wheelTicks(Wheel, count: UInt32, isBackwards: Bool)
  /// A speed; negative backwards.
  case speed(metresPerSecond: Double)
  /// Another type and its 24 bits.
  case other(type: UInt8, data: UInt32)

  init(type: UInt8, data: UInt32) {
    switch type {
    case 5: self = Self.rate(.z, data)
    case 13: self = Self.rate(.y, data)
    case 14: self = Self.rate(.x, data)
    case 6: self = Self.ticks(.frontLeft, data)
    case 7: self = Self.ticks(.frontRight, data)
    case 8: self = Self.ticks(.rearLeft, data)
    case 9: self = Self.ticks(.rearRight, data)
    case 10: self = Self.ticks(.single, data)
    case 11: self = .speed(metresPerSecond: Self.signed(data) / 1e3)
    case 12: self = .temperature(celsius: Self.signed(data) / 1e2)
    case 16: self = Self.force(.x, data)
    case 17: self = Self.force(.y, data)
    case 18: self = Self.force(.z, data)
    default: self = .other(type: type, data: data)
    }
  }

  private static func rate(_ axis: Axis, _ data: UInt32) -> SensorReading {
    let degreesPerSecond = signed(data) / 4096
    return .angularRate(
      axis, AngularSpeed(radiansPerSecond: Angle(degrees: degreesPerSecond).radians))
  }

  private static func force(_ axis: Axis, _ data: UInt32) -> SensorReading {
    .specificForce(axis, metresPerSecondSquared: signed(data) / 1024)
  }

  private static func ticks(_ wheel: Wheel, _ data: UInt32) -> SensorReading {
    .wheelTicks(wheel, count: data & 0x7F_FFFF, isBackwards: data.bit(23))
  }

  /// Two's complement of 24 bits.
  private static func signed(_ data: UInt32) -> Double {
    Double(Int32(bitPattern: data << 8) >> 8)
  }
}
