/// A stay at one place.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Set once, before the object is shared.
  private var values: VisitValues

  /// The arrival; `Date.distantPast` where it was before visits were monitored.
  open var arrivalDate: Date { values.arrival }
  /// The departure; `Date.distantFuture` while the visit continues.
  open var departureDate: Date { values.departure }
  /// The middle of the stay.
  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  /// The radius of 68 % probability, metres.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }

  /// True: a visit supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a visit without known values, for subclasses.
  public override init() {
    values = VisitValues()
    super.init()
  }

  package convenience init(_ values: VisitValues) {
    self.init()
    self.values = values
  }

  /// Reads a visit from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let values = VisitValues(coder: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Writes the visit into an archive.
  open func encode(with coder: NSCoder) { values.encode(with: coder) }

  /// Itself: a visit never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The place and times in a readable form, which may change.
  open override var description: String {
    let place = String(
      format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude,
      horizontalAccuracy)
    return "\(place) (\(arrivalDate) to \(departureDate))"
  }
}
