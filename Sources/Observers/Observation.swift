/// The registration of an observer; ends when cancelled or released.
public final class Observation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes an observation that calls `end` when it is cancelled or released.
  public init(onEnd end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the observation.
  public func cancel() { end() }

  deinit { end() }
}
