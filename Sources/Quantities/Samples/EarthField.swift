import RealModule

/// The strength of the earth's field at a place, microtesla.
public struct EarthField: Equatable, Sendable {
  /// The horizontal part.
  public var horizontal: Double
  /// The downward part; negative south of the magnetic equator.
  public var down: Double

  /// Makes a field.
  public init(horizontal: Double, down: Double) {
    self.horizontal = horizontal
    self.down = down
  }

  /// The total strength, microtesla.
  public var total: Double { (horizontal * horizontal + down * down).squareRoot() }
  /// The dip, positive below the horizontal.
  public var dip: Angle { Angle(radians: Double.atan2(y: down, x: horizontal)) }
}
