import Quantities

/// How often a device was lost in the last hour, and which of its changes are written to the log:
/// each of the first ones, then a summary an hour.
package struct ServiceRecord: Sendable {
  /// Losses in an hour from which on a device is unsteady.
  package static let mostLosses = 4
  /// The time that is counted, and the interval of the summaries, minutes.
  private static let minutes = 60

  /// What one minute had.
  private struct Minute {
    var number: Int
    var losses = 0
    var lostSeconds = 0.0
  }

  /// The words of the log.
  package struct Words {
    /// The device: `the receiver`.
    package var name: String
    /// What it does after a loss: `is in service`.
    package var back: String
    /// What to check when it is unsteady.
    package var check: String

    package init(name: String, back: String, check: String) {
      (self.name, self.back, self.check) = (name, back, check)
    }
  }

  package init() {}

  /// The losses of the last hour; at most one element a minute.
  private var recent: [Minute] = []
  private var begin: Timestamp?
  private var last: Timestamp?
  private var isLost = false
  /// How often the device was in service again after a loss.
  package private(set) var restarts = 0
  /// The minute of the last summary; nil while every change is written.
  private var summarised: Int?

  /// Counts the state at an instant. Must also be called while nothing changes: summaries are due
  /// by the time.
  /// - Parameters:
  ///   - fault: What the device does now, such as `is lost: no answer`; nil while it is in service.
  ///   - now: The instant.
  ///   - words: The words of the log.
  /// - Returns: A line for the log; nil for none.
  package mutating func update(
    _ fault: String?, at now: Timestamp, _ words: @autoclosure () -> Words
  ) -> String? {
    let number = Int(bounded: now.seconds / 60)
    let isLoss = fault != nil && !isLost
    let hasChanged = isLost != (fault != nil)
    advance(to: now, number, isLoss: isLoss)
    if isLost, fault == nil { restarts += 1 }
    isLost = fault != nil
    let figures = unsteadiness(at: now)
    if let summarised {
      guard number - summarised >= Self.minutes else { return nil }
      self.summarised = figures == nil ? nil : number
      let words = words()
      guard let figures else {
        return "\(words.name) \(fault ?? words.back), lost \(losses) times in the last hour"
      }
      return summary(fault, figures, words)
    }
    guard hasChanged else { return nil }
    guard isLoss, let figures else {
      let words = words()
      return "\(words.name) \(fault ?? words.back)"
    }
    summarised = number
    return summary(fault, figures, words()) + "; from now on reported once an hour"
  }

  private var losses: Int { recent.reduce(0) { $0 + $1.losses } }

  private func summary(
    _ fault: String?, _ figures: BoardStatus.Unsteadiness, _ words: Words
  ) -> String {
    "\(words.name) is unsteady: \(figures.text); now it \(fault ?? words.back); \(words.check)"
  }

  /// The figures of an unsteady device; nil for a steady one.
  package func unsteadiness(at now: Timestamp) -> BoardStatus.Unsteadiness? {
    let oldest = Int(bounded: now.seconds / 60) - Self.minutes
    let counted = recent.filter { $0.number > oldest }
    let losses = counted.reduce(0) { $0 + $1.losses }
    guard losses >= Self.mostLosses, let begin else { return nil }
    let observed = min(max(now.seconds(since: begin), 1), Double(Self.minutes) * 60)
    let lost = counted.reduce(0) { $0 + $1.lostSeconds }
    return BoardStatus.Unsteadiness(
      losses: losses, inService: max(0, min(1, 1 - lost / observed)))
  }

  private mutating func advance(to now: Timestamp, _ number: Int, isLoss: Bool) {
    begin = begin ?? now
    let elapsed = last.map { max(0, now.seconds(since: $0)) } ?? 0
    last = now
    recent.removeAll { number - $0.number >= Self.minutes }
    guard isLoss || isLost else { return }
    if recent.last?.number != number { recent.append(Minute(number: number)) }
    let place = recent.count - 1
    if isLoss { recent[place].losses += 1 }
    if isLost { recent[place].lostSeconds += elapsed }
  }
}

extension BoardStatus {
  /// The figures of a device that was lost repeatedly in the last hour.
  public struct Unsteadiness: Equatable, Sendable {
    /// Losses in the last hour.
    public var losses: Int
    /// The share of that time in which it was in service, 0 to 1.
    public var inService: Double

    package init(losses: Int, inService: Double) {
      (self.losses, self.inService) = (losses, inService)
    }

    /// Some words to display.
    public var text: String {
      let percent = Int(bounded: (100 * inService).rounded(.down))
      return "lost \(losses) times in the last hour, in service \(percent) % of it"
    }
  }
}
