internal import Quantities

/// How the device, or the body that headings are given for, stands above the earth.
public struct CLAttitude: Codable, Hashable, Sendable {
  /// Takes components along the device's axes (right, forward, up) to those along magnetic east, magnetic
  /// north and up. The identity: level, forward to magnetic north.
  public let rotation: CLQuaternion

  /// Makes an attitude of its rotation.
  public init(rotation: CLQuaternion) { self.rotation = rotation }

  /// The forward axis clockwise from magnetic north, 0 to 360 degrees; without the deviation that
  /// `CLHeading.magneticHeading` takes in where a vehicle's was learnt.
  public var heading: CLLocationDirection { angles.heading.degrees }
  /// The forward axis above the horizon, -90 to 90 degrees.
  public var pitch: CLLocationDegrees { angles.pitch.degrees }
  /// The right side below the horizon, -180 to 180 degrees.
  public var roll: CLLocationDegrees { angles.roll.degrees }

  private var angles: AttitudeAngles {
    let turned: Rotation<BodyFrame, MagneticEarthFrame>? = rotation.exchanged()
    return (turned ?? .identity).attitudeAngles
  }
}
