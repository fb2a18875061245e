import Dispatch
import Formats
import FoundationEssentials
import LinuxIO
import LocationHost
import Quantities

/// Publishes estimates at an MQTT broker, as the application `org.lodestar.mqtt` of the policy.
final class MQTTPublisher: Server {
  /// The name in the policy and in messages.
  private static let name = "mqtt"
  /// How long a pressure is valid, seconds.
  private static let pressureValidity = 10.0
  /// Time after the start in which heading and place are awaited, seconds: the first state stands
  /// for a whole interval.
  private static let firstValues = 5.0
  /// The interval of the looks at the health, and that in which an unchanged one is repeated,
  /// seconds.
  private static let (healthCheckInterval, healthInterval) = (2.0, 60.0)

  private struct State {
    var begin = Timestamp(nanoseconds: 0)
    var lastState: Timestamp?
    var pressure: PressureSample?
    var feed: HostFeed?
    /// What the newest health said, and when it was posted.
    var health: (standing: BoardHealth, at: Timestamp)?
    /// True once an empty health was sent.
    var isHealthRemoved = false
  }

  private let settings: MQTTSettings
  private let context: ServerContext
  private let link: MQTTLink
  private let discovered: DiscoveredDevices
  private let state = Locked(State())

  /// Makes a publisher; nil without a broker.
  init?(_ settings: MQTTSettings, _ context: ServerContext) throws(ServerFault) {
    guard let broker = settings.broker else { return nil }
    if let contradiction = settings.contradiction {
      throw ServerFault(description: "mqtt: \(contradiction)")
    }
    let names = settings.names(
      host: ProcessInfo.processInfo.hostName, machine: MachineIdentity.identifier)
    guard let library = MosquittoLibrary() else {
      throw ServerFault(
        description:
          "mqtt: \(MosquittoLibrary.name) 2.0 or later is missing: run 'apt install libmosquitto1', then reload"
      )
    }
    do throws(MQTTFault) {
      try settings.checkFiles()
    } catch {
      throw ServerFault(description: "mqtt: \(error.reason(settings, names))")
    }
    do throws(NetworkError) {
      link = try MQTTLink(settings, names, library, log: context.log)
    } catch {
      throw ServerFault(description: "mqtt: \(error)")
    }
    if settings.username != nil, !broker.isEncrypted, !broker.isLocal {
      context.log.warning(
        "mqtt: the password crosses the network readable for everyone: write mqtt-broker as mqtts://\(broker.host)"
      )
    }
    (self.settings, self.context) = (settings, context)
    discovered = DiscoveredDevices(folder: context.stateFolder, log: context.log)
  }

  func start() {
    link.start()
    let feed = HostFeed(Self.name, context) { [weak self] in self?.receive($0) }
    state.withLock { ($0.feed, $0.begin) = (feed, MonotonicClock.now) }
    feed.request([.estimates, .samples])
    publishHealth()
  }

  /// Posts the health where it has changed or is due, and looks again later, until the end.
  private func publishHealth() {
    guard let feed = state.withLock({ $0.feed }) else { return }
    if let health = feed.boardHealth {
      let (standing, now) = (health.standing, MonotonicClock.now)
      let isDue = state.withLock { state in
        if let last = state.health, last.standing == standing,
          now.seconds(since: last.at) < Self.healthInterval
        {
          return false
        }
        (state.health, state.isHealthRemoved) = ((standing, now), false)
        return true
      }
      if isDue {
        let keys = health.devices.map(\.key)
        link.post(
          health: HealthJSON.object(health, at: SystemClock.civilTime), of: health.devices,
          removed: keys.isEmpty ? [] : discovered.update(keys))
      }
    } else if feed.isRefused {
      let isRetained = state.withLock { state in
        defer { (state.health, state.isHealthRemoved) = (nil, true) }
        return !state.isHealthRemoved
      }
      // An empty message removes what the broker retains, also of an earlier start.
      if isRetained { link.post(health: [], of: []) }
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.healthCheckInterval) {
      [weak self] in self?.publishHealth()
    }
  }

  func stop() {
    let feed = state.withLock { state in
      defer { state.feed = nil }
      return state.feed
    }
    feed?.stop()
    link.stop()
  }

  private func receive(_ update: HostUpdate) {
    switch update {
    case .samples(let samples):
      guard let pressure = samples.pressure else { return }
      state.withLock { $0.pressure = pressure }
    case .estimate(let estimate):
      let isComplete = estimate.magneticHeading != nil && estimate.position != nil
      let receiver = state.withLock { $0.feed }?.receiverCondition
      let payload: [UInt8]? = state.withLock { state in
        let isEarly = MonotonicClock.now.seconds(since: state.begin) < Self.firstValues
        guard isComplete || !isEarly,
          state.lastState.isDue(at: estimate.timestamp, every: settings.interval)
        else { return nil }
        let pressure = state.pressure.flatMap {
          abs(estimate.timestamp.seconds(since: $0.timestamp)) < Self.pressureValidity ? $0 : nil
        }
        return EstimateJSON.state(
          estimate, hectopascal: pressure?.hectopascal, receiver: receiver)
      }
      if let payload { link.post(payload, at: estimate.utc ?? SystemClock.reading.utc) }
    case .access(let access):
      // What an earlier access gave is not combined with later estimates.
      state.withLock { $0.pressure = nil }
      guard access.accuracy != .full || !access.allowsUpdates else { return }
      link.discard()
      // An empty message removes the state that the broker retains; a reduced one replaces it.
      if !access.allowsUpdates { link.post([], at: SystemClock.reading.utc) }
    case .receiver, .source, .fix: break
    }
  }
}
