import EarthModel
import Quantities

/// The magnetic elements of the position and date, recomputed only when they may have changed.
struct TrueNorth: Sendable {
  /// Within this distance declination changes by less than 0.05 degrees, except near the magnetic
  /// poles.
  private static let step = Angle(degrees: 0.01)
  /// Within this time, in years, it changes by less than 0.001 degrees.
  private static let age = 0.002

  private let model: MagneticModel
  private var position: GeodeticPosition?
  private var year = 0.0
  private(set) var elements: MagneticElements?

  init(model: MagneticModel) { self.model = model }

  mutating func move(to p: GeodeticPosition, heightMetres: Double, decimalYear: Double) {
    if let old = position, abs(old.latitude.radians - p.latitude.radians) < Self.step.radians,
      abs(old.longitude.radians - p.longitude.radians) < Self.step.radians,
      abs(decimalYear - year) < Self.age
    {
      return
    }
    (position, year) = (p, decimalYear)
    do {
      elements = try model.elements(
        at: p, ellipsoidalHeightMetres: heightMetres, decimalYear: decimalYear)
    } catch {
      // No true north outside the model's validity.
      elements = nil
    }
  }
}
