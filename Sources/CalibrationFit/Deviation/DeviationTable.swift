import Quantities
import RealModule

/// A nautical deviation table: by compass heading, every 15 degrees. Deviation is positive east:
/// magnetic = compass + deviation.
public struct DeviationTable: Equatable, Sendable {
  /// One row of the table.
  public struct Row: Equatable, Sendable {
    /// The uncorrected compass heading.
    public var compassHeading: Angle
    /// The deviation on this heading.
    public var before: Angle
    /// Mean error of the corrected heading near this row, as a deviation; nil without observations.
    public var after: Angle?
    /// One sigma of the corrected heading; nil if it is unknown.
    public var sigma: Angle?

    /// Makes a row.
    public init(compassHeading: Angle, before: Angle, after: Angle?, sigma: Angle?) {
      (self.compassHeading, self.before) = (compassHeading, before)
      (self.after, self.sigma) = (after, sigma)
    }
  }

  /// Number of rows.
  public static var count: Int { 24 }
  /// The rows from 0 to 345 degrees.
  public let rows: [Row]
  /// The classical coefficients of the curve, for display; a curve of large deviations has more
  /// terms.
  public let coefficients: DeviationCoefficients

  /// Makes the table of a stored curve, without residuals.
  public init(_ coefficients: DeviationCoefficients) {
    let rows = (0..<Self.count).map { k in
      let compass = Angle(degrees: Double(k) * 15)
      return Row(
        compassHeading: compass, before: coefficients.deviation(atCompassHeading: compass),
        after: nil, sigma: nil)
    }
    self.init(rows: rows, coefficients: coefficients)
  }

  /// Makes a table of 24 rows from 0 degrees in steps of 15.
  init(rows: [Row], coefficients: DeviationCoefficients) {
    (self.rows, self.coefficients) = (rows, coefficients)
  }

  /// The table of a model; nil if a compass heading has no or more than one magnetic heading: the
  /// vehicle's field is then stronger than the earth's.
  /// - Parameters:
  ///   - model: The model.
  ///   - meanError: The model's mean error near a magnetic heading.
  public init?(_ model: DeviationModel, meanError: (Angle) -> Angle?) {
    var rows: [Row] = []
    for k in 0..<Self.count {
      let compass = Angle(degrees: Double(k) * 15)
      guard let heading = model.heading(atCompassHeading: compass) else { return nil }
      rows.append(
        Row(
          compassHeading: compass, before: (heading - compass).wrappedToHalfTurn,
          after: meanError(heading).map { -$0 },
          sigma: model.predictedError(onHeading: heading)))
    }
    self.init(rows: rows, coefficients: Self.analyse(rows))
  }

  /// The deviation at any compass heading, interpolated linearly between the rows.
  public func deviation(forCompassHeading compass: Angle) -> Angle {
    let position = compass.wrappedToTurn.degrees / 15
    let k = Int(bounded: position) % Self.count
    let (a, b) = (rows[k].before, rows[(k + 1) % Self.count].before)
    let step = (b - a).wrappedToHalfTurn
    return (a + step * (position - position.rounded(.down))).wrappedToHalfTurn
  }

  /// The Fourier coefficients of 24 equidistant deviations, taken about their mean direction.
  private static func analyse(_ rows: [Row]) -> DeviationCoefficients {
    var (c, s) = (0.0, 0.0)
    for row in rows {
      c += .cos(row.before.radians)
      s += .sin(row.before.radians)
    }
    let mean = Angle(radians: .atan2(y: s, x: c))
    var sums = [0.0, 0, 0, 0, 0]
    for row in rows {
      let value = (row.before - mean).wrappedToHalfTurn.radians
      let factors = DeviationCoefficients.factors(row.compassHeading)
      for i in 0..<5 { sums[i] += value * factors[i] * (i == 0 ? 1 : 2) / Double(rows.count) }
    }
    sums[0] = Angle(radians: sums[0] + mean.radians).wrappedToHalfTurn.radians
    return DeviationCoefficients(radians: sums)
  }
}
