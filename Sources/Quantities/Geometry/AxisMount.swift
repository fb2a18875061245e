/// The direction of a sensor axis on the body.
public enum AxisDirection: String, CaseIterable, Sendable {
  /// Out of the bow, body x.
  case forward
  /// Out of the stern.
  case backward
  /// Body y.
  case right
  /// Against body y.
  case left
  /// Body z, along gravity when level.
  case down
  /// Against body z.
  case up

  /// The unit vector in the body frame.
  public var unitVector: SIMD3<Double> {
    switch self {
    case .forward: SIMD3(1, 0, 0)
    case .backward: SIMD3(-1, 0, 0)
    case .right: SIMD3(0, 1, 0)
    case .left: SIMD3(0, -1, 0)
    case .down: SIMD3(0, 0, 1)
    case .up: SIMD3(0, 0, -1)
    }
  }
}

/// The mounting of a sensor on the body, as three axis words: `forward,left,up` is x forward, y
/// left, z up.
public struct AxisMount: Equatable, Sendable {
  /// Where the sensor's x axis points.
  public let x: AxisDirection
  /// Where the sensor's y axis points.
  public let y: AxisDirection
  /// Where the sensor's z axis points.
  public let z: AxisDirection
  /// True for a left-handed set: the sensor's x axis, reversed, belongs to `rotation`.
  public let isMirrored: Bool
  /// The rotation from sensor axes, with x reversed where they are mirrored, to body axes.
  public let rotation: Rotation<SensorFrame, BodyFrame>

  /// The default mounting of a recording: x forward, y left, z up.
  public static var standard: AxisMount {
    AxisMount(known: .forward, .left, .up, Rotation(rotationVector: SIMD3(.pi, 0, 0)))
  }

  /// Makes a mount; nil unless the three axes are perpendicular, and right-handed unless
  /// `mayMirror`.
  public init?(x: AxisDirection, y: AxisDirection, z: AxisDirection, mayMirror: Bool = false) {
    // The same words give the same rotation to the last bit.
    if (x, y, z) == (.forward, .left, .up) {
      self = .standard
      return
    }
    let (b, c) = (y.unitVector, z.unitVector)
    let isMirrored = x.unitVector.cross(b) == c * -1
    guard isMirrored ? mayMirror : x.unitVector.cross(b) == c else { return nil }
    let a = isMirrored ? x.unitVector * -1 : x.unitVector
    // The columns of the matrix are the sensor's axes in body coordinates.
    guard
      let rotation = Rotation<SensorFrame, BodyFrame>(
        rows: SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    else { return nil }
    self.init(known: x, y, z, rotation, isMirrored: isMirrored)
  }

  /// True if the axis words are equal.
  public static func == (a: AxisMount, b: AxisMount) -> Bool {
    (a.x, a.y, a.z) == (b.x, b.y, b.z)
  }

  private init(
    known x: AxisDirection, _ y: AxisDirection, _ z: AxisDirection,
    _ rotation: Rotation<SensorFrame, BodyFrame>, isMirrored: Bool = false
  ) {
    (self.x, self.y, self.z, self.rotation) = (x, y, z, rotation)
    self.isMirrored = isMirrored
  }
}
