import Dispatch
import Formats
import Glibc
import HostProtocol
import JSON
import LinuxIO
import Observers
import Quantities
import ReceiverProtocols

/// What pages and requests receive of the host: the newest values, and messages for all open
/// WebSockets.
final class LiveData: Sendable {
  /// The attribute of a WebSocket with the identifier of its token.
  static let tokenAttribute = "token"
  /// The least interval between two messages of one kind, seconds.
  private static let (estimateInterval, fieldInterval) = (0.1, 0.2)
  /// The points of one message.
  private static let mostPoints = 10
  /// How long a request waits for a value, and the interval of its looks, seconds.
  private static let (timeout, look) = (2.5, 0.05)
  /// The interval of the checks of permissions and connections, seconds.
  private static let checkInterval = 1.0
  private struct State {
    /// The open WebSockets by number, with the identifiers of valid tokens.
    var viewers: [Int: String?] = [:]
    /// The newest sign of each token's user.
    var seen: [String: Timestamp] = [:]
    var isChecking = false
    /// The requests that wait for a value.
    var waiting = 0
    var lastEstimate: Timestamp?
    var lastField: Timestamp?
    var points: [SIMD3<Double>] = []
    var feed: HostFeed?
    var troubles: Observation?
    var calibration: WebCalibration?
    var deviation: DeviationReader?
  }

  private let state = Locked(State())
  /// Held from a change to its request, so that requests are in the order of the changes.
  private let changes = Locked(())
  private let name: String
  private let context: ServerContext
  private let settings: HTTPSettings
  private let tokens: HTTPTokens
  /// The WebSockets that receive all messages.
  let sockets = WebSockets()

  init(_ name: String, _ settings: HTTPSettings, _ tokens: HTTPTokens, _ context: ServerContext) {
    (self.name, self.settings, self.tokens, self.context) = (name, settings, tokens, context)
  }

  func start() {
    let feed = HostFeed(name, context, takesEarly: true) { [weak self] in self?.receive($0) }
    let calibration = WebCalibration(feed.client, context.log) { [weak self] in self?.send($0) }
    let troubles = feed.client.observeTroubles { [weak self] source in
      guard let self else { return }
      send(sourceMessage(source))
    }
    state.withLock {
      ($0.feed, $0.calibration, $0.troubles) = (feed, calibration, troubles)
      $0.deviation = DeviationReader(feed.client)
    }
    sockets.receive { [weak self] in self?.receive($1, of: $0) }
  }

  func stop() {
    let (feed, calibration) = state.withLock { state in
      defer {
        (state.feed, state.calibration, state.troubles) = (nil, nil, nil)
        state.deviation = nil
      }
      return (state.feed, state.calibration)
    }
    calibration?.stop()
    feed?.stop()
  }

  /// What the device of NMEA 2000 counts; nil without one.
  var nmea2000: NMEA2000Counts? { context.nmea2000.withLock { $0 } }

  /// The calibration; nil before the start.
  var calibration: WebCalibration? { state.withLock { $0.calibration } }
  /// The reader of the deviation; nil before the start.
  var deviation: DeviationReader? { state.withLock { $0.deviation } }
  private var feed: HostFeed? { state.withLock { $0.feed } }
  var source: SourceDescription { feed?.source ?? SourceDescription(isOpen: false) }
  var receiverCondition: ReceiverCondition? { feed?.receiverCondition }
  var boardHealth: BoardHealth? { feed?.boardHealth }
  var outputs: [OutputCount] { context.outputs.all }
  var viewers: Int { state.withLock { $0.viewers.count } }

  // MARK: Requests

  /// Calls `done` with the newest estimate, at once or on another thread; waits for one at most 2.5
  /// s.
  func awaitEstimate(_ done: @escaping @Sendable (Estimate?) -> Void) {
    awaitValue({ $0.latest }, done)
  }

  /// Does the same with the newest satellites.
  func awaitSky(_ done: @escaping @Sendable (SkyReport?) -> Void) { awaitValue({ $0.sky }, done) }

