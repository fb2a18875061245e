/// How many fixes an application needs from the receiver.
public enum ReceiverDemand: Equatable, Sendable {
  /// Every fix.
  case continuous
  /// A good fix at intervals: the receiver sleeps for `seconds`, then wakes until a good fix has
  /// arrived.
  case every(seconds: Double)
  /// No fix: the receiver sleeps until the demand changes.
  case none
}

extension ReceiverDemand {
  /// The more demanding of two.
  public static func most(_ a: ReceiverDemand, _ b: ReceiverDemand) -> ReceiverDemand {
    switch (a, b) {
    case (.continuous, _), (_, .continuous): .continuous
    case (.none, let other), (let other, .none): other
    case (.every(let x), .every(let y)): .every(seconds: min(x, y))
    }
  }
}
