import FlyingFox
import Formats
import Foundation
import HostProtocol
import LinuxIO
import Quantities
import ReceiverProtocols

/// What pages and requests receive of the host: the newest values, and messages for all open WebSockets.
final class LiveData: Sendable {
  /// Limit of the open WebSockets.
  private static let mostViewers = 100
  /// The messages that wait for one WebSocket; beyond them the oldest is dropped, since each replaces an older one.
  private static let mostMessages = 32
  /// The least interval between two messages of one kind, seconds.
  private static let (estimateInterval, fieldInterval) = (0.1, 0.2)
  /// The points of one message.
  private static let mostPoints = 10
  /// How long a request waits for a value, seconds, and the interval of its looks, nanoseconds.
  private static let (timeout, look) = (2.5, UInt64(50_000_000))
  /// The interval of the checks of permissions and connections, seconds.
  private static let checkInterval = 1.0
  /// The interval of pings, and the silence after which a WebSocket is closed, seconds. A browser answers a ping also while
  /// its page is in the background.
  private static let (pingInterval, silence) = (20.0, 60.0)
  /// Limit of the content of a control frame, bytes.
  /// - Source: RFC 6455, 5.5.
  private static let mostControlBytes = 125

  /// An open WebSocket.
  private struct Viewer {
    let frames: AsyncStream<WSFrame>.Continuation
    /// The token's identifier; nil without a valid one.
    var token: String?
    var lastFrame: Timestamp
  }

  private struct State {
    var viewers: [Int: Viewer] = [:]
    var newest = 0
    /// The newest sign of each token's user.
    var seen: [String: Timestamp] = [:]
    var lastPing = Timestamp(nanoseconds: 0)
    var isChecking = false
    /// The requests that wait for a value.
    var waiting = 0
    var lastEstimate: Timestamp?
    var lastField: Timestamp?
    var points: [SIMD3<Double>] = []
    var feed: HostFeed?
    var calibration: WebCalibration?
  }

  private let state = Locked(State())
  /// Held from a change to its request, so that requests are in the order of the changes.
  private let changes = Locked(())
  private let name: String
  private let context: ServerContext
  private let settings: HTTPSettings
  private let tokens: HTTPTokens
  private let begin = MonotonicClock.now

  init(_ name: String, _ settings: HTTPSettings, _ tokens: HTTPTokens, _ context: ServerContext) {
    (self.name, self.settings, self.tokens, self.context) = (name, settings, tokens, context)
  }

  func start() {
    let feed = HostFeed(name, context) { [weak self] in self?.take($0) }
    let calibration = WebCalibration(feed.client, context.log) { [weak self] in self?.send($0) }
    state.withLock { ($0.feed, $0.calibration) = (feed, calibration) }
  }

  func stop() {
    let (feed, calibration, viewers) = state.withLock { state in
      defer { (state.viewers, state.feed, state.calibration) = ([:], nil, nil) }
      return (state.feed, state.calibration, state.viewers)
    }
    calibration?.stop()
    feed?.stop()
    for viewer in viewers.values { viewer.frames.finish() }
  }

  /// The calibration; nil before the start.
  var calibration: WebCalibration? { state.withLock { $0.calibration } }
  private var feed: HostFeed? { state.withLock { $0.feed } }
  var source: SourceDescription { feed?.source ?? SourceDescription(isOpen: false) }
  var viewers: Int { state.withLock { $0.viewers.count } }
  var mayAdd: Bool { viewers < Self.mostViewers }

  // MARK: Requests

  /// The newest estimate; waits for one at most 2.5 s.
  func awaitEstimate() async -> Estimate? { await awaitValue { $0.latest } }

  /// The newest satellites; waits as well.
  func awaitSky() async -> SkyReport? { await awaitValue { $0.sky } }