  private func awaitValue<Value: Sendable>(
    _ value: @escaping @Sendable (HostFeed) -> Value?, _ done: @escaping @Sendable (Value?) -> Void
  ) {
    change { $0.waiting += 1 }
    poll(for: value, until: MonotonicClock.now.advanced(bySeconds: Self.timeout)) { [self] found in
      change { $0.waiting -= 1 }
      done(found)
    }
  }

  private func poll<Value: Sendable>(
    for value: @escaping @Sendable (HostFeed) -> Value?, until deadline: Timestamp,
    _ done: @escaping @Sendable (Value?) -> Void
  ) {
    let found = feed.flatMap(value)
    guard found == nil, MonotonicClock.now < deadline else { return done(found) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.look) { [self] in
      poll(for: value, until: deadline, done)
    }
  }

  /// Changes the state, and requests what is needed then.
  private func change(_ body: (inout State) -> Void) {
    changes.withLock { _ in
      let (feed, isNeeded, hasViewers) = state.withLock { state in
        body(&state)
        return (state.feed, state.waiting > 0 || !state.viewers.isEmpty, !state.viewers.isEmpty)
      }
      var needs: HostNeeds = []
      if isNeeded { needs.formUnion([.estimates, .receiver]) }
      if hasViewers { needs.insert(.samples) }
      feed?.request(needs)
    }
  }

  // MARK: WebSockets

  /// A new WebSocket receives the source and the calibration at once, then all that follows. What
  /// it sends is ignored.
  private func receive(_ event: WebSocketEvent, of number: Int) {
    switch event {
    case .opened(let attributes):
      let token = attributes[Self.tokenAttribute]
      for message in [sourceMessage(source), calibration?.message] {
        if let message { sockets.send(message, to: number) }
      }
      change { $0.viewers[number] = .some(token) }
      check()
      if let token { recordActivity(token) }
    case .closed: change { $0.viewers[number] = nil }
    case .sign:
      if let token = state.withLock({ $0.viewers[number] ?? nil }) { recordActivity(token) }
    case .text: break
    }
  }

  /// Records the time of a request, or of WebSocket data, with a token.
  func recordActivity(_ token: String) {
    state.withLock { $0.seen[token] = MonotonicClock.now }
    check()
  }

  private func send(_ message: [UInt8]) {
    if viewers > 0 { sockets.send(message) }
  }

  // MARK: Checks, once a second while a page is open or a calibration runs

  private func check() {
    let isFirst = state.withLock { state in
      defer { state.isChecking = true }
      return !state.isChecking
    }
    if isFirst { checkLater() }
  }

