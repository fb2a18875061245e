internal import Quantities

/// A vector along perpendicular axes. Each property of this type documents its axes and unit.
///
/// A Lodestar extension.
public struct CLVector3: Codable, Hashable, Sendable {
  /// Along the first axis: east of the earth, right of the device.
  public var x: Double
  /// Along the second axis: north of the earth, the device's top, which is the body's forward.
  public var y: Double
  /// Along the third axis: up from the earth, out of the device's face.
  public var z: Double

  /// Makes a vector from its components.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// The zero vector.
  public static var zero: CLVector3 { CLVector3(x: 0, y: 0, z: 0) }

  /// The length, in the unit of the components.
  public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}

// One exchange of components converts north, east, down to east, north, up, and forward, right,
// down to right, forward, up. It is its own inverse.
extension CLVector3 {
  /// Converts components along north, east, down, or forward, right, down.
  init(exchanging v: SIMD3<Double>) { self.init(x: v.y, y: v.x, z: -v.z) }

  /// Components along north, east, down, or forward, right, down.
  var exchanged: SIMD3<Double> { SIMD3(y, x, -z) }
}
