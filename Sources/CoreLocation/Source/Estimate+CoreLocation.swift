package import Quantities

extension LocationValues {
  /// The location of an estimate; nil where it has no position.
  /// - Parameters:
  ///   - estimate: The engine's estimate.
  ///   - receipt: The civil time of reception, for an estimate without UTC.
  ///   - isLive: False for a recording.
  ///   - sources: The origins of the position.
  package init?(
    _ estimate: Estimate, receivedAt receipt: Date, isLive: Bool, sources: [CLLocationSource] = []
  ) {
    guard let position = estimate.position, let fixed = estimate.fixTimestamp,
      estimate.fixKind != FixKind.none
    else { return nil }
    let instant = estimate.utc.map { Date(timeIntervalSince1970: $0.secondsSince1970) } ?? receipt
    let age = estimate.fixAgeSeconds ?? 0
    self.init(
      latitude: position.latitude.degrees, longitude: position.longitude.degrees,
      timestamp: instant.addingTimeInterval(-age))
    horizontalAccuracy = estimate.horizontalAccuracyMetres ?? -1
    if let sigma = estimate.verticalAccuracyMetres, let height = estimate.altitudeMetres {
      verticalAccuracy = sigma
      altitude = height
      ellipsoidalAltitude = estimate.ellipsoidalAltitudeMetres ?? 0
    }
    speed = estimate.speedMetresPerSecond ?? -1
    course = estimate.course?.wrappedToTurn.degrees ?? -1
    if speed >= 0 { speedAccuracy = estimate.speedAccuracyMetresPerSecond ?? -1 }
    if course >= 0 { courseAccuracy = estimate.courseAccuracy?.degrees ?? -1 }
    isSimulated = estimate.isSimulated || estimate.fixKind == .simulated || !isLive
    // Every receiver of a board is connected by a serial line, USB or a bus.
    isFromAccessory = isSimulated == false
    details = LocationDetails(
      covariance: CLCovariance(estimate),
      velocity: estimate.velocity.map { CLVector3(exchanging: $0.metresPerSecond) },
      fix: CLFix(estimate), sources: sources.isEmpty ? nil : sources)
    monotonicNanoseconds = fixed.nanoseconds
    motion = estimate.certainMotionState
    motionSeconds = estimate.motionSince.map { fixed.seconds(since: $0) }
  }
}

extension Estimate {
  /// Seconds between the fix and the estimate that carries it, which may be younger; nil without a
  /// fix.
  var fixAgeSeconds: TimeInterval? { fixTimestamp.map { timestamp.seconds(since: $0) } }
}

extension HeadingValues {
  /// The heading of an estimate; nil where it has none.
  /// - Parameters:
  ///   - estimate: The engine's estimate.
  ///   - turn: The clockwise angle from the body's forward axis to the reference edge of headings.
  ///   - mount: From the axes of the device to those of the body that headings refer to instead.
  ///     The field stays in the device's axes.
  ///   - givesTrueHeading: Whether the manager may report the true heading.
  ///   - receipt: The civil time of reception, for an estimate without UTC.
  package init?(
    _ estimate: Estimate, turnedBy turn: Angle, mountedBy mount: DeviceMount? = nil,
    givesTrueHeading: Bool, receivedAt receipt: Date
  ) {
    guard let magnetic = estimate.magneticHeading else { return nil }
    let turn = mount.map { $0.turn(estimate) } ?? turn
    self.init(
      timestamp: estimate.utc.map { Date(timeIntervalSince1970: $0.secondsSince1970) } ?? receipt)
    magneticHeading = (magnetic.angle + turn).wrappedToTurn.degrees
    if givesTrueHeading, let true_ = estimate.trueHeading {
      trueHeading = (true_.angle + turn).wrappedToTurn.degrees
    }
    headingAccuracy = estimate.headingAccuracy?.degrees ?? -1
    if let field = estimate.field?.microtesla {
      // Body axes: forward, right, down. Device axes: right, top, out of the face.
      (x, y, z) = (field.y, field.x, -field.z)
    }
    trueHeadingAccuracy = estimate.trueHeadingAccuracy?.degrees
    fieldStrength = estimate.field?.magnitude
    isDisturbed = estimate.disturbance?.isDisturbed
    if let north = estimate.trueHeading {
      declination = (north.angle - magnetic.angle).wrappedToHalfTurn.degrees
    }
    inclination = estimate.modelField?.dip.degrees
    guard estimate.isLevelKnown, let stand = estimate.attitude else { return }
    if let measured = estimate.field.map({ stand($0).microtesla }) {
      let level = (measured.x * measured.x + measured.y * measured.y).squareRoot()
      inclination = atan2(measured.z, level) * 180 / .pi
    }
    attitude = CLAttitude(
      rotation: CLQuaternion(exchanging: mount.map { stand * $0.rotation.inverse } ?? stand))
  }
}

extension CLAttitude {
  /// The attitude of an estimate in the device's axes; nil where roll and pitch are not known.
  package init?(_ estimate: Estimate) {
    guard estimate.isLevelKnown, let stand = estimate.attitude else { return nil }
    self.init(rotation: CLQuaternion(exchanging: stand))
  }
}

extension CLDeviceOrientation {
  /// The angle from the body's forward axis to the uppermost edge, clockwise as seen on the face.
  /// - Returns: nil where the orientation does not change the reference.
  package var turnFromForward: Angle? {
    switch self {
    case .portrait: .zero
    case .landscapeLeft: Angle(radians: .pi / 2)
    case .portraitUpsideDown: Angle(radians: .pi)
    case .landscapeRight: Angle(radians: -.pi / 2)
    case .unknown, .faceUp, .faceDown: nil
    }
  }
}
