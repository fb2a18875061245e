internal import Quantities

extension HeadingValues {
  /// Sets the values beyond Apple's members from an estimate.
  mutating func describe(_ estimate: Estimate, mountedBy mount: DeviceMount?) {
    trueHeadingAccuracy = estimate.trueHeadingAccuracy?.degrees
    fieldStrength = estimate.field?.magnitude
    isDisturbed = estimate.disturbance?.isDisturbed
    if let magnetic = estimate.magneticHeading, let north = estimate.trueHeading {
      declination = (north.angle - magnetic.angle).wrappedToHalfTurn.degrees
    }
    guard estimate.isLevelKnown, let stand = estimate.attitude else {
      inclination = estimate.modelField?.dip.degrees
      return
    }
    let measured = estimate.field.map { stand($0).microtesla }
    inclination =
      measured.map { atan2($0.z, ($0.x * $0.x + $0.y * $0.y).squareRoot()) * 180 / .pi }
      ?? estimate.modelField?.dip.degrees
    attitude = CLAttitude(
      rotation: CLQuaternion(exchanging: mount.map { stand * $0.rotation.inverse } ?? stand))
  }
}
