import Quantities

/// Why no interference was estimated. The description says what is missing or, if there is no
/// interference, its upper limit.
public enum LoadInterferenceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There are too few field samples with a load.
  case tooFewSamples(found: Int, needed: Int)
  /// The data with a load is too short, seconds.
  case tooShort(seconds: Double, needed: Double)
  /// The load varied too little: fraction of full load, and the needed fraction.
  case loadDidNotVary(share: Double, needed: Double)
  /// The field does not depend on the load: the upper limit of the effect at full load, microtesla,
  /// 95 %.
  case fieldDoesNotFollow(atMost: Double)
  /// Something else moved: the share of samples that do not fit.
  case inconsistent(share: Double)
  /// A number is not finite, or time went back.
  case unusable
  /// The equations were not solvable.
  case notSolvable

  /// The message for the user.
  public var description: String {
    switch self {
    case .tooFewSamples(let found, let needed):
      "too few field samples with a load: \(found), at least \(needed) are needed; record for longer"
    case .tooShort(let seconds, let needed):
      "\(decimal(seconds)) seconds are too short to separate interference from noise: record for at least "
        + "\(decimal(needed)) seconds"
    case .loadDidNotVary(let share, let needed):
      "the load varied by \(percent(share)) % of full, at least \(percent(needed)) % are needed: switch it "
        + "between nothing and full a few times"
    case .fieldDoesNotFollow(let most):
      "the field does not depend on the load: at full load it changes by less than \(decimal(most)) microtesla, "
        + "so there is nothing to compensate; if you expected more, switch the load more often"
    case .inconsistent(let share):
      "\(percent(share)) % of the samples fit no load: the board or something magnetic moved; leave it at "
        + "rest and try again"
    case .unusable:
      "a load or field sample is not finite or out of order: check its source and try again"
    case .notSolvable:
      "the fit did not converge: switch the load between nothing and full a few times"
    }
  }
}

private func percent(_ share: Double) -> Int {
  share.isFinite ? Int(bounded: (max(-10, min(10, share)) * 100).rounded()) : 0
}
