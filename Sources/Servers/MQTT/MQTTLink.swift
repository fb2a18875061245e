import Board
import Formats
import LinuxIO
import LocationHost
import Quantities

/// A connection to a broker that is made again after each loss: posted states wait in a bounded
/// buffer until the broker acknowledges them. One thread; nothing that the broker sends has an
/// effect on the states.
package final class MQTTLink: Sendable {
  /// Timeouts of the end, seconds: while it is connected, and else. A thread that waits for the
  /// resolver or for TCP ends by itself afterwards.
  private static let (endTimeout, shortEndTimeout) = (0.9, 0.2)

  /// What the thread shares with others.
  struct Inbox {
    typealias Devices = (all: [DeviceHealth], removed: [String], isSent: Bool)

    var buffer = MQTTBuffer()
    /// The newest health, and whether this connection's broker has it; nil before the first.
    var health: (payload: [UInt8], isSent: Bool)?
    /// The board's devices, the keys of its earlier ones, and whether this connection's discovery message has them.
    var devices: Devices = ([], [], false)
    var statistics = Statistics()
    var isOver = false
  }

  /// Counts since the start, and the present state.
  package struct Statistics: Equatable, Sendable {
    /// Accepted connections, and attempts.
    package var connections = 0
    package var attempts = 0
    /// States that the broker has acknowledged (with QoS 0, that were written).
    package var acknowledged = 0
    package var isConnected = false
  }

  private let loop: MQTTLoop
  private let hasEnded = Waitable(true)

  /// Makes a link; it connects after `start`.
  /// - Throws: `NetworkError` without a descriptor.
  package init(
    _ settings: MQTTSettings, _ names: MQTTNames, _ library: MosquittoLibrary, log: HostLog
  ) throws(NetworkError) {
    loop = MQTTLoop(
      settings: settings, names: names, library: library, log: log, wakener: try Wakener())
  }

  /// Counts since the start.
  package var statistics: Statistics { loop.inbox.withLock { $0.statistics } }
  /// The number of states that wait.
  package var waiting: Int { loop.inbox.withLock { $0.buffer.count } }

  /// Adds the newest state; returns at once.
  package func post(_ payload: [UInt8], at time: UTCTime) {
    loop.inbox.withLock { $0.buffer.append(payload, at: time) }
    loop.wakener.wake()
  }

  /// Replaces the health that the broker retains; returns at once.
  /// - Parameters:
  ///   - health: The message; empty to remove it.
  ///   - devices: The board's devices.
  ///   - removed: The keys of devices that it had earlier.
  package func post(
    health: [UInt8], of devices: [DeviceHealth], removed: [String] = []
  ) {
    loop.inbox.withLock { inbox in
      inbox.health = (health, false)
      // While no board is open its devices stay, without a value.
      if !devices.isEmpty, inbox.devices.all.map(\.key) != devices.map(\.key) {
        inbox.devices = (devices, removed, false)
      }
    }
    loop.wakener.wake()
  }

  /// Removes the states that wait.
  package func discard() { loop.inbox.withLock { $0.buffer.removeAll() } }

  /// Starts to connect; returns at once.
  package func start() {
    hasEnded.withLock { $0 = false }
    WorkerThread.start("lodestar-mqtt") { [loop, hasEnded] in
      loop.run()
      hasEnded.withLock { $0 = true }
    }
  }

  /// Publishes `offline` and disconnects, within a second.
  package func stop() {
    let isConnected = loop.inbox.withLock { inbox in
      inbox.isOver = true
      return inbox.statistics.isConnected
    }
    loop.wakener.wake()
    hasEnded.wait(atMost: isConnected ? Self.endTimeout : Self.shortEndTimeout) { $0 ? () : nil }
  }
}

/// What a link's thread runs.
private struct MQTTLoop: Sendable {
  /// Seconds in which the broker accepts a connection after TCP.
  private static let answerTimeout = 20.0
  /// Seconds for `offline` at the end.
  private static let offlineTimeout = 0.6
  /// Seconds after which a connection counts as stable: the attempt after its loss follows after 1
  /// s again. A broker that accepts and closes, or two clients of one identifier, do not cause an
  /// attempt each second.
  private static let stableAfter = 30.0
  /// The least time between two states, seconds, where several wait: those that have waited are
  /// sent in half a minute, so that a fleet does not overload a broker that has returned.
  private static let spacing = 0.05
  /// The longest wait of a turn, seconds: the connection's keep-alive is tested then.
  private static let pause = 5.0
  /// The least time between two lines of one reason, seconds.
  private static let repetition = 60.0
  /// How long the discovery message waits for the board's devices, seconds: Home Assistant drops
  /// entities that a second message adds while it makes those of the first.
  private static let firstDevices = 5.0

