/// How much of the receiver somebody wants.
public enum ReceiverDemand: Equatable, Sendable {
  /// Every fix.
  case continuous
  /// A good fix now and then: asleep for so long, then awake until one has come.
  case every(seconds: Double)
  /// No fix: asleep until something else is wanted.
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
