import Quantities

/// Why the samples gave no calibration. The description says what failed, why, and what to do.
public enum CalibrationFitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There are too few samples for a fit.
  case tooFewSamples(found: Int, needed: Int)
  /// The sensor was hardly turned.
  case tooLittleMotion(String)
  /// The magnetometer reported a constant field while the board turned.
  case frozenMagnetometer
  /// The named inertial sensor reported a constant value while the field turned.
  case frozenInertialUnit(String)
  /// The share of field samples at the limit of the sensor's range.
  case saturated(share: Double)
  /// The share of the turning time with the gyroscope at its limit.
  case gyroscopeAtLimit(share: Double)
  /// The share of the time with the accelerometer at its limit.
  case accelerometerAtLimit(share: Double)
  /// The delay of the magnetometer relative to the inertial unit; negative if it is early.
  case lagging(seconds: Double)
  /// The samples fit no distortion of the earth's field: the share that does not fit.
  case inconsistent(share: Double)
  /// The hard iron changed during the recording: by how much, microtesla.
  case ironChanged(microtesla: Double)
  /// The samples cannot be right: wrong axes or another unit.
  case contradicted(InputVerdicts.Fault)
  /// The equations were not solvable.
  case notSolvable

  /// The message for the user.
  public var description: String {
    switch self {
    case .tooFewSamples(let found, let needed):
      "too few field samples: \(found), at least \(needed) are needed; turn the sensor for longer"
    case .tooLittleMotion(let wanted): "too little motion to calibrate: \(wanted)"
    case .frozenMagnetometer:
      "the magnetometer is frozen: its field is constant while the board turns; switch its power off "
        + "and on, and try again"
    case .frozenInertialUnit(let name):
      "the \(name) is frozen: its value is constant while the field turns; switch its power off and "
        + "on, and try again"
    case .saturated(let share):
      "\(Int(bounded: (share * 100).rounded())) % of the field samples are at the limit of the sensor's range: a "
        + "magnet is too close; remove it or select a wider range"
    case .gyroscopeAtLimit(let share):
      "the gyroscope is at the limit of its range for \(Int(bounded: (share * 100).rounded())) % of the turning, "
        + "so the orientation is unknown: turn the board more slowly or select a wider range"
    case .accelerometerAtLimit(let share):
      "the accelerometer is at the limit of its range for \(Int(bounded: (share * 100).rounded())) % of the time, "
        + "so level is unknown: move the board more gently or select a wider range"
    case .lagging(let seconds):
      "the magnetometer's samples are \(Int(bounded: (abs(seconds) * 1000).rounded())) ms "
        + "\(seconds < 0 ? "earlier" : "later") than the inertial unit's: timestamp both sensors at the "
        + "time of measurement, or read the magnetometer faster"
    case .inconsistent(let share):
      "\(Int(bounded: (share * 100).rounded())) % of the samples are inconsistent: something magnetic moved "
        + "while the sensor turned; move away from it and try again"
    case .ironChanged(let change):
      "the iron on the board changed by \(Int(bounded: change.rounded())) uT during the turn: something magnetic was "
        + "put on it or removed; set the board up as it will be used and try again"
    case .contradicted(let fault): "\(fault): \(fault.remedy)"
    case .notSolvable: "the fit did not converge; turn the sensor in all directions and try again"
    }
  }
}
