/// The direction of the device.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Set once, before the object is shared.
  private var values: HeadingValues

  /// Degrees clockwise from magnetic north, 0 to 360.
  open var magneticHeading: CLLocationDirection { values.magneticHeading }
  /// Degrees clockwise from true north; negative where it is not known. It is known only while the
  /// same manager updates its location.
  open var trueHeading: CLLocationDirection { values.trueHeading }
  /// The bound of 95 % of the errors of `magneticHeading`, degrees; negative where it is not known:
  /// the magnetometer is not calibrated, or something disturbs it.
  open var headingAccuracy: CLLocationDirection { values.headingAccuracy }
  /// Microtesla along the device's right edge (body right).
  open var x: CLHeadingComponentValue { values.x }
  /// Microtesla along the device's top (body forward).
  open var y: CLHeadingComponentValue { values.y }
  /// Microtesla out of the device's face (body up).
  open var z: CLHeadingComponentValue { values.z }
  /// The time of the heading.
  open var timestamp: Date { values.timestamp }

  /// True: a heading supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a heading without known values, for subclasses.
  public override init() {
    values = HeadingValues(timestamp: Date())
    super.init()
  }

  package convenience init(_ values: HeadingValues) {
    self.init()
    self.values = values
  }

  /// Reads a heading from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let values = HeadingValues(coder: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Writes the heading into an archive.
  open func encode(with coder: NSCoder) { values.encode(with: coder) }

  package var storedValues: HeadingValues { values }

  /// Itself: a heading never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The heading, its accuracy, field and time in a readable form, which may change.
  open override var description: String {
    let numbers = String(
      format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f x %+.3f y %+.3f z %+.3f",
      magneticHeading, trueHeading, headingAccuracy, x, y, z)
    return "\(numbers) @ \(timestamp)"
  }
}
