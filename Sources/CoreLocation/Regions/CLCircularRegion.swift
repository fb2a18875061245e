/// A circle on the earth.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  /// The middle.
  open override var center: CLLocationCoordinate2D {
    extent?.center ?? kCLLocationCoordinate2DInvalid
  }

  /// Metres.
  open override var radius: CLLocationDistance { extent?.radius ?? -1 }

  /// Makes a region without an identifier or place, for subclasses.
  public override init() { super.init() }

  /// Makes a circle.
  /// - Parameters:
  ///   - center: The middle.
  ///   - radius: Metres; one above `maximumRegionMonitoringDistance` cannot be monitored.
  ///   - identifier: Names the region within the program.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    super.init(identifier: identifier, circle: Circle(center: center, radius: radius))
  }

  /// Reads a circle from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// Whether the place lies within the radius, along the earth's curvature; false for an invalid
  /// coordinate.
  open override func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    Circle(center: center, radius: radius).contains(coordinate)
  }

  /// An independent copy with the same identifier, extent and notification settings.
  open override func copy(with zone: NSZone? = nil) -> Any {
    CLCircularRegion(center: center, radius: radius, identifier: identifier)
      .taking(noticesOf: self)
  }

  /// The identifier, middle and radius in a readable form, which may change.
  open override var description: String {
    let place = String(
      format: "center:<%+.8f,%+.8f>, radius:%.2fm", center.latitude, center.longitude, radius)
    return "CLCircularRegion (identifier:'\(identifier)', \(place))"
  }
}
