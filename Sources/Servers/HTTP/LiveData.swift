import Formats
import Foundation
import HostProtocol
import LinuxIO
import Quantities
import ReceiverProtocols

/// What pages and requests receive of the host: the newest values, and messages for all open WebSockets.
final class LiveData: Sendable {
  /// The least interval between two messages of one kind, seconds.
  private static let (estimateInterval, fieldInterval) = (0.1, 0.2)
  /// The points of one message.
  private static let mostPoints = 10
  /// How long a request waits for a value, seconds, and the interval of its looks, nanoseconds.
  private static let (timeout, look) = (2.5, UInt64(50_000_000))

  private struct State {
    /// The open WebSockets.
    var viewers = 0
    /// The requests that wait for a value.
    var waiting = 0
    var lastEstimate: Timestamp?
    var lastField: Timestamp?
    var points: [SIMD3<Double>] = []
    var feed: HostFeed?
    var observation: AnyObject?
  }

  private let state = Locked(State())
  /// Held from a change to its request, so that requests are in the order of the changes.
  private let changes = Locked(())
  private let name: String
  private let context: ServerContext
  private let begin = MonotonicClock.now
  /// The WebSockets that receive all messages.
  let sockets: WebSockets

  init(_ name: String, _ context: ServerContext, _ connections: HTTPConnections) {
    (self.name, self.context) = (name, context)
    sockets = WebSockets(name, connections, log: context.log)
  }

  func start() {
    let feed = HostFeed(name, context) { [weak self] in self?.take($0) }
    let calibration = feed.client.publisher.observeCalibration { [weak self] in
      guard let self else { return }
      send(calibrationMessage)
    }
    state.withLock { ($0.feed, $0.observation) = (feed, calibration) }
    sockets.start { [weak self] in self?.take($1, of: $0) }
  }

  func stop() {
    sockets.stop()
    let feed = state.withLock { state in
      defer { (state.feed, state.observation) = (nil, nil) }
      return state.feed
    }
    feed?.stop()
  }

  private var feed: HostFeed? { state.withLock { $0.feed } }
  var source: SourceDescription { feed?.source ?? SourceDescription(isOpen: false) }
  var viewers: Int { state.withLock { $0.viewers } }

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
        return (state.feed, state.waiting > 0 || state.viewers > 0, state.viewers > 0)
      }
      var needs: HostNeeds = []
      if isNeeded { needs.formUnion([.estimates, .receiver]) }
      if hasViewers { needs.insert(.samples) }
      feed?.request(needs)
    }
  }

  // MARK: WebSockets

  /// A new WebSocket receives the source and the calibration at once, then all that follows. What it sends is ignored.
  private func take(_ event: WebSocketEvent, of number: Int) {
    switch event {
    case .opened:
      for message in [sourceMessage(source), calibrationMessage] {
        sockets.send(message, to: number)
      }
      change { $0.viewers += 1 }
    case .closed: change { $0.viewers -= 1 }
    case .text: break
    }
  }

  private func send(_ message: [UInt8]) {
    if viewers > 0 { sockets.send(message) }
  }

  private func take(_ update: HostUpdate) {
    switch update {
    case .estimate(let estimate):
      let isDue = state.withLock { state in
        guard state.lastEstimate.isDue(at: estimate.timestamp, every: Self.estimateInterval) else {
          return false
        }
        return state.viewers > 0
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
      if source.hasCompass == true { $0.add("hasCompass", true) }
      $0.add("hasReceiver", source.hasReceiver)
      $0.add("isSimulated", source.isSimulated)
      $0.add("isLive", source.isLive)
      $0.add("fault", source.fault)
    }
  }

  private func sourceMessage(_ source: SourceDescription) -> [UInt8] {
    Self.message("source") { $0.add("source", object: sourceObject(source)) }
  }

  private var calibrationMessage: [UInt8] {
    let calibrator = feed?.client.publisher.calibrator
    return Self.message("calibration") { json in
      if case .collecting(let progress) = calibrator?.standing {
        json.add("state", "collecting")
        json.add("coverage", progress, decimals: 3)
      } else {
        json.add("state", "idle")
      }
      if let inUse = calibrator?.inUse?.calibration {
        json.add("quality", inUse.quality.rawValue)
        json.add("predictedHeadingError", inUse.predictedHeadingError?.degrees, decimals: 2)
      }
    }
  }

  /// The answer to `/api/v1/status`.
  var status: [UInt8] {
    JSONWriter.object {
      $0.add("uptime", MonotonicClock.now.seconds(since: begin), decimals: 1)
      $0.add("source", object: sourceObject(source))
    }
  }
}
