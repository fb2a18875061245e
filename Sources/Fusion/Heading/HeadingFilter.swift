import Quantities

/// Passes a heading if it differs enough from the last passed one.
///
/// The difference is the shorter angle: from 359 degrees to 1 degree is 2 degrees.
public struct HeadingFilter: Equatable, Sendable {
  /// Minimum difference; at zero or below every heading passes.
  public var minimumChange: Angle

  private var reference: Angle?

  /// Rounding error of whole degrees; far below the resolution of any compass.
  private static var tolerance: Double { 1e-9 }

  /// Makes a filter that passes the first heading.
  public init(minimumChange: Angle) { self.minimumChange = minimumChange }

  /// Whether the heading would pass now; the reference stays as it is.
  public func wouldPass(_ heading: Angle) -> Bool {
    guard heading.radians.isFinite else { return false }
    guard let reference else { return true }
    let turn = abs((heading - reference).wrappedToHalfTurn.radians)
    return !(turn + Self.tolerance < minimumChange.radians)
  }

  /// Whether the heading passes; if so, it becomes the reference. The first one passes.
  public mutating func passes(_ heading: Angle) -> Bool {
    guard wouldPass(heading) else { return false }
    reference = heading
    return true
  }

  /// Resets the reference: the next heading passes.
  public mutating func reset() { reference = nil }
}
