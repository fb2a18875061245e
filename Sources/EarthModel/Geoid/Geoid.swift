import Quantities

/// The EGM96 geoid: mean sea level above the WGS-84 ellipsoid. The table of 2 MB is separate, so
/// that a target can do without it.
///
/// Model: a cubic through four points in each direction (Lagrange) on the 15-minute grid. A row
/// that continues over a pole returns half a turn farther east.
///
/// - Accuracy: against EGM96 itself 7 mm root mean square and 0.16 m at worst, the grid's rounding
///   to 3 mm included (bilinear: 41 mm and 1.15 m). Measured at 15 points of every cell of the
///   whole earth against the trigonometric interpolation of the grid, which is exact because EGM96
///   ends at degree 360 (`Scripts/measure-geoid.py`). EGM96's own error is much larger:
///   `separationErrorMetres`.
/// - Source: Lemoine et al., The Development of the Joint NASA GSFC and NIMA Geopotential Model
///   EGM96, NASA/TP-1998-206861, section 11; NIMA's grid WW15MGH.GRD, tide-free.
public struct Geoid: @unchecked Sendable {
  /// Rows of the table, both poles included.
  package static var rows: Int { 721 }
  /// Columns of the table, and steps of the grid in a turn either way.
  package static var columns: Int { 1440 }
  /// Metres in a unit of the table.
  package static var unitMetres: Double { 0.003 }
  /// The value of the table's zero, metres: the middle between the geoid's lowest and highest
  /// point, so that 16 bits hold both.
  package static var zeroMetres: Double { -10.8 }

  /// One sigma of a separation, metres: omissions and errors of EGM96.
  /// - Source: EPSG:10084 (WGS 84 to EGM96 height), operation accuracy 1 m. The model's authors are
  ///   usually quoted with 0.5 to 1 m; the interpolation adds less than 0.1 mm to it.
  public static var separationErrorMetres: Double { 1.0 }

  // Unchecked because of the pointer; its memory never changes.
  private let grid: UnsafePointer<Int16>

  /// Makes a geoid over a table that is not copied: it must outlive every use and never change.
  /// - Parameter grid: 721 rows from the north pole to the south pole, each of 1440 values
  ///   eastwards from Greenwich, in units of 3 mm above -10.8 m.
  public init(grid: UnsafePointer<Int16>) { self.grid = grid }

  /// Mean sea level above the WGS-84 ellipsoid, metres. An altitude above the ellipsoid is the
  /// altitude above mean sea level plus this.
  /// - Parameter position: any longitude; a latitude beyond a pole continues on the other side.
  /// - Returns: nil if an angle is not finite.
  public func separationMetres(at position: GeodeticPosition) -> Double? {
    let latitude = position.latitude.radians
    let longitude = position.longitude.radians
    guard latitude.isFinite, longitude.isFinite else { return nil }
    let south = Steps(radians: .pi / 2 - latitude)
    let east = Steps(radians: longitude)
    var sum = 0.0
    for k in 0..<4 {
      sum += south.weights[k] * alongRow(south.first + k, east)
    }
    return Self.zeroMetres + Self.unitMetres * sum
  }

  /// Interpolates eastwards, in units of the table.
  private func alongRow(_ step: Int, _ east: Steps) -> Double {
    // Beyond the south pole, 720 steps from the north one, the row continues upward on the opposite
    // meridian.
    let down = Self.wrapped(step)
    let isFarSide = down >= Self.rows
    let row = isFarSide ? Self.columns - down : down
    let start = row * Self.columns
    let turn = isFarSide ? Self.columns / 2 : 0
    var sum = 0.0
    for k in 0..<4 {
      sum += east.weights[k] * Double(grid[start + Self.wrapped(east.first + turn + k)])
    }
    return sum
  }

  /// Wraps an index from -1 to below two turns, the range of a look-up, to one turn.
  private static func wrapped(_ step: Int) -> Int {
    step < 0 ? step + columns : step >= columns ? step - columns : step
  }

  /// The position of an angle between four steps of the grid.
  private struct Steps {
    /// The first of the four: the second is the last one not beyond the angle.
    let first: Int
    /// The weights of the four.
    let weights: SIMD4<Double>

    init(radians: Double) {
      let turns = radians / (2 * .pi)
      let steps = (turns - turns.rounded(.down)) * Double(Geoid.columns)
      let whole = steps.rounded(.down)
      let t = steps - whole
      first = Int(bounded: whole) - 1
      // Lagrange's polynomials through -1, 0, 1 and 2.
      weights = SIMD4(
        -t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2, -(t + 1) * t * (t - 2) / 2,
        (t + 1) * t * (t - 1) / 6)
    }
  }
}
