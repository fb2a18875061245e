import Quantities

/// What the helm view shows of a heading's source, as large as the heading: the most severe state.
enum HelmState: String {
  /// No heading that may be steered by: no number is shown.
  case none = "NO HEADING"
  /// Physics or another source contradicts it.
  case contradicted = "CONTRADICTED"
  /// Carried on from the last sample.
  case late = "LATE"
  /// Its error may be larger than what a course can be held to, or is not known.
  case inaccurate = "INACCURATE"
  /// No sensor stands behind it.
  case simulated = "SIMULATED"
  /// Nothing to report.
  case live = ""

  /// Accuracy (95 %) from which a heading is inaccurate, degrees; the web page has the same.
  static let inaccurateDegrees = 20.0

  init(_ readings: Readings) {
    guard let estimate = readings.estimate, !readings.isOld, readings.headingDegrees != nil,
      estimate.headingState?.isGone != true
    else {
      self = .none
      return
    }
    let accuracy =
      readings.north == .true ? estimate.trueHeadingAccuracy : estimate.headingAccuracy
    if estimate.headingState == .contradicted || estimate.tiltContradiction != nil {
      self = .contradicted
    } else if estimate.headingState == .late {
      self = .late
    } else if !((accuracy?.degrees ?? .infinity) <= Self.inaccurateDegrees) {
      self = .inaccurate
    } else {
      self = estimate.isSimulated ? .simulated : .live
    }
  }

  /// The colour of the state and of the number beside it.
  var role: Role {
    switch self {
    case .none, .contradicted: .alarm
    case .late, .inaccurate: .caution
    case .simulated, .live: .accent
    }
  }
}
