import Quantities

/// Lets a heading through once it has turned far enough from the last one that it let through.
///
/// The turn is measured the short way round: from 359 degrees to 1 degree is 2 degrees.
public struct HeadingFilter: Equatable, Sendable {
  /// The smallest turn that passes; zero and below let every heading through.
  public var minimumChange: Angle

  private var reference: Angle?

  /// What rounding takes from a turn of whole degrees; far below what any compass resolves.
  private static var tolerance: Double { 1e-9 }

  /// Makes a filter that has let nothing through yet.
  public init(minimumChange: Angle) { self.minimumChange = minimumChange }

  /// Whether the heading passes; if so, later turns are measured from it. The first one passes.
  public mutating func passes(_ heading: Angle) -> Bool {
    guard heading.radians.isFinite else { return false }
    if let reference {
      let turn = abs((heading - reference).wrappedToHalfTurn.radians)
      if turn + Self.tolerance < minimumChange.radians { return false }
    }
    reference = heading
    return true
  }

  /// Forgets what was let through: the next heading passes.
  public mutating func reset() { reference = nil }
}
