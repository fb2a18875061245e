import Quantities

/// Prior knowledge of the earth's field.
public struct FieldPrior: Equatable, Sendable {
  /// The expected field.
  public var field: EarthField
  /// One sigma of its horizontal part, microtesla.
  public var horizontalSigma: Double
  /// One sigma of its downward part, microtesla.
  public var downSigma: Double
  /// The expected total strength; nil if the components are sufficient.
  public var strength: Strength?
  /// True if the place is known, and with it whether the field points down or up.
  public var isPlaceKnown: Bool

  /// The expected total strength of the field.
  public struct Strength: Equatable, Sendable {
    /// Microtesla.
    public var microtesla: Double
    /// One sigma, microtesla.
    public var sigma: Double
  }

  /// Makes a prior.
  public init(
    field: EarthField, horizontalSigma: Double, downSigma: Double, isPlaceKnown: Bool,
    strength: Strength? = nil
  ) {
    self.strength = strength
    self.field = field
    self.horizontalSigma = horizontalSigma
    self.downSigma = downSigma
    self.isPlaceKnown = isPlaceKnown
  }

  /// The field of the magnetic model. A town or a building distorts it by some microtesla.
  public static func model(_ field: EarthField) -> FieldPrior {
    FieldPrior(field: field, horizontalSigma: 6, downSigma: 4, isPlaceKnown: true)
  }

  /// A field with only the downward part known, microtesla. The horizontal part follows from a
  /// total of about 48 microtesla.
  public static func down(_ down: Double) -> FieldPrior {
    let rest = max(48 * 48 - down * down, 15 * 15).squareRoot()
    return FieldPrior(
      field: EarthField(horizontal: rest, down: down), horizontalSigma: 10, downSigma: 4,
      isPlaceKnown: true)
  }

  /// An unknown place. On the earth's surface the field is 22 to 67 microtesla strong with any dip.
  /// Source: WMM2025 report, NOAA NCEI, section 1.1.
  public static var unknown: FieldPrior {
    FieldPrior(
      field: EarthField(horizontal: 25, down: 0), horizontalSigma: 12, downSigma: 45,
      isPlaceKnown: false, strength: Strength(microtesla: 45, sigma: 12))
  }

  /// The fields from which a search starts.
  var starts: [EarthField] {
    if isPlaceKnown { return [field] }
    // All dips at the usual strength. Dips beyond 78 degrees, where no compass works, are left out.
    return [
      (44.0, 0.0), (40, 20), (40, -20), (28, 38), (28, -38), (20, 43), (20, -43), (12, 50),
      (12, -50),
    ]
    .map { EarthField(horizontal: $0.0, down: $0.1) }
  }
}