  private func awaitValue<Value: Sendable>(_ value: (HostFeed) -> Value?) async -> Value? {
    change { $0.waiting += 1 }
    defer { change { $0.waiting -= 1 } }
    let deadline = MonotonicClock.now.advanced(bySeconds: Self.timeout)
    while true {
      if let found = feed.flatMap(value) { return found }
      guard MonotonicClock.now < deadline else { return nil }
      do { try await Task.sleep(nanoseconds: Self.look) } catch { return nil }
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

  /// The frames of a new WebSocket: the source and the calibration at once, then all that follows.
  /// - Parameter token: The identifier of the user's token; nil for none.
  /// - Returns: The number of the WebSocket, and its frames.
  func open(_ token: String?) -> (number: Int, frames: AsyncStream<WSFrame>) {
    let (stream, frames) = AsyncStream.makeStream(
      of: WSFrame.self, bufferingPolicy: .bufferingNewest(Self.mostMessages))
    let now = MonotonicClock.now
    var number = 0
    change { state in
      state.newest += 1
      number = state.newest
      state.viewers[number] = Viewer(frames: frames, token: token, lastFrame: now)
    }
    frames.onTermination = { [weak self, number] _ in self?.close(number) }
    for message in [sourceMessage(source), calibration?.message] {
      if let message { frames.yield(Self.text(message)) }
    }
    check()
    return (number, stream)
  }

  /// Takes a frame of a client; false for the last one.
  func take(_ frame: WSFrame, from number: Int) -> Bool {
    let now = MonotonicClock.now
    let frames = state.withLock { state in
      state.viewers[number]?.lastFrame = now
      if let token = state.viewers[number]?.token { state.seen[token] = now }
      return state.viewers[number]?.frames
    }
    switch frame.opcode {
    case .close:
      frames?.yield(Self.frame(.close, frame.payload.prefix(Self.mostControlBytes)))
      return false
    case .ping:
      guard frame.payload.count <= Self.mostControlBytes else { return false }
      frames?.yield(Self.frame(.pong, frame.payload))
      return true
    // What a client sends else is ignored.
    default: return true
    }
  }

  /// Ends a WebSocket.
  func close(_ number: Int) {
    var frames: AsyncStream<WSFrame>.Continuation?
    change { frames = $0.viewers.removeValue(forKey: number)?.frames }
    frames?.finish()
  }

  /// Notes a request with a token.
  func noteSeen(_ token: String) {
    state.withLock { $0.seen[token] = MonotonicClock.now }
    check()
  }

  private func send(_ message: [UInt8]) {
    let viewers = state.withLock { state in state.viewers.values.map(\.frames) }
    guard !viewers.isEmpty else { return }
    let text = Self.text(message)
    for viewer in viewers { viewer.yield(text) }
  }

  private static func text(_ message: [UInt8]) -> WSFrame { frame(.text, Data(message)) }

  private static func frame(_ opcode: WSFrame.Opcode, _ payload: Data) -> WSFrame {
    WSFrame(fin: true, opcode: opcode, mask: nil, payload: payload)
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
      let isNeeded = state.withLock { state in
        state.isChecking = !state.viewers.isEmpty || state.calibration?.owner != nil
        return state.isChecking
      }
      if isNeeded { checkLater() }
    }
  }

  /// Sends pings, closes silent WebSockets, and takes the permission of a revoked token from its WebSockets.
  private func checkViewers() {
    let now = MonotonicClock.now
    let known = state.withLock { state in
      Set(state.viewers.values.compactMap(\.token)).union(state.seen.keys)
    }
    let revoked = known.filter { !tokens.isValid($0) }
    let (silent, demoted, pinged) = state.withLock { state in
      for token in revoked { state.seen[token] = nil }
      var (silent, demoted): ([Int], [Int]) = ([], [])
      for (number, viewer) in state.viewers {
        if now.seconds(since: viewer.lastFrame) > Self.silence { silent.append(number) }
        guard let token = viewer.token, revoked.contains(token) else { continue }
        state.viewers[number]?.token = nil
        demoted.append(number)
      }
      let isDue = now.seconds(since: state.lastPing) >= Self.pingInterval
      if isDue { state.lastPing = now }
      return (
        silent, demoted.compactMap { number in state.viewers[number].map { (number, $0.frames) } },
        isDue ? state.viewers.values.map(\.frames) : []
      )
    }
    for number in silent { close(number) }
    let message = Self.text(
      Self.message("permission") { $0.add("permission", object: permissionObject(false)) })
    for (number, frames) in demoted {
      frames.yield(message)
      if settings.readers == .token { close(number) }
    }
    for frames in pinged { frames.yield(Self.frame(.ping, Data())) }
  }

  private func checkCalibration() {
    guard let calibration, let owner = calibration.owner else { return }
    let lastSeen = state.withLock { $0.seen[owner] }
    // A revoked token was removed by `checkViewers`.
    calibration.endIfAbsent(
      lastSeen: lastSeen ?? MonotonicClock.now, isRevoked: lastSeen == nil)
  }

  private func take(_ update: HostUpdate) {
    switch update {
    case .estimate(let estimate):
      let isDue = state.withLock { state in
        guard state.lastEstimate.isDue(at: estimate.timestamp, every: Self.estimateInterval) else {
          return false
        }
        return !state.viewers.isEmpty
      }
      if isDue {
        send(Self.message("estimate") { $0.add("estimate", object: EstimateJSON.object(estimate)) })
      }
    case .samples(let samples): take(samples)
    case .receiver(.sky(let sky)): send(SkyJSON.object(sky, type: "sky"))
    case .source(let source): send(sourceMessage(source))
    case .receiver, .access: break
    }
  }

  /// Collects raw field values along the body's axes.
  private func take(_ samples: SensorSamples) {
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

  private static func message(_ type: String, _ fill: (inout JSONWriter) -> Void) -> [UInt8] {
    JSONWriter.object { json in
      json.add("type", type)
      fill(&json)
    }
  }

  private func sourceObject(_ source: SourceDescription) -> [UInt8] {
    JSONWriter.object {
      $0.add("isOpen", source.isOpen)
      $0.add("hasMagnetometer", source.hasMagnetometer)
      $0.add("hasReceiver", source.hasReceiver)
      $0.add("isSimulated", source.isSimulated)
      $0.add("isLive", source.isLive)
      $0.add("fault", source.fault)
    }
  }

  private func sourceMessage(_ source: SourceDescription) -> [UInt8] {
    Self.message("source") { $0.add("source", object: sourceObject(source)) }
  }

  /// The answer to `/api/v1/status`.
  /// - Parameter hasToken: Whether the request has a token.
  /// - Returns: JSON.
  func status(hasToken: Bool) -> [UInt8] {
    JSONWriter.object {
      $0.add("version", settings.version)
      $0.add("uptime", MonotonicClock.now.seconds(since: begin), decimals: 1)
      $0.add("source", object: sourceObject(source))
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

/// The frames of one WebSocket.
struct LiveStream: WSHandler {
  let live: LiveData
  /// The identifier of the user's token; nil for none.
  let token: String?

  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    let (number, frames) = live.open(token)
    Task.detached { [live] in
      do {
        for try await frame in client where !live.take(frame, from: number) { break }
      } catch {
        // The connection ended, or the client violates the protocol: the same end for both.
      }
      live.close(number)
    }
    return frames
  }
}
