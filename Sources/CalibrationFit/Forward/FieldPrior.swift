import Quantities

/// What is known of the earth's field before the fit.
public struct FieldPrior: Equatable, Sendable {
  /// The field that is expected.
  public var field: EarthField
  /// One sigma of its horizontal part, microtesla.
  public var horizontalSigma: Double
  /// One sigma of its downward part, microtesla.
  public var downSigma: Double
  /// The whole strength that is expected and its sigma, microtesla; nil where the parts say it all.
  public var strength: Strength?
  /// True where the place is known, and with it whether the field points down or up.
  public var isPlaceKnown: Bool

  /// What is expected of the field's whole strength.
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

  /// The field by the magnetic model. A town or a building bends it by some microtesla.
  public static func model(_ field: EarthField) -> FieldPrior {
    FieldPrior(field: field, horizontalSigma: 6, downSigma: 4, isPlaceKnown: true)
  }

  /// Only the downward part is known, microtesla. Where it is that large the horizontal part is small:
  /// about 48 microtesla in all.
  public static func down(_ down: Double) -> FieldPrior {
    let rest = max(48 * 48 - down * down, 15 * 15).squareRoot()
    return FieldPrior(
      field: EarthField(horizontal: rest, down: down), horizontalSigma: 10, downSigma: 4,
      isPlaceKnown: true)
  }

  /// Nothing is known of the place. On the earth's surface the field is 22 to 67 microtesla strong and
  /// dips by anything. Source: WMM2025 report, NOAA NCEI, section 1.1.
  public static var unknown: FieldPrior {
    FieldPrior(
      field: EarthField(horizontal: 25, down: 0), horizontalSigma: 12, downSigma: 45,
      isPlaceKnown: false, strength: Strength(microtesla: 45, sigma: 12))
  }

  /// Fields to begin a search from.
  var starts: [EarthField] {
    if isPlaceKnown { return [field] }
    // Every dip, at the earth's usual strength; the horizontal part decides heading, so dips beyond
    // 78 degrees, where no compass works, are left out.
    return [
      (44.0, 0.0), (40, 20), (40, -20), (28, 38), (28, -38), (20, 43), (20, -43), (12, 50),
      (12, -50),
    ]
    .map { EarthField(horizontal: $0.0, down: $0.1) }
  }
}