  let settings: MQTTSettings
  let names: MQTTNames
  let library: MosquittoLibrary
  let log: HostLog
  let wakener: Wakener
  let inbox = Locked(MQTTLink.Inbox())

  private var isOver: Bool { inbox.withLock { $0.isOver } }
  private var broker: String { settings.broker?.description ?? "" }

  func run() {
    var delay = RetryDelay.ofFleet
    var logged: (reason: String, at: Timestamp)?
    while !isOver {
      do throws(MQTTFault) {
        try connect(&delay)
      } catch {
        inbox.withLock { $0.statistics.isConnected = false }
        guard !isOver else { return }
        let (pause, now) = (delay.next(), MonotonicClock.now)
        let reason = error.reason(settings, names)
        let isRepeated =
          logged.map { $0.reason == reason && now.seconds(since: $0.at) < Self.repetition } ?? false
        if !isRepeated {
          let seconds = Int(bounded: max(1, pause.rounded()))
          log.warning("mqtt: broker \(broker): \(reason); tried again in \(seconds) s")
          logged = (reason, now)
        }
        wait(pause)
      }
    }
  }

  /// Waits although states are posted meanwhile.
  private func wait(_ seconds: Double) {
    let deadline = MonotonicClock.now.advanced(bySeconds: seconds)
    while !isOver {
      let left = deadline.seconds(since: MonotonicClock.now)
      guard left > 0 else { return }
      wakener.wait(atMost: left)
    }
  }

  /// One connection, from the attempt to its loss or the end.
  private func connect(_ delay: inout RetryDelay) throws(MQTTFault) {
    guard let broker = settings.broker else { return }
    try settings.checkFiles()
    guard let connection = MosquittoConnection(library, identifier: names.client) else {
      throw .failed("not enough memory")
    }
    inbox.withLock { $0.statistics.attempts += 1 }
    let password = try settings.password()
    try connection.connect(
      to: broker, settings.username.map { ($0, password) },
      MosquittoConnection.Certificates(
        ca: settings.caFile, certificate: settings.certificate, key: settings.keyFile),
      will: status("offline"))
    let timeout = MonotonicClock.now.advanced(bySeconds: Self.answerTimeout)
    while try !connection.isAccepted() {
      let left = timeout.seconds(since: MonotonicClock.now)
      guard left > 0 else { throw .timedOut(seconds: Self.answerTimeout) }
      guard !isOver else { return }
      try connection.turn(wakener, atMost: left)
    }
    try serve(connection, &delay)
  }

  private func status(_ text: String) -> MQTTMessage {
    MQTTMessage(topic: names.status, payload: Array(text.utf8))
  }

  /// Publishes until the connection is lost or the end.
  private func serve(
    _ connection: MosquittoConnection, _ delay: inout RetryDelay
  ) throws(MQTTFault) {
    let begin = MonotonicClock.now
    let waiting = inbox.withLock { inbox in
      inbox.buffer.rewind()
      inbox.statistics.connections += 1
      inbox.statistics.isConnected = true
      inbox.health?.isSent = false
      inbox.devices.isSent = false
      return inbox.buffer.count
    }
    log.notice(
      "mqtt: connected to \(broker) as \(names.client), topic \(names.topic)"
        + (waiting > 1 ? "; \(waiting) states have waited" : ""))
    reportDropped()
    try sendHealth(connection, since: begin)
    // The present state comes before `online` and before the past ones: a subscriber must not take
    // the retained one, or one of the past, for the present.
    if let newest = inbox.withLock({ $0.buffer.showNewest() }) {
      _ = try connection.publish(
        MQTTMessage(
          topic: names.state, payload: newest, qualityOfService: settings.qualityOfService))
    }
    _ = try connection.publish(status("online"))
    var (lastSent, lastReport) = (Timestamp?.none, begin)
    while !isOver {
      let now = MonotonicClock.now
      if now.seconds(since: begin) >= Self.stableAfter { delay.reset() }
      if now.seconds(since: lastReport) >= Self.repetition {
        reportDropped()
        lastReport = now
      }
      try sendHealth(connection, since: begin)
      let pause = try send(connection, now, &lastSent)
      // With QoS 0 a state is acknowledged when it is written.
      dropAcknowledged(connection)
      try connection.turn(wakener, atMost: pause)
      dropAcknowledged(connection)
    }
    try end(connection)
  }

