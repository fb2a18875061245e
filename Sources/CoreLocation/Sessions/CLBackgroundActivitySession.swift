internal import Engine

/// Keeps live updates and monitoring going for the program while the program is stopped, for as long as
/// it holds the session.
///
/// On Linux it is a lease with the daemon, which keeps what it has for the program until the program
/// runs again. A program without the daemon gets nothing while it is stopped.
public final class CLBackgroundActivitySession: Sendable {
  private let session: SessionDiagnostics
  private let lease: Observation

  /// Begins a session.
  public init() {
    let services = LocationServices.current
    session = SessionDiagnostics(authority: services.authority)
    lease = services.holdActivity()
  }

  deinit { invalidate() }

  /// What stands in the way of the session: as it is now, then each change.
  public var diagnostics: Diagnostics { Diagnostics(session: session) }

  /// Ends the session and its diagnostics; it cannot begin again.
  public func invalidate() {
    lease.cancel()
    session.end()
  }

  /// What stands in the way of a session; nothing where nothing is true.
  public struct Diagnostic: Sendable {
    let obstacles: Obstacles

    /// The program may not use locations.
    public var authorizationDenied: Bool { obstacles.contains(.denied) }
    /// No program may: location services are off.
    public var authorizationDeniedGlobally: Bool { obstacles.contains(.deniedGlobally) }
    /// An administrator's rule forbids it.
    public var authorizationRestricted: Bool { obstacles.contains(.restricted) }
    /// The authorization was asked for, and nobody has answered yet.
    public var authorizationRequestInProgress: Bool { obstacles.contains(.requestInProgress) }
    /// Never: a program on Linux counts as in use while it runs.
    public var insufficientlyInUse: Bool { obstacles.contains(.insufficientlyInUse) }
    /// Never: no service needs a `CLServiceSession`.
    public var serviceSessionRequired: Bool { obstacles.contains(.serviceSessionRequired) }
  }

  /// What stands in the way of the session: as it is when a loop begins, then each change, until the
  /// session ends. Each loop hears everything.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// What stands in the way.
    public typealias Element = Diagnostic

    private let session: SessionDiagnostics

    init(session: SessionDiagnostics) { self.session = session }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: session.stream().makeAsyncIterator())
    }

    /// Listens until it is released.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<Obstacles>.Iterator

      /// What is so now at first, then the next change; nil once the session has ended or the task was
      /// cancelled.
      public mutating func next() async throws -> Diagnostic? {
        await base.next().map(Diagnostic.init(obstacles:))
      }
    }
  }
}
