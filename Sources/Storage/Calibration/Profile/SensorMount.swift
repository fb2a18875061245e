import Quantities

/// The mount of a sensor on the body, in three axis words. Unlike an `AxisMount` it may be
/// mirrored: some drivers invert an axis.
public struct SensorMount: Equatable, Sendable, CustomStringConvertible {
  /// The direction of the sensor's x axis.
  public let x: AxisDirection
  /// The direction of the sensor's y axis.
  public let y: AxisDirection
  /// The direction of the sensor's z axis.
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
  /// The mount as a rotation; nil where it is mirrored.
  public var axisMount: AxisMount? { AxisMount(x: x, y: y, z: z) }
  /// `forward,left,up`.
  public var description: String { "\(x.rawValue),\(y.rawValue),\(z.rawValue)" }

  private var handedness: Double { x.unitVector.cross(y.unitVector).dot(z.unitVector) }
}
