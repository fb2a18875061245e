import Quantities

/// Why no interference was found in a field. The description is a plain sentence of what is missing or,
/// where there simply is none, of how little it can be.
public enum LoadInterferenceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There are too few field samples beside a load.
  case tooFewSamples(found: Int, needed: Int)
  /// The field was told beside a load for too short a time, seconds.
  case tooShort(seconds: Double, needed: Double)
  /// The load hardly varied: by this share of full load, of the share that is needed.
  case loadDidNotVary(share: Double, needed: Double)
  /// The field does not follow the load: at full load it moves by less than this, microtesla, 95 %.
  case fieldDoesNotFollow(atMost: Double)
  /// Something else moved: the share of samples that does not fit.
  case inconsistent(share: Double)
  /// A number given is not finite, or time went back.
  case unusable
  /// The arithmetic broke down.
  case notSolvable

  /// One sentence for people.
  public var description: String {
    switch self {
    case .tooFewSamples(let found, let needed):
      "too few field samples beside a load: \(found), at least \(needed) are needed; go on for longer"
    case .tooShort(let seconds, let needed):
      "\(decimal(seconds)) seconds are too short to tell interference from noise: go on for at least "
        + "\(decimal(needed)) seconds"
    case .loadDidNotVary(let share, let needed):
      "the load varied by \(percent(share)) % of full, at least \(percent(needed)) % are needed: switch it "
        + "between nothing and full a few times"
    case .fieldDoesNotFollow(let most):
      "the field does not follow the load: at full load it moves by less than \(decimal(most)) microtesla, "
        + "so there is nothing to compensate; if you expected more, switch the load more often"
    case .inconsistent(let share):
      "\(percent(share)) % of the samples fit no load: the board or something magnetic moved; leave it lying "
        + "still and try again"
    case .unusable:
      "a load or field sample without numbers, or out of order: look after its source and try again"
    case .notSolvable:
      "the fit did not settle: switch the load between nothing and full a few times"
    }
  }
}

private func percent(_ share: Double) -> Int {
  share.isFinite ? Int((max(-10, min(10, share)) * 100).rounded()) : 0
}
