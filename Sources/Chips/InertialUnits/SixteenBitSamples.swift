import Quantities

/// Where a sample has its angular rate and specific force, each x, y, z with 16 bits.
package struct SixteenBitLayout: Sendable {
  /// The first byte of the angular rate.
  let rate: Int
  /// The first byte of the specific force.
  let force: Int
  /// Whether the high byte of an axis is first.
  let isBigEndian: Bool

  func axes(_ bytes: RegisterBytes, at index: Int) -> RawAxes {
    isBigEndian
      ? RawAxes(bigEndian: bytes, at: index) : RawAxes(littleEndian: bytes, at: index)
  }
}

/// An inertial unit whose samples have both quantities in 16 bits, always at the same places.
package protocol SixteenBitSamples {
  associatedtype GyroscopeRange: AngularRateRange
  associatedtype AccelerometerRange: UniformForceRange

  var gyroscope: GyroscopeRange { get }
  var accelerometer: AccelerometerRange { get }
  /// A sample as it lies in the FIFO.
  static var layout: SixteenBitLayout { get }
}

extension SixteenBitSamples {
  /// The reading of a sample as it lies in the FIFO, with the ranges that were set.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, gyroscope: GyroscopeRange,
    accelerometer: AccelerometerRange
  ) -> InertialReading {
    InertialReading(
      rate: layout.axes(bytes, at: index + layout.rate), gyroscope,
      force: layout.axes(bytes, at: index + layout.force), accelerometer)
  }

  /// The reading of a sample of the FIFO.
  func reading(_ bytes: RegisterBytes, at index: Int) -> InertialReading {
    Self.decode(bytes, at: index, gyroscope: gyroscope, accelerometer: accelerometer)
  }
}
