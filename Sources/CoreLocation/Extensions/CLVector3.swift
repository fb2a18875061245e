internal import Quantities

/// Three numbers along perpendicular axes; whoever hands them out says which axes and which unit.
///
/// Lodestar's own; Apple has nothing alike.
public struct CLVector3: Codable, Hashable, Sendable {
  /// Along the first axis: east of the earth, right of the device.
  public var x: Double
  /// Along the second axis: north of the earth, the device's top, which is the body's forward.
  public var y: Double
  /// Along the third axis: up from the earth, out of the device's face.
  public var z: Double

  /// Makes a vector of its parts.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// The vector without length.
  public static var zero: CLVector3 { CLVector3(x: 0, y: 0, z: 0) }

  /// Its length, in its own unit.
  public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}

/// North, east, down of the earth become east, north, up by the same exchange as forward, right, down of
/// the body become right, forward, up of the device; and back.
extension CLVector3 {
  /// Takes over components along north, east, down, or forward, right, down.
  init(exchanging v: SIMD3<Double>) { self.init(x: v.y, y: v.x, z: -v.z) }

  /// Components along north, east, down, or forward, right, down.
  var exchanged: SIMD3<Double> { SIMD3(y, x, -z) }
}