  private func checkLater() {
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.checkInterval) { [weak self] in
      guard let self else { return }
      checkViewers()
      checkCalibration()
      let isRunning = calibration?.owner != nil
      let isNeeded = state.withLock { state in
        state.isChecking = isRunning || !state.viewers.isEmpty
        return state.isChecking
      }
      // A calibration may have begun meanwhile.
      if isNeeded { checkLater() } else if calibration?.owner != nil { check() }
    }
  }

  /// Withdraws a revoked token's permission from its WebSockets.
  private func checkViewers() {
    let known = state.withLock { state in
      Set(state.viewers.values.compactMap { $0 }).union(state.seen.keys)
    }
    let revoked = known.filter { !tokens.isValid($0) }
    let demoted: [Int] = state.withLock { state in
      for token in revoked { state.seen[token] = nil }
      var demoted: [Int] = []
      for case (let number, let token?) in state.viewers {
        if revoked.contains(token) {
          state.viewers[number] = .some(nil)
          demoted.append(number)
        }
      }
      return demoted
    }
    let message = Self.message("permission") {
      $0.add("permission", object: permissionObject(false))
    }
    for number in demoted {
      sockets.send(message, to: number, isLast: settings.readers == .token)
    }
  }

  private func checkCalibration() {
    guard let calibration, let owner = calibration.owner else { return }
    let lastSeen = state.withLock { $0.seen[owner] }
    // A revoked token was removed by `checkViewers`.
    calibration.endIfAbsent(
      lastSeen: lastSeen ?? MonotonicClock.now, isRevoked: lastSeen == nil)
  }

  private func receive(_ update: HostUpdate) {
    switch update {
    case .estimate(let estimate):
      let isDue = state.withLock { state in
        guard state.lastEstimate.isDue(at: estimate.timestamp, every: Self.estimateInterval) else {
          return false
        }
        return !state.viewers.isEmpty
      }
      if isDue {
        send(
          Self.message("estimate", at: estimate.utc) {
            $0.add("estimate", object: EstimateJSON.object(estimate))
          })
      }
    case .samples(let samples): receive(samples)
    case .receiver(.sky(let sky)): send(SkyJSON.object(sky, type: "sky"))
    // Sources are observed with their troubles.
    case .source, .receiver, .access, .fix: break
    }
  }

  /// Collects raw field values along the body's axes.
  private func receive(_ samples: SensorSamples) {
    guard let field = samples.field, let publisher = feed?.client.publisher else { return }
    let body = publisher.mounting.rotate(field.field.microtesla)
    let points: [SIMD3<Double>] = state.withLock { state in
      if state.points.count < Self.mostPoints { state.points.append(body) }
      guard state.lastField.isDue(at: samples.timestamp, every: Self.fieldInterval) else {
        return []
      }
      defer { state.points = [] }
      return state.points
    }
    guard !points.isEmpty else { return }
    var list: [UInt8] = [UInt8(ascii: "[")]
    for (number, point) in points.enumerated() {
      list.append(ascii: number == 0 ? "[" : ",[")
      for axis in 0..<3 {
        if axis > 0 { list.append(UInt8(ascii: ",")) }
        list.append(point[axis], decimals: 2)
      }
      list.append(UInt8(ascii: "]"))
    }
    list.append(UInt8(ascii: "]"))
    send(Self.message("field") { [list] in $0.add("points", object: list) })
  }

  // MARK: Messages

  private static func message(
    _ type: String, at time: UTCTime? = SystemClock.civilTime, _ fill: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.record(at: time) { json in
      json.add("type", type)
      fill(&json)
    }
  }

  private func sourceObject(_ source: SourceDescription) -> [UInt8] {
    JSONWriter.object {
      $0.add("isOpen", source.isOpen)
      $0.add("hasMagnetometer", source.hasMagnetometer)
      if source.hasCompass == true { $0.add("hasCompass", true) }
      $0.add("hasReceiver", source.hasReceiver)
      $0.add("isSimulated", source.isSimulated)
      $0.add("isLive", source.isLive)
      $0.add("fault", source.fault)
      if let troubles = source.troubles { $0.add("troubles", troubles.map(\.text)) }
      if let receiver = source.receiver {
        $0.add("receiver", object: ReceiverJSON.object(receiver))
      }
      if let receivers = source.receivers { $0.add("receivers", object: Self.list(receivers)) }
    }
  }

  /// Several sources of positions, as a JSON array.
  private static func list(_ receivers: [SourceDescription.Receiver]) -> [UInt8] {
    var bytes: [UInt8] = []
    for receiver in receivers {
      bytes.append(ascii: bytes.isEmpty ? "[" : ",")
      bytes += JSONWriter.object {
        $0.add("name", receiver.name)
        $0.add("isUsed", receiver.isUsed)
        $0.add("fix", receiver.fix)
        $0.add("accuracy", receiver.accuracy, decimals: 3)
        $0.add("age", receiver.age)
        $0.add("distance", receiver.distance)
        $0.add("reason", receiver.reason)
      }
    }
    bytes.append(ascii: bytes.isEmpty ? "[]" : "]")
    return bytes
  }

  private func sourceMessage(_ source: SourceDescription) -> [UInt8] {
    Self.message("source") { $0.add("source", object: sourceObject(source)) }
  }

  /// The answer to `/api/v1/status`.
  /// - Parameter hasToken: Whether the request has a token.
  /// - Returns: JSON.
  func status(hasToken: Bool) -> [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) {
      $0.add("version", Version.text)
      $0.add("uptime", context.boardHealth.uptime, decimals: 1)
      $0.add("source", object: sourceObject(source))
      $0.add("storageFault", source.storageFault)
      $0.add("permission", object: permissionObject(hasToken))
    }
  }

  private func permissionObject(_ hasToken: Bool) -> [UInt8] {
    JSONWriter.object {
      $0.add("mayCalibrate", hasToken)
      $0.add("mayRead", hasToken || settings.readers == .anyone)
    }
  }
}
