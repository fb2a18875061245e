internal import Quantities

/// The orientation relative to the earth of the device, or of the body that headings refer to.
public struct CLAttitude: Codable, Hashable, Sendable {
  /// The rotation from the device's axes (right, forward, up) to magnetic east, magnetic north and
  /// up. The identity: level, forward to magnetic north.
  public let rotation: CLQuaternion

  /// Makes an attitude from its rotation.
  public init(rotation: CLQuaternion) { self.rotation = rotation }

  /// The direction of the forward axis clockwise from magnetic north, 0 to 360 degrees, without the
  /// correction for a vehicle's deviation that `CLHeading.magneticHeading` includes.
  public var heading: CLLocationDirection { angles.heading.degrees }
  /// The angle of the forward axis above the horizon, -90 to 90 degrees.
  public var pitch: CLLocationDegrees { angles.pitch.degrees }
  /// The angle of the right side below the horizon, -180 to 180 degrees.
  public var roll: CLLocationDegrees { angles.roll.degrees }

  private var angles: AttitudeAngles {
    let turned: Rotation<BodyFrame, MagneticEarthFrame>? = rotation.exchanged()
    return (turned ?? .identity).attitudeAngles
  }
}
