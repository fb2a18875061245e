import Formats
import HostProtocol
import JSON
import LinuxIO
import LocationHost
import Observers
import Quantities

/// The subscriptions of Foxglove's clients and the messages for them. Estimates and samples are
/// requested only while a client subscribes to a topic.
final class FoxgloveHub: Sendable {
  /// The change of the clock's offset that is a set clock, nanoseconds; less is the delay of a sample.
  private static let clockStep: Int64 = 100_000_000

  private struct State {
    /// The topic of each subscription of each WebSocket.
    var clients: [Int: [UInt32: ROSTopic]] = [:]
    var encoder: ROSTopicEncoder?
    var feed: HostFeed?
    var troubles: Observation?
  }

  let sockets = WebSockets()
  private let context: ServerContext
  private let state = Locked(State())
  /// Held from a change to its request, so that requests are in the order of the changes.
  private let changes = Locked(())

  init(_ context: ServerContext) { self.context = context }

  func start() {
    let feed = HostFeed(FoxgloveServer.name, context, takesEarly: true) { [weak self] in
      self?.receive($0)
    }
    let troubles = feed.client.observeTroubles { [weak self] source in
      self?.sockets.send(FoxgloveMessage.status(source.fault))
    }
    state.withLock { ($0.feed, $0.troubles) = (feed, troubles) }
    sockets.receive { [weak self] in self?.receive($1, of: $0) }
  }

  func stop() {
    let feed = state.withLock { state in
      defer { (state.feed, state.troubles) = (nil, nil) }
      return state.feed
    }
    feed?.stop()
  }

  // MARK: Clients

  private func receive(_ event: WebSocketEvent, of number: Int) {
    switch event {
    case .opened:
      sockets.send(FoxgloveMessage.serverInfo(version: Version.text), to: number)
      sockets.send(FoxgloveMessage.advertisement, to: number)
      let fault = state.withLock { $0.feed }?.source.fault
      if fault != nil { sockets.send(FoxgloveMessage.status(fault), to: number) }
      change { $0.clients[number] = [:] }
    case .closed: change { $0.clients[number] = nil }
    case .text(let text): perform(FoxgloveRequest(text), of: number)
    case .sign: break
    }
  }

  private func perform(_ request: FoxgloveRequest, of number: Int) {
    switch request {
    case .subscribe(let list):
      var faults: [String] = []
      change { state in
        for one in list {
          guard let topic = FoxgloveMessage.topic(ofChannel: one.channelId) else {
            faults.append("there is no channel \(one.channelId)")
            continue
          }
          let present = state.clients[number] ?? [:]
          // As the protocol has it; so a client has no more subscriptions than there are topics.
          guard !present.contains(where: { $0.value == topic && $0.key != one.id }) else {
            faults.append("channel \(one.channelId) has a subscription already")
            continue
          }
          state.clients[number]?[one.id] = topic
        }
      }
      for fault in faults { sockets.send(FoxgloveMessage.refusal(fault), to: number) }
    case .unsubscribe(let list):
      change { state in for id in list { state.clients[number]?[id] = nil } }
    case .other(let name):
      sockets.send(FoxgloveMessage.refusal("'\(name)' is not served here"), to: number)
    case .unreadable:
      sockets.send(FoxgloveMessage.refusal("a message that is no request"), to: number)
    }
  }

  /// Changes the state, and requests what is needed then.
  private func change(_ body: (inout State) -> Void) {
    changes.withLock { _ in
      let (feed, topics) = state.withLock { state in
        body(&state)
        return (state.feed, Set(state.clients.values.flatMap(\.values)))
      }
      var needs: HostNeeds = []
      if !topics.isEmpty { needs.insert(.estimates) }
      if !topics.isDisjoint(with: [.imu, .imuRaw, .field, .pressure, .temperature]) {
        needs.insert(.samples)
      }
      if topics.contains(.fix) { needs.formUnion([.samples, .fixes]) }
      feed?.request(needs)
    }
  }

  // MARK: Messages

  private func receive(_ update: HostUpdate) {
    let frames: [(number: Int, frame: [UInt8])] = state.withLock { state in
      guard let time = Self.time(of: update), !state.clients.isEmpty, let feed = state.feed else {
        // Another board may have another mounting and clock.
        if case .source = update { state.encoder = nil }
        return []
      }
      let civil = Self.civilNanoseconds
      let offset = Self.clockOffset(at: time, civil)
      var encoder =
        state.encoder
        ?? ROSTopicEncoder(mounting: feed.client.publisher.mounting, offset: offset)
      // The machine's clock was set.
      if abs(offset &- encoder.offset) > Self.clockStep { encoder.offset = offset }
      defer { state.encoder = encoder }
      let messages: [ROSTopicEncoder.Message] =
        switch update {
        case .estimate(let estimate): encoder.messages(of: estimate)
        case .samples(let samples): encoder.messages(of: samples)
        case .fix(let fix): [encoder.message(of: fix)]
        case .source, .access, .receiver: []
        }
      let now = UInt64(clamping: civil)
      return messages.flatMap { topic, message in
        let payload = message.bytes
        return state.clients.flatMap { number, subscriptions in
          subscriptions.filter { $0.value == topic }.map {
            (number, FoxgloveMessage.data(subscription: $0.key, at: now, payload))
          }
        }
      }
    }
    for (number, frame) in frames { sockets.send(binary: frame, to: number) }
  }

  /// Civil time, nanoseconds since 1970; 0 while the clock is not set.
  private static var civilNanoseconds: Int64 { SystemClock.civilTime?.nanosecondsSince1970 ?? 0 }

  private static func time(of update: HostUpdate) -> Timestamp? {
    switch update {
    case .estimate(let estimate): estimate.timestamp
    case .samples(let samples): samples.timestamp
    case .fix(let fix): fix.timestamp
    case .source, .access, .receiver: nil
    }
  }

  /// Civil time less the clock of the samples, nanoseconds, by a sample of now: a simulation and a
  /// replay have a clock of their own, not the machine's.
  private static func clockOffset(at time: Timestamp, _ civil: Int64) -> Int64 {
    guard civil != 0 else { return 0 }
    let now = MonotonicClock.now
    let isMachines = abs(now.seconds(since: time)) < 10
    return civil &- Int64(bitPattern: (isMachines ? now : time).nanoseconds)
  }
}