  /// Sends the discovery message and the health where the broker does not have them: the entities
  /// come before their values.
  private func sendHealth(
    _ connection: MosquittoConnection, since begin: Timestamp
  ) throws(MQTTFault) {
    let isEarly = MonotonicClock.now.seconds(since: begin) < Self.firstDevices
    let (devices, health) = inbox.withLock { inbox in
      // An empty health is that of a publisher that may not know the devices.
      if isEarly, inbox.devices.all.isEmpty, inbox.health?.payload.isEmpty != true {
        return (MQTTLink.Inbox.Devices?.none, [UInt8]?.none)
      }
      defer {
        inbox.devices.isSent = true
        inbox.health?.isSent = true
      }
      return (
        inbox.devices.isSent ? nil : inbox.devices,
        inbox.health.flatMap { $0.isSent ? nil : $0.payload }
      )
    }
    if let devices, let prefix = settings.discovery {
      var discovery = self.discovery
      (discovery.devices, discovery.removed) = (devices.all, devices.removed)
      _ = try connection.publish(
        MQTTMessage(topic: discovery.topic(below: prefix), payload: discovery.payload))
    }
    if let health {
      _ = try connection.publish(MQTTMessage(topic: names.health, payload: health))
    }
  }

  private func dropAcknowledged(_ connection: MosquittoConnection) {
    while let number = connection.nextAcknowledged() {
      inbox.withLock { inbox in
        if inbox.buffer.acknowledge(number) { inbox.statistics.acknowledged += 1 }
      }
    }
  }

  /// Sends a state if one is due.
  /// - Returns: The time until the next one may be due, seconds.
  private func send(
    _ connection: MosquittoConnection, _ now: Timestamp, _ last: inout Timestamp?
  ) throws(MQTTFault) -> Double {
    if let last {
      let left = Self.spacing - now.seconds(since: last)
      if left > 0 { return inbox.withLock { $0.buffer.hasNext } ? left : Self.pause }
    }
    let (next, isPast) = inbox.withLock {
      ($0.buffer.next, $0.buffer.isNextPast(by: settings.pastAge))
    }
    guard let payload = next else { return Self.pause }
    let number = try connection.publish(
      MQTTMessage(
        topic: isPast ? names.history : names.state, payload: payload,
        qualityOfService: settings.qualityOfService, isRetained: !isPast))
    last = now
    return inbox.withLock { inbox in
      // A state that was dropped meanwhile needs no acknowledgement.
      if inbox.buffer.next == payload { inbox.buffer.sent(number) }
      return inbox.buffer.hasNext ? Self.spacing : Self.pause
    }
  }

  private func reportDropped() {
    guard let dropped = inbox.withLock({ $0.buffer.removeDropped() }) else { return }
    log.warning(
      "mqtt: \(dropped.count) states from \(dropped.first.text(decimals: 0)) to "
        + "\(dropped.last.text(decimals: 0)) are lost: \(MQTTBuffer.mostStates) states or "
        + "\(MQTTBuffer.mostBytes >> 10) KiB wait at most for the broker")
  }

  private var discovery: HomeAssistantDiscovery {
    HomeAssistantDiscovery(
      identifier: names.identifier, name: names.device, version: Version.text,
      topic: names.topic, lifetime: settings.lifetime)
  }

  /// Publishes `offline` and disconnects.
  private func end(_ connection: MosquittoConnection) throws(MQTTFault) {
    let number = try connection.publish(status("offline"))
    let timeout = MonotonicClock.now.advanced(bySeconds: Self.offlineTimeout)
    var isWritten = false
    while !isWritten {
      let left = timeout.seconds(since: MonotonicClock.now)
      guard left > 0 else { break }
      try connection.turn(wakener, atMost: left)
      while let acknowledged = connection.nextAcknowledged() {
        if acknowledged == number { isWritten = true }
      }
    }
    try connection.disconnect()
  }
}

extension MQTTSettings {
  /// Age from which a state is of the past, seconds: more than states wait on a working connection.
  var pastAge: Double { max(5, 2 * interval) }

  /// Seconds after which a state is out of date for subscribers: six intervals, a minute at least.
  var lifetime: Int { Int(bounded: max(60, (6 * interval).rounded(.up))) }
}
