internal import Observers

/// Continues live updates and monitoring while the program is stopped, for as long as the program
/// holds the session.
///
/// On Linux it is a lease at the daemon, which stores updates and events until the program runs
/// again. Without the daemon a stopped program receives nothing.
public final class CLBackgroundActivitySession: Sendable {
  private let session: SessionDiagnostics
  private let lease: Observation

  /// Begins a session.
  public init() {
    let services = LocationServices.current
    session = SessionDiagnostics(services: services)
    lease = services.holdActivity()
  }

  deinit { invalidate() }

  /// The obstacles of the session: the current ones, then each change.
  public var diagnostics: Diagnostics { Diagnostics(session: session) }

  /// Ends the session and its diagnostics for good.
  public func invalidate() {
    lease.cancel()
    session.end()
  }

  /// The obstacles of a session; none where every property is false.
  public struct Diagnostic: Sendable {
    let obstacles: Obstacles

    /// The program has no authorization for locations.
    public var authorizationDenied: Bool { obstacles.contains(.denied) }
    /// Location services are off for every program, or no source can be opened.
    public var authorizationDeniedGlobally: Bool { obstacles.contains(.deniedGlobally) }
    /// An administrator's rule forbids it.
    public var authorizationRestricted: Bool { obstacles.contains(.restricted) }
    /// The authorization was requested and is not determined yet.
    public var authorizationRequestInProgress: Bool { obstacles.contains(.requestInProgress) }
    /// Never: a program on Linux counts as in use while it runs.
    public var insufficientlyInUse: Bool { obstacles.contains(.insufficientlyInUse) }
    /// Never: no service needs a `CLServiceSession`.
    public var serviceSessionRequired: Bool { obstacles.contains(.serviceSessionRequired) }
  }

  /// The obstacles of the session: those at the beginning of a loop, then each change, until the
  /// session ends. Each loop receives all of them.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// The obstacles.
    public typealias Element = Diagnostic

    private let session: SessionDiagnostics

    init(session: SessionDiagnostics) { self.session = session }

    /// Begins to receive diagnostics.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: session.stream().makeAsyncIterator())
    }

    /// Receives diagnostics until it is released.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<Obstacles>.Iterator

      /// The current diagnostic first, then the next change; nil once the session has ended or the
      /// task was cancelled.
      public mutating func next() async throws -> Diagnostic? {
        await base.next().map(Diagnostic.init(obstacles:))
      }
    }
  }
}
