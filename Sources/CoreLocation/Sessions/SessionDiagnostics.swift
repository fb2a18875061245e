internal import LinuxIO
internal import Observers

/// The obstacles of one session, reported to any number of readers until the session ends.
///
/// While the session is held it requests the required authorization, once at the beginning and
/// again when a decision has lapsed. With a purpose it also requests full accuracy.
final class SessionDiagnostics: Sendable {
  /// The maximum number of diagnostics that wait for a slow reader; the oldest are dropped.
  static let backlog = 8

  private let authority: any AccessAuthority
  private let wanted: CLAuthorizationStatus?
  private let purposeKey: String?
  private let shared = Locked(Shared())
  private let observation = Locked<Observation?>(nil)

  private struct Shared {
    var isOver = false
    var status: CLAuthorizationStatus?
    var newest: Obstacles?
    var hasAskedForAccuracy = false
    var isAccuracyDenied = false
    var readers: [Int: AsyncStream<Obstacles>.Continuation] = [:]
    var nextKey = 0
  }

  /// Begins the session.
  /// - Parameters:
  ///   - authority: Decides on the requests.
  ///   - wanted: The required authorization; nil for no request.
  ///   - purposeKey: The purpose of full accuracy; nil for no request.
  init(
    authority: any AccessAuthority, wanted: CLAuthorizationStatus? = nil, purposeKey: String? = nil
  ) {
    (self.authority, self.wanted, self.purposeKey) = (authority, wanted, purposeKey)
    let observation = authority.observe { [weak self] in self?.refresh() }
    self.observation.withLock { $0 = observation }
    refresh()
  }

  /// Ends the session and the streams of its diagnostics. A second call does nothing.
  func end() {
    let readers = shared.withLock { shared in
      shared.isOver = true
      defer { shared.readers = [:] }
      return Array(shared.readers.values)
    }
    for reader in readers { reader.finish() }
    let observation = observation.withLock { observation in
      defer { observation = nil }
      return observation
    }
    observation?.cancel()
  }

  /// The current obstacles and each change; an ended stream once the session has ended.
  func stream() -> AsyncStream<Obstacles> {
    let (stream, reader) = AsyncStream.makeStream(
      of: Obstacles.self, bufferingPolicy: .bufferingNewest(Self.backlog))
    let key = shared.withLock { shared -> Int? in
      guard !shared.isOver else { return nil }
      shared.nextKey += 1
      shared.readers[shared.nextKey] = reader
      if let newest = shared.newest { reader.yield(newest) }
      return shared.nextKey
    }
    guard let key else {
      reader.finish()
      return stream
    }
    reader.onTermination = { [weak self] _ in
      self?.shared.withLock { _ = $0.readers.removeValue(forKey: key) }
    }
    return stream
  }

  // MARK: Requests

  private func refresh() {
    if let wanted, isDue(authority.authorization, for: wanted) { authority.request(wanted) }
    let status = authority.authorization
    let isReduced = authority.accuracy == .reducedAccuracy
    var obstacles = Obstacles(status)
    if wanted == .authorizedAlways, status == .authorizedWhenInUse {
      obstacles.insert(.alwaysDenied)
    }
    let asksForAccuracy = shared.withLock { shared in
      shared.status = status
      if isReduced, shared.isAccuracyDenied { obstacles.insert(.fullAccuracyDenied) }
      publish(obstacles, &shared)
      let isAuthorized = obstacles.isDisjoint(with: .authorization)
      let asks = purposeKey != nil && isReduced && isAuthorized && !shared.hasAskedForAccuracy
      if asks { shared.hasAskedForAccuracy = true }
      return asks
    }
    if asksForAccuracy { askForAccuracy() }
  }

  /// Whether to request the authorization: the first time, or when a decision has lapsed.
  private func isDue(_ status: CLAuthorizationStatus, for wanted: CLAuthorizationStatus) -> Bool {
    let before = shared.withLock { shared in
      defer { shared.status = status }
      return shared.status
    }
    if before == status { return false }
    switch status {
    case .notDetermined: return true
    case .authorizedWhenInUse: return wanted == .authorizedAlways && before == nil
    case .restricted, .denied, .authorizedAlways: return false
    }
  }

  private func askForAccuracy() {
    guard let purposeKey else { return }
    // The daemon's answer may take time.
    DispatchQueue.global().async { [self] in
      let isDenied = authority.requestFullAccuracy(purposeKey: purposeKey) != nil
      shared.withLock { $0.isAccuracyDenied = isDenied }
      refresh()
    }
  }

  private func publish(_ obstacles: Obstacles, _ shared: inout Shared) {
    guard !shared.isOver, obstacles != shared.newest else { return }
    shared.newest = obstacles
    for reader in shared.readers.values { reader.yield(obstacles) }
  }
}
