import CalibrationFit
import Quantities
import Storage

/// A stored deviation as people judge it: its curve, age, origin and trust.
public struct DeviationCard: Sendable {
  /// What the curve was computed from.
  public enum Origin: String, Sendable {
    /// Course over ground.
    case course
    /// Known headings, entered by hand.
    case swing
  }

  /// The curve.
  public let table: DeviationTable
  /// What it was computed from.
  public let origin: Origin
  /// The time of its last update.
  public let made: UTCTime
  /// The arc of headings that it was computed from.
  public let coverage: Angle
  /// How many of the 24 headings, each of 15 degrees, have straight legs; nil for a swing, whose
  /// entries are not stored.
  public let legs: Int?
  /// The greatest remaining error of a corrected heading, one sigma; nil if it is unknown.
  public let sigma: Angle?

  /// Reads a stored deviation; nil for another kind of model.
  public init?(_ stored: StoredDeviation) {
    (made, coverage) = (stored.made, Angle(degrees: stored.coverageDegrees))
    if let (_, visited) = DeviationLearner.parts(of: stored),
      let table = DeviationLearner.table(of: stored)
    {
      (self.table, origin, legs) = (table, .course, visited.observedCount)
      let sigmas = table.rows.compactMap { $0.sigma }
      sigma = sigmas.count == table.rows.count ? sigmas.max() : nil
    } else if let table = DeviationTable(swing: stored) {
      (self.table, origin, legs, sigma) = (table, .swing, nil, VehicleDeviation.swingSigma)
    } else {
      return nil
    }
  }
}

extension DeviationTable {
  /// The change from an earlier curve on each row's heading; the curve without corrections is zero.
  public func changes(from old: DeviationTable?) -> [Angle] {
    rows.map { row in
      let before = old?.deviation(forCompassHeading: row.compassHeading) ?? .zero
      return (row.before - before).wrappedToHalfTurn
    }
  }
}
