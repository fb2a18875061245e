/// Requests an authorization that the program needs while it holds the session.
///
/// A session ends when it is invalidated or released. Programs on Linux need no session:
/// `liveUpdates` and `CLMonitor` request `whenInUse` themselves, as on Apple's platforms without
/// the key `NSLocationRequireExplicitServiceSession`.
public final class CLServiceSession: Sendable {
  /// The authorization that a session requests.
  public enum AuthorizationRequirement: Hashable, Sendable {
    /// No request: any decision is sufficient.
    case none
    /// To use most services while the program is in use.
    case whenInUse
    /// To use every service at any time.
    case always
  }

  private let session: SessionDiagnostics

  /// Begins a session.
  /// - Parameter authorization: The authorization to request where it is not determined.
  public init(authorization: AuthorizationRequirement) {
    session = SessionDiagnostics(services: .current, wanted: authorization.status)
  }

  /// Begins a session that also requests full accuracy where the program has reduced accuracy.
  /// - Parameters:
  ///   - authorization: The authorization to request where it is not determined.
  ///   - fullAccuracyPurposeKey: The name of the purpose in the policy.
  public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    session = SessionDiagnostics(
      services: .current, wanted: authorization.status, purposeKey: fullAccuracyPurposeKey)
  }

  deinit { session.end() }

  /// The obstacles of the session: the current ones, then each change.
  public var diagnostics: Diagnostics { Diagnostics(session: session) }

  /// Ends the session and its diagnostics for good.
  public func invalidate() { session.end() }

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
    /// Never: this is a service session.
    public var serviceSessionRequired: Bool { obstacles.contains(.serviceSessionRequired) }
    /// Full accuracy was requested and not granted.
    public var fullAccuracyDenied: Bool { obstacles.contains(.fullAccuracyDenied) }
    /// The session requires `always` and has `whenInUse`.
    public var alwaysAuthorizationDenied: Bool { obstacles.contains(.alwaysDenied) }
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

extension CLServiceSession.AuthorizationRequirement {
  /// The authorization status to request; nil for none.
  var status: CLAuthorizationStatus? {
    switch self {
    case .none: nil
    case .whenInUse: .authorizedWhenInUse
    case .always: .authorizedAlways
    }
  }
}
