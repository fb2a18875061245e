import Quantities

/// How a sensor sits on the body, in three axis words. Other than an `AxisMount` it may be mirrored: cheap
/// boards carry chips whose driver has an axis the wrong way round.
public struct SensorMount: Equatable, Sendable, CustomStringConvertible {
  /// Where the sensor's x axis points.
  public let x: AxisDirection
  /// Where the sensor's y axis points.
  public let y: AxisDirection
  /// Where the sensor's z axis points.
  public let z: AxisDirection

  /// - Returns: nil where the three are not perpendicular.
  public init?(x: AxisDirection, y: AxisDirection, z: AxisDirection) {
    (self.x, self.y, self.z) = (x, y, z)
    guard handedness != 0 else { return nil }
  }

  /// The mount of a sensor that is not mirrored.
  public init(_ mount: AxisMount) { (x, y, z) = (mount.x, mount.y, mount.z) }

  /// Reads three words, `forward,left,up`; nil where they are not three perpendicular directions.
  public init?(text: String) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { AxisDirection(rawValue: String($0)) }
    guard words.count == 3, let x = words[0], let y = words[1], let z = words[2] else { return nil }
    self.init(x: x, y: y, z: z)
  }

  /// True where the three axes are left-handed.
  public var isMirrored: Bool { handedness < 0 }
  /// The same as a rotation; nil where it is mirrored.
  public var axisMount: AxisMount? { AxisMount(x: x, y: y, z: z) }
  /// `forward,left,up`.
  public var description: String { "\(x.rawValue),\(y.rawValue),\(z.rawValue)" }

  private var handedness: Double { x.unitVector.cross(y.unitVector).dot(z.unitVector) }
}
