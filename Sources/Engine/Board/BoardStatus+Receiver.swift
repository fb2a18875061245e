extension BoardStatus {
  /// What became of a receiver's set-up.
  public struct ReceiverSetUp: Equatable, Sendable {
    /// Which receiver it is; nil where it does not answer.
    public var receiver: String?
    /// What it has as it was wanted.
    public var set: [String] = []
    /// What it has not, with the reason.
    public var refused: [String] = []
    /// Where it was saved, or that it could not be; nil for a temporary set-up.
    public var saved: String?
    /// What could not be put back at the end.
    public var notUndone: [String] = []

    /// One line for people.
    public var text: String {
      guard let receiver else {
        return "the receiver does not answer UBX and is left as it is"
      }
      var words = ["\(receiver) has \(set.isEmpty ? "nothing" : set.joined(separator: ", ")) set"]
      if !refused.isEmpty { words.append("not set: \(refused.joined(separator: ", "))") }
      if let saved { words.append(saved) }
      if !notUndone.isEmpty { words.append("not put back: \(notUndone.joined(separator: ", "))") }
      return words.joined(separator: "; ")
    }
  }

  /// RTCM 3 frames that were passed on.
  public struct Corrections: Equatable, Sendable {
    /// Frames by message type.
    public var counts: [Int: Int] = [:]
    /// Frames that were too old before the line was free.
    public var dropped = 0
    /// Why none come now; nil while all is well.
    public var fault: String?
    /// True once the source is at its end.
    public var hasEnded = false

    /// One line for people.
    public var text: String {
      var words = counts.sorted { $0.key < $1.key }.map { "\($0.key) \u{D7} \($0.value)" }
      if words.isEmpty { words = ["none yet"] }
      if dropped > 0 { words.append("\(dropped) too old") }
      if hasEnded { words.append("at its end") }
      if let fault { words.append(fault) }
      return words.joined(separator: ", ")
    }
  }
}

extension BoardStatus.Corrections {
  mutating func take(_ frames: CorrectionFrames) {
    counts = frames.counts
    dropped = frames.dropped
  }
}
