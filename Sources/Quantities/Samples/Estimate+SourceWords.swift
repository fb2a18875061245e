extension Estimate {
  /// The state of the source of headings, in words for people; nil for a live one and for a board
  /// without one.
  public var headingTrouble: String? {
    guard let headingState else { return nil }
    return switch headingState {
    case .live: nil
    case .awaited: "no heading yet"
    case .late: "the compass is late, the heading is carried on"
    case .lost: "no heading, the compass is silent" + age(since: headingStateSince)
    case .contradicted: "the heading is contradicted" + age(since: headingStateSince)
    case .ended: "no heading, the recording is over"
    }
  }

  /// The same of the source of positions.
  public var positionTrouble: String? {
    guard let positionState else { return nil }
    return switch positionState {
    case .live: nil
    case .awaited: "no position yet, the receiver searches"
    case .late: "no fix, the position is carried on"
    case .lost: "no fix, the receiver is silent or sees too little" + age(since: positionStateSince)
    case .contradicted: "the position contradicts the motion" + age(since: positionStateSince)
    case .ended: "no position, the recording is over"
    }
  }

  private func age(since begin: Timestamp?) -> String {
    guard let begin else { return "" }
    let seconds = Int(bounded: timestamp.seconds(since: begin))
    if seconds < 1 { return "" }
    if seconds < 120 { return " for \(seconds) s" }
    return seconds < 7200 ? " for \(seconds / 60) min" : " for \(seconds / 3600) h"
  }
}
