/// How often monitoring needs a fix: what a receiver may sleep through.
public enum FixDemand: Codable, Equatable, Sendable {
  /// Nothing that is monitored needs a place.
  case none
  /// One good fix in so many seconds, counted from the last.
  case every(seconds: Double)
  /// A fix a second: something is being decided.
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
