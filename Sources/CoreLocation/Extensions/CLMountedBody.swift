package import Quantities

/// A vehicle with a device whose axes are not aligned with it. Headings refer to the vehicle.
///
/// Set it as `CLLocationManager.headingBody`. Headings are then those of the vehicle's forward
/// axis, and `CLHeading.attitude` is the vehicle's. `headingOrientation` has no effect, and the
/// field stays along the device's axes. A Lodestar extension.
public final class CLMountedBody: NSObject, CLBodyIdentifiable, Sendable {
  /// The rotation from the device's axes (right, forward, up) to the vehicle's.
  public let rotation: CLQuaternion

  /// Makes a body from the mounting of the device. For a device that is turned to the right by a
  /// quarter turn: `CLQuaternion(degrees: -90, about: up)`.
  /// - Parameter rotation: The rotation from the device's axes (right, forward, up) to the
  ///   vehicle's; a zero quaternion means an aligned device.
  public init(rotation: CLQuaternion) {
    self.rotation = rotation
    super.init()
  }

  /// The mounting in the engine's axes.
  package var mount: DeviceMount { DeviceMount(rotation: rotation.exchanged() ?? .identity) }
}

/// The mounting of the device on the body that headings refer to.
package struct DeviceMount: Equatable, Sendable {
  /// The rotation from the device's axes to the body's, both forward, right, down.
  package var rotation: Rotation<BodyFrame, BodyFrame>

  /// The angle from the device's forward axis to the body's, clockwise from above. Where the level
  /// is not known the device is assumed to be level.
  package func turn(_ estimate: Estimate) -> Angle {
    guard estimate.isLevelKnown, let stand = estimate.attitude else {
      let forward = rotation.inverse.rotate(SIMD3(1, 0, 0))
      return Angle(radians: atan2(forward.y, forward.x))
    }
    let turned: Rotation<BodyFrame, MagneticEarthFrame> = stand * rotation.inverse
    return turned.attitudeAngles.heading - stand.attitudeAngles.heading
  }
}
