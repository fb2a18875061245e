/// What the sensors measured at one instant, along their own axes: the one type from a chip, a
/// receiver or a recording to the pipeline and the applications. nil means no new sample.
public struct SensorSamples: Equatable, Sendable {
  /// The instant, on the machine's or the recording's clock.
  public var timestamp: Timestamp
  /// Rate, specific force or both.
  public var inertial: InertialSample<SensorFrame>?
  /// The field as the chip reports it. A recording may hold a calibrated one: its format does not
  /// distinguish.
  public var field: FieldSample<SensorFrame>?
  /// Static pressure.
  public var pressure: PressureSample?
  /// The heading of a compass on the receiver's line.
  public var heading: HeadingSample?
  /// An electric load near the sensors, such as a motor's current, in the unit of its source.
  public var load: Double?
  // On the heap: a fix is larger than all other values together and far less frequent, and samples
  // are copied at each step of the pipeline.
  private var storedFix: StoredFix?

  /// A receiver's epoch.
  public var fix: Fix? {
    get { storedFix?.fix }
    set { storedFix = newValue.map(StoredFix.init) }
  }

  /// True where the receiver reported an epoch; cheaper than reading `fix`.
  public var hasFix: Bool { storedFix != nil }

  /// Makes an instant with the given samples.
  public init(
    timestamp: Timestamp, inertial: InertialSample<SensorFrame>? = nil,
    field: FieldSample<SensorFrame>? = nil, pressure: PressureSample? = nil
  ) {
    self.timestamp = timestamp
    self.inertial = inertial
    self.field = field
    self.pressure = pressure
  }

  /// Multiplies the samples of a quantity: a change of axes, of unit or of range. A pressure, which
  /// has no axes, is multiplied by the first element.
  public mutating func multiply(_ quantity: SampleQuantity, by matrix: Matrix3) {
    switch quantity {
    case .field:
      if let value = field?.field.components {
        field?.field = MagneticField(components: matrix * value)
      }
    case .rate:
      if let value = inertial?.angularRate?.components {
        inertial?.angularRate = AngularRate(components: matrix * value)
      }
    case .force:
      if let value = inertial?.specificForce?.components {
        inertial?.specificForce = SpecificForce(components: matrix * value)
      }
    case .pressure: pressure?.hectopascal *= matrix.r0.x
    }
  }
}

private final class StoredFix: Equatable, Sendable {
  let fix: Fix

  init(_ fix: Fix) { self.fix = fix }

  static func == (one: StoredFix, other: StoredFix) -> Bool { one.fix == other.fix }
}
