/// The names of a place; each property is nil where it is not known.
///
/// The built-in gazetteer contains places of about 15,000 people and more. It has no streets, house
/// numbers, postal codes, lakes or landmarks. Those properties are set only in a placemark that a
/// program makes from an address (module `Contacts`).
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Set once, before the object is shared.
  package let values: PlacemarkValues

  /// For reverse geocoding the requested location; for an address the middle of the found place,
  /// with its extent as the horizontal accuracy.
  open var location: CLLocation? { values.location }
  /// A circle around the named place: a `CLCircularRegion`.
  open var region: CLRegion? { values.region }
  /// The time zone there.
  open var timeZone: TimeZone? { values.timeZone }
  /// The name: the most exact of the other names.
  open var name: String? { values.words[.name] }
  /// The street.
  open var thoroughfare: String? { values.words[.thoroughfare] }
  /// The house number.
  open var subThoroughfare: String? { values.words[.subThoroughfare] }
  /// The city or town, by its local name in Latin script.
  open var locality: String? { values.words[.locality] }
  /// A section of the city.
  open var subLocality: String? { values.words[.subLocality] }
  /// The state, province or region: its English name, else GeoNames' code.
  open var administrativeArea: String? { values.words[.administrativeArea] }
  /// The county, in the United States.
  open var subAdministrativeArea: String? { values.words[.subAdministrativeArea] }
  /// The postal code.
  open var postalCode: String? { values.words[.postalCode] }
  /// ISO 3166-1 alpha-2.
  open var isoCountryCode: String? { values.words[.isoCountryCode] }
  /// The country, in the language of the preferred locale.
  open var country: String? { values.words[.country] }
  /// The lake or river.
  open var inlandWater: String? { values.words[.inlandWater] }
  /// The ocean, far from land.
  open var ocean: String? { values.words[.ocean] }
  /// Landmarks.
  open var areasOfInterest: [String]? { values.areasOfInterest }

  /// The address under address book keys.
  @available(*, deprecated, message: "Use the properties")
  open var addressDictionary: [AnyHashable: Any]? { values.addressDictionary }

  /// True: a placemark supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a copy, for subclasses.
  public init(placemark: CLPlacemark) {
    values = placemark.values
    super.init()
  }

  /// Makes a placemark without known values, for subclasses.
  public override init() {
    values = PlacemarkValues()
    super.init()
  }

  package init(_ values: PlacemarkValues) {
    self.values = values
    super.init()
  }

  /// Reads a placemark from an archive that `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    values = PlacemarkValues(coder: coder)
    super.init()
  }

  /// Writes the placemark into an archive.
  open func encode(with coder: NSCoder) { values.encode(with: coder) }

  /// Itself: a placemark never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Name, address and location in a readable form, which may change.
  open override var description: String {
    let lines = [name].compactMap(\.self) + values.addressLines + [ocean].compactMap(\.self)
    let words = lines.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      .joined(separator: ", ")
    guard let location else { return words }
    let place = String(
      format: "<%+.8f,%+.8f> +/- %.2fm", location.coordinate.latitude,
      location.coordinate.longitude, location.horizontalAccuracy)
    return "\(words) @ \(place)"
  }
}
