package import Quantities

/// A vehicle that the device sits in crooked: headings are given for the vehicle.
///
/// Set it as `CLLocationManager.headingBody`. Headings are then those of the vehicle's forward axis, and
/// `CLHeading.attitude` the vehicle's; `headingOrientation` plays no part, and the field stays along the
/// device's axes. Lodestar's own; Apple says of no body where it is.
public final class CLMountedBody: NSObject, CLBodyIdentifiable, Sendable {
  /// Takes components along the device's axes (right, forward, up) to those along the vehicle's.
  public let rotation: CLQuaternion

  /// Makes a body of how the device sits on it. A device that is turned to the right by a quarter turn sees
  /// the vehicle's forward on its left: `CLQuaternion(degrees: -90, about: up)`.
  /// - Parameter rotation: Takes components along the device's axes (right, forward, up) to those along the
  ///   vehicle's; one without length stands for a device that sits straight.
  public init(rotation: CLQuaternion) {
    self.rotation = rotation
    super.init()
  }

  /// The same in the engine's axes.
  package var mount: DeviceMount { DeviceMount(rotation: rotation.exchanged() ?? .identity) }
}

/// How the device sits on the body that headings are given for.
package struct DeviceMount: Equatable, Sendable {
  /// From the device's axes to the body's, both forward, right, down.
  package var rotation: Rotation<BodyFrame, BodyFrame>

  /// From the device's forward axis to the body's, clockwise from above. Where the level is not known the
  /// device is taken to lie level.
  package func turn(_ estimate: Estimate) -> Angle {
    guard estimate.isLevelKnown, let stand = estimate.attitude else {
      let forward = rotation.inverse.rotate(SIMD3(1, 0, 0))
      return Angle(radians: atan2(forward.y, forward.x))
    }
    let turned: Rotation<BodyFrame, MagneticEarthFrame> = stand * rotation.inverse
    return turned.attitudeAngles.heading - stand.attitudeAngles.heading
  }
}
