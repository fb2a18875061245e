import RealModule

/// The strength of the earth's field at a place, microtesla.
public struct EarthField: Equatable, Sendable {
  /// Its horizontal part.
  public var horizontal: Double
  /// Its downward part; negative south of the magnetic equator.
  public var down: Double

  /// Makes a field of its parts.
  public init(horizontal: Double, down: Double) {
    self.horizontal = horizontal
    self.down = down
  }

  /// The whole field, microtesla.
  public var total: Double { (horizontal * horizontal + down * down).squareRoot() }
  /// Below the horizontal.
  public var dip: Angle { Angle(radians: Double.atan2(y: down, x: horizontal)) }
}
