/// How often monitoring needs a fix; the receiver may sleep in between.
public enum FixDemand: Codable, Equatable, Sendable {
  /// No fix is needed.
  case none
  /// One good fix within this many seconds after the last.
  case every(seconds: Double)
  /// One fix a second: a decision is in progress.
  case continuous

  /// The more demanding of two.
  public static func most(_ a: FixDemand, _ b: FixDemand) -> FixDemand {
    switch (a, b) {
    case (.continuous, _), (_, .continuous): .continuous
    case (.none, let other), (let other, .none): other
    case (.every(let x), .every(let y)): .every(seconds: min(x, y))
    }
  }
}
