import Quantities

extension Figures {
  /// The time of day to a tenth of a second, rounded as in all other outputs.
  package func timeOfDay(_ utc: UTCTime?) -> String? {
    guard let utc else { return nil }
    let unit = Self.tenthOfSecond
    let tenths = utc.rounded(toNanoseconds: unit).nanosecondsOfDay / unit
    let seconds = tenths / 10
    func two(_ n: Int64) -> String { FixedPoint.zeroPadded(n, width: 2) }
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(tenths % 10)"
  }

  /// The unit of the last digit of `timeOfDay`, nanoseconds.
  private static var tenthOfSecond: Int64 { 100_000_000 }

  /// The civil date of the instant in `timeOfDay`, year first.
  package func date(_ utc: UTCTime?) -> String? {
    guard let date = utc?.rounded(toNanoseconds: Self.tenthOfSecond).date else { return nil }
    func two(_ n: Int) -> String { FixedPoint.zeroPadded(Int64(n), width: 2) }
    return
      "\(FixedPoint.zeroPadded(Int64(date.year), width: 4))-\(two(date.month))-\(two(date.day))"
  }

  /// The accuracy of the magnetic heading, or why there is none.
  package func headingAccuracy(_ estimate: Estimate) -> String {
    if let text = accuracy(estimate.headingAccuracy) { return text + " (95 %)" }
    let dash = isASCII ? "-" : "–"
    let reason: String? =
      switch estimate.calibration {
      case nil: estimate.headingTrouble ?? "no magnetometer"
      case .uncalibrated: "not calibrated"
      case .assumed, .poor, .fair, .good:
        switch estimate.disturbance {
        case .disturbed: "field disturbed"
        case .magnetNearby: "magnet nearby"
        case nil, .clean, .recovering: nil
        }
      }
    return "accuracy not known" + (reason.map { " \(dash) \($0)" } ?? "")
  }

  /// The calibration state in words.
  package func words(_ state: CalibrationState?) -> String {
    switch state {
    case nil: unknown
    case .uncalibrated: "not calibrated"
    case .some(let known): known.rawValue
    }
  }

  /// The kind of fix in words.
  package func words(_ kind: FixKind?) -> String {
    switch kind {
    case nil: unknown
    case .some(.none): "no fix"
    case .some(let known): known.rawValue
    }
  }

  /// The lower side, after the roll.
  package func rollSide(_ degrees: Double?) -> String {
    side(degrees, positive: "right down", negative: "left down", level: "level")
  }

  /// The direction of the bow, after the pitch.
  package func pitchSide(_ degrees: Double?) -> String {
    side(degrees, positive: "bow up", negative: "bow down", level: "level")
  }

  /// The direction of the turn, after the rate.
  package func turnSide(_ degreesPerSecond: Double?) -> String {
    side(degreesPerSecond, positive: "right", negative: "left", level: "steady")
  }

  private func side(
    _ value: Double?, positive: String, negative: String, level: String
  ) -> String {
    guard let rounded = value.flatMap({ FixedPoint($0, decimals: 1) }) else { return "" }
    return rounded.count > 0 ? positive : rounded.count < 0 ? negative : level
  }
}

extension Estimate {
  /// Roll and pitch in degrees, if level is known.
  package var levelDegrees: (roll: Double, pitch: Double)? {
    guard isLevelKnown, let angles = attitude?.attitudeAngles,
      angles.roll.radians.isFinite, angles.pitch.radians.isFinite
    else { return nil }
    return (angles.roll.degrees, angles.pitch.degrees)
  }
}
