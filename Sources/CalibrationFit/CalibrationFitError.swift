/// Why no calibration came of the samples. The description is a plain sentence of what is missing.
public enum CalibrationFitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There are too few samples to fit anything.
  case tooFewSamples(found: Int, needed: Int)
  /// The sensor was hardly turned.
  case tooLittleMotion(String)
  /// The magnetometer told the same all the time though the board turned.
  case frozenMagnetometer
  /// The gyroscope or accelerometer told the same all the time though the field turned.
  case frozenInertialUnit(String)
  /// So many samples stood at the end of the sensor's range.
  case saturated(share: Double)
  /// So much of the turning stood at the end of the gyroscope's range.
  case gyroscopeAtLimit(share: Double)
  /// So much of the time stood at the end of the accelerometer's range.
  case accelerometerAtLimit(share: Double)
  /// The magnetometer reports later than the inertial unit by so much, or earlier where negative.
  case lagging(seconds: Double)
  /// What was measured follows no distortion of the earth's field: the share that does not fit.
  case inconsistent(share: Double)
  /// The hard iron was another after some moment: by so much, microtesla.
  case ironChanged(microtesla: Double)
  /// The arithmetic broke down.
  case notSolvable

  /// One sentence for people.
  public var description: String {
    switch self {
    case .tooFewSamples(let found, let needed):
      "too few field samples: \(found), at least \(needed) are needed; turn the sensor for longer"
    case .tooLittleMotion(let wanted): "too little motion to calibrate: \(wanted)"
    case .frozenMagnetometer:
      "the magnetometer told the same field all the time though the board turned: it hangs; take its "
        + "power away and try again"
    case .frozenInertialUnit(let name):
      "the \(name) told the same all the time though the field turned: it hangs; take its power away "
        + "and try again"
    case .saturated(let share):
      "\(Int((share * 100).rounded())) % of the field samples stand at the end of the sensor's range: a "
        + "magnet is too close; take it away or choose a wider range"
    case .gyroscopeAtLimit(let share):
      "the gyroscope stands at the end of its range for \(Int((share * 100).rounded())) % of the turning, so "
        + "the orientation is not known: turn the board more slowly or choose a wider range"
    case .accelerometerAtLimit(let share):
      "the accelerometer stands at the end of its range for \(Int((share * 100).rounded())) % of the time, so "
        + "level is not known: move the board more gently or choose a wider range"
    case .lagging(let seconds):
      "the magnetometer's samples are \(Int((abs(seconds) * 1000).rounded())) ms "
        + "\(seconds < 0 ? "earlier" : "later") than the inertial unit's: give both sensors the time at which "
        + "they measured, or read the magnetometer faster"
    case .inconsistent(let share):
      "\(Int((share * 100).rounded())) % of the samples do not fit together: something magnetic moved "
        + "while the sensor turned; go away from it and try again"
    case .ironChanged(let change):
      "the iron on the board changed by \(Int(change.rounded())) uT while it was turned: something magnetic "
        + "was put on it or taken off; leave it as it will be used and try again"
    case .notSolvable: "the fit did not settle; turn the sensor in all directions and try again"
    }
  }
}
