import Quantities

/// A chip's reading of one quantity at one instant.
public enum Reading<Value> {
  /// A measured value.
  case value(Value)
  /// The value where an axis is at the end of the chip's range: the quantity is as large or larger.
  case clipped(Value)
  /// The quantity is outside the chip's range, and nothing else is known of it.
  case saturated

  /// The measured value; nil where there is none.
  @inlinable
  public var value: Value? { if case .value(let value) = self { value } else { nil } }

  /// The measured value, or the end of the range: the filters recognise it by its size.
  @inlinable
  public var clippedValue: Value? {
    switch self {
    case .value(let value), .clipped(let value): value
    case .saturated: nil
    }
  }

  /// The same reading of another quantity.
  @inlinable
  public func map<Other>(_ transform: (Value) -> Other) -> Reading<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .clipped(let value): .clipped(transform(value))
    case .saturated: .saturated
    }
  }
}

extension Reading: Equatable where Value: Equatable {}
extension Reading: Sendable where Value: Sendable {}

/// One sample of an inertial unit, along the chip's own axes.
public struct InertialReading: Equatable, Sendable {
  /// The angular rate; nil where the unit has no gyroscope or nothing new.
  public var angularRate: Reading<AngularRate<SensorFrame>>?
  /// The specific force; nil where the unit has no accelerometer or nothing new.
  public var specificForce: Reading<SpecificForce<SensorFrame>>?
  /// The field, of a unit with a magnetometer; nil where it has nothing new.
  public var field: Reading<MagneticField<SensorFrame>>?
  /// The attitude that the unit's own firmware computes; nil where it has nothing new or nothing
  /// valid.
  public var attitude: ModuleAttitude?
  /// The instant of the measurement, where its source stamps samples; nil: the reader stamps it.
  public var timestamp: Timestamp?

  /// Makes a sample of what there is.
  @inlinable
  public init(
    angularRate: Reading<AngularRate<SensorFrame>>?,
    specificForce: Reading<SpecificForce<SensorFrame>>?,
    field: Reading<MagneticField<SensorFrame>>? = nil, attitude: ModuleAttitude? = nil,
    timestamp: Timestamp? = nil
  ) {
    self.angularRate = angularRate
    self.specificForce = specificForce
    self.field = field
    self.attitude = attitude
    self.timestamp = timestamp
  }
}

/// An attitude that the firmware of a module has computed by its own filter and calibration.
public struct ModuleAttitude: Equatable, Sendable {
  /// From the module's axes to magnetic north, east and down.
  public var rotation: Rotation<SensorFrame, MagneticEarthFrame>
  /// One sigma of the heading by the module; nil where it reports none.
  public var accuracy: Angle?

  /// Makes an attitude.
  public init(rotation: Rotation<SensorFrame, MagneticEarthFrame>, accuracy: Angle? = nil) {
    (self.rotation, self.accuracy) = (rotation, accuracy)
  }

  /// Makes an attitude of a quaternion that turns the module's axes into east, north and up; nil
  /// for a quaternion of length zero.
  /// - Parameters:
  ///   - w: The scalar part.
  ///   - v: The vector part. The quaternion need not be of unit length.
  ///   - accuracy: One sigma of the heading.
  init?(eastNorthUp w: Double, _ v: SIMD3<Double>, accuracy: Angle? = nil) {
    guard let toENU = Rotation<SensorFrame, SensorFrame>(w: w, x: v.x, y: v.y, z: v.z),
      // North is y, east is x, down is -z: half a turn about the diagonal of x and y.
      let toNED = Rotation<SensorFrame, MagneticEarthFrame>(w: 0, x: 1, y: 1, z: 0)
    else { return nil }
    self.init(rotation: toNED * toENU, accuracy: accuracy)
  }
}

/// One conversion of a barometer.
public struct PressureReading: Equatable, Sendable {
  /// Static pressure, hectopascal.
  public var hectopascal: Double
  /// The chip's own temperature, degrees Celsius.
  public var celsius: Double

  /// Makes a reading.
  @inlinable
  public init(hectopascal: Double, celsius: Double) {
    self.hectopascal = hectopascal
    self.celsius = celsius
  }
}
