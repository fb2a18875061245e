internal import LinuxIO
internal import Observers

/// The obstacles of one session, reported to any number of readers until the session ends.
///
/// While the session is held it requests the required authorization, once at the beginning and
/// again when a decision has lapsed. With a purpose it also requests full accuracy.
final class SessionDiagnostics: Sendable {
  /// The maximum number of diagnostics that wait for a slow reader; the oldest are dropped.
  static let backlog = 8

  private let services: LocationServices
  private let wanted: CLAuthorizationStatus?
  private let purposeKey: String?
  private let shared = Locked(Shared())
  private let observations = Locked<[Observation]>([])

  private struct Shared {
    var isOver = false
    var requestedFor: CLAuthorizationStatus?
    var newest: Obstacles?
    var hasAskedForAccuracy = false
    var isAccuracyDenied = false
    var readers: [Int: AsyncStream<Obstacles>.Continuation] = [:]
    var nextKey = 0
  }

  /// Begins the session.
  /// - Parameters:
  ///   - services: Decide on the requests, and open the source.
  ///   - wanted: The required authorization; nil for no request.
  ///   - purposeKey: The purpose of full accuracy; nil for no request.
  init(
    services: LocationServices, wanted: CLAuthorizationStatus? = nil, purposeKey: String? = nil
  ) {
    (self.services, self.wanted, self.purposeKey) = (services, wanted, purposeKey)
    let new = [
      services.authority.observe { [weak self] in self?.request() },
      services.observeStatus { [weak self] in self?.refresh() },
    ]
    observations.withLock { $0 = new }
    request()
    // Opening a source may take time.
    services.queue.async { [weak self] in self?.refresh() }
  }

  /// Ends the session and the streams of its diagnostics. A second call does nothing.
  func end() {
    let readers = shared.withLock { shared in
      shared.isOver = true
      defer { shared.readers = [:] }
      return Array(shared.readers.values)
    }
    for reader in readers { reader.finish() }
    let ended = observations.withLock { observations in
      defer { observations = [] }
      return observations
    }
    for observation in ended { observation.cancel() }
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

  private func request() {
    let authority = services.authority
    if let wanted, isDue(authority.authorization, for: wanted) { authority.request(wanted) }
  }

  /// Reports the obstacles; called on the services' queue.
  private func refresh() {
    let authority = services.authority
    let isReduced = authority.accuracy == .reducedAccuracy
    var obstacles = Obstacles(services).subtracting(.accuracyLimited)
    if wanted == .authorizedAlways, authority.authorization == .authorizedWhenInUse {
      obstacles.insert(.alwaysDenied)
    }
    let asksForAccuracy = shared.withLock { shared in
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
      defer { shared.requestedFor = status }
      return shared.requestedFor
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
      let isDenied = services.authority.requestFullAccuracy(purposeKey: purposeKey) != nil
      shared.withLock { $0.isAccuracyDenied = isDenied }
      services.queue.async { [self] in refresh() }
    }
  }

  private func publish(_ obstacles: Obstacles, _ shared: inout Shared) {
    guard !shared.isOver, obstacles != shared.newest else { return }
    shared.newest = obstacles
    for reader in shared.readers.values { reader.yield(obstacles) }
  }
}
