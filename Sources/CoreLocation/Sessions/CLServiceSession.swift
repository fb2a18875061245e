/// Says that the program needs an authorization for as long as it holds the session, and asks for it.
///
/// A session ends when it is invalidated or released. Programs on Linux need none: `liveUpdates` and
/// `CLMonitor` ask for `whenInUse` themselves, as on Apple's platforms without the key
/// `NSLocationRequireExplicitServiceSession`.
public final class CLServiceSession: Sendable {
  /// What a session asks for.
  public enum AuthorizationRequirement: Hashable, Sendable {
    /// Nothing: whatever was decided will do.
    case none
    /// To use most services while the program is in use.
    case whenInUse
    /// To use every service at any time.
    case always
  }

  private let session: SessionDiagnostics

  /// Begins a session.
  /// - Parameter authorization: What to ask for where nobody has decided yet.
  public init(authorization: AuthorizationRequirement) {
    session = SessionDiagnostics(
      authority: LocationServices.current.authority, wanted: authorization.status)
  }

  /// Begins a session that also asks for full accuracy where only the area may be known.
  /// - Parameters:
  ///   - authorization: What to ask for where nobody has decided yet.
  ///   - fullAccuracyPurposeKey: The purpose as the policy names it.
  public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    session = SessionDiagnostics(
      authority: LocationServices.current.authority, wanted: authorization.status,
      purposeKey: fullAccuracyPurposeKey)
  }

  deinit { session.end() }

  /// What stands in the way of the session: as it is now, then each change.
  public var diagnostics: Diagnostics { Diagnostics(session: session) }

  /// Ends the session and its diagnostics; it cannot begin again.
  public func invalidate() { session.end() }

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
    /// Never: the session is one.
    public var serviceSessionRequired: Bool { obstacles.contains(.serviceSessionRequired) }
    /// Full accuracy was asked for and not granted.
    public var fullAccuracyDenied: Bool { obstacles.contains(.fullAccuracyDenied) }
    /// The session requires `always` and has `whenInUse`.
    public var alwaysAuthorizationDenied: Bool { obstacles.contains(.alwaysDenied) }
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

extension CLServiceSession.AuthorizationRequirement {
  /// What it asks for; nil where nothing.
  var status: CLAuthorizationStatus? {
    switch self {
    case .none: nil
    case .whenInUse: .authorizedWhenInUse
    case .always: .authorizedAlways
    }
  }
}
