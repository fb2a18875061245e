import EarthModel
import Quantities

/// The magnetic elements of the place and date, worked out anew only where they could have changed.
struct TrueNorth: Sendable {
  /// Declination changes by less than 0.05 degrees over so far a move, but near the magnetic poles.
  private static let step = Angle(degrees: 0.01)
  /// And by less than 0.001 degrees in so long a time, years.
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
      // A place that the model has no answer for has no true north either.
      elements = nil
    }
  }
}
