import Board
import Dispatch
import Formats
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Observers
import Quantities
import ReceiverProtocols

/// What a server needs of the host.
struct HostNeeds: OptionSet, Sendable {
  let rawValue: Int
  /// Headings and fixes.
  static let estimates = HostNeeds(rawValue: 1)
  /// Samples of the chips.
  static let samples = HostNeeds(rawValue: 2)
  /// What the receiver sends beyond fixes: satellites, bytes, pulses.
  static let receiver = HostNeeds(rawValue: 4)
  /// The receiver's own fixes, which no filter has changed; with samples.
  static let fixes = HostNeeds(rawValue: 8)
}

/// What a server receives from the host.
package enum HostUpdate: Sendable {
  /// A new estimate, with the newest valid place where it has none of its own.
  case estimate(Estimate)
  case samples(SensorSamples)
  case receiver(ReceiverOutput)
  case source(SourceDescription)
  case access(GrantedAccess)
  /// The receiver's own fix, at full accuracy only.
  case fix(Fix)

  /// Whether no later update replaces it.
  var isLasting: Bool {
    switch self {
    case .source, .access: true
    case .estimate, .samples, .receiver, .fix: false
    }
  }
}

/// A server's connection to the host, as the application `org.lodestar.NAME` of the policy: its
/// access and accuracy are those of the server's clients. Estimates are requested only while the
/// server needs them, so that a receiver may rest.
final class HostFeed: Sendable {
  /// Time after the last need of estimates until the host is asked for none, seconds: a client that
  /// polls needs them again.
  private static let release = 5.0
  /// Time after the first need of estimates in which a place is awaited, seconds: the first ones
  /// have none, and would be reports of no fix.
  private static let firstPlace = 1.5
  /// Time after which the receiver's newest report of satellites is no longer valid, seconds.
  private static let skyLifetime = 10.0

  /// What is requested of the host.
  private struct Requests {
    var needs: HostNeeds = []
    /// Counts the changes of `needs`.
    var change = 0
    var estimates: Observation?
    var samples: Observation?
    var receiver: Observation?
    var fixes: Observation?
    /// Those of the connection's life.
    var others: [Observation] = []
    var hasEnded = false
  }

  /// What was received.
  private struct State {
    var firstNeeded = Timestamp(nanoseconds: 0)
    var lastFix = LastFix()
    var latest: Estimate?
    var sky: SkyReport?
    /// The arrival of `sky`.
    var skyArrival = Timestamp(nanoseconds: 0)
  }

  /// The name in the policy.
  let application: String
  /// The client of the host.
  let client: HostClient
  /// Held while the host is asked; the host's threads never take it.
  private let requests = Locked(Requests())
  private let state = Locked(State())
  private let host: LocationHost
  private let log: HostLog
  private let monitor: HealthMonitor
  private let takesEarly: Bool
  private let receive: @Sendable (HostUpdate) -> Void

  /// Connects a server to the host.
  /// - Parameters:
  ///   - name: The server's name, as in `org.lodestar.NAME`.
  ///   - context: The daemon's.
  ///   - demand: The estimates that the server needs, while it needs any: without fixes the
  ///     receiver may rest.
  ///   - takesEarly: Whether estimates without the awaited first place are received too, for their
  ///     headings.
  ///   - receive: Receives each update on a thread of the host, so it must return at once.
  init(
    _ name: String, _ context: ServerContext, demand: EstimateDemand = .all,
    takesEarly: Bool = false,
    receive: @escaping @Sendable (HostUpdate) -> Void
  ) {
    application = "org.lodestar.\(name)"
    client = HostClient(application: application, client: name, host: context.host)
    (host, log) = (context.host, context.log)
    (self.takesEarly, self.receive) = (takesEarly, receive)
    monitor = context.boardHealth
    if demand != .all { client.publisher.setDemand(demand) }
    client.access.request(.always)
    let source = client.observeSource { receive(.source($0)) }
    let access = client.access.observe { [weak self] in self?.accessChanged() }
    requests.withLock { $0.others = [source, access] }
    accessChanged()
  }

  /// The source of the estimates.
  var source: SourceDescription { client.source }

  /// What the receiver reports of trouble; nil without a receiver, and where the policy gives the
  /// server's clients no data.
  var receiverCondition: ReceiverCondition? {
    client.access.current.allowsUpdates ? client.source.receiver : nil
  }

  /// The health of the board; nil where the policy gives the server's clients no data.
  var boardHealth: BoardHealth? {
    let access = client.access.current
    guard access.allowsUpdates else { return nil }
    return access.accuracy == .full ? monitor.health : monitor.health.reduced
  }

  /// True where the policy gives the server's clients no data; false before it has decided.
  var isRefused: Bool {
    let access = client.access.current
    return !access.allowsUpdates && access.authorization != .notDetermined
  }

  /// The newest estimate; nil while none are needed.
  var latest: Estimate? { state.withLock { $0.latest } }

  /// The receiver's newest satellites, while the server needs its output; nil where they are older
  /// than ten seconds.
  var sky: SkyReport? {
    let now = MonotonicClock.now
    return state.withLock { now.seconds(since: $0.skyArrival) < Self.skyLifetime ? $0.sky : nil }
  }

  /// Requests what the server needs. Estimates end some seconds after their last need.
  func request(_ needs: HostNeeds) {
    let released: Int? = requests.withLock { requests in
      guard !requests.hasEnded, requests.needs != needs else { return nil }
      requests.needs = needs
      requests.change += 1
      if needs.contains(.samples) != (requests.samples != nil) {
        requests.samples?.cancel()
        requests.samples =
          needs.contains(.samples)
          ? client.publisher.observeRows { [weak self] in self?.receive(.samples($0)) } : nil
      }
      if needs.contains(.receiver) != (requests.receiver != nil) {
        requests.receiver?.cancel()
        requests.receiver =
          needs.contains(.receiver)
          ? client.publisher.observeReceiver { [weak self] in self?.receive($0) } : nil
      }
      if needs.contains(.fixes) != (requests.fixes != nil) {
        requests.fixes?.cancel()
        requests.fixes =
          needs.contains(.fixes)
          ? host.observeReceiverFixes { [weak self] in self?.receive($0) } : nil
      }
      guard needs.contains(.estimates) else { return requests.change }
      if requests.estimates == nil {
        state.withLock { $0.firstNeeded = MonotonicClock.now }
        requests.estimates = client.publisher.observe { [weak self] in self?.receive($0) }
      }
      return nil
    }
    guard let released else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.release) { [weak self] in
      self?.release(released)
    }
  }

  /// Ends the requests for estimates, unless the needs have changed since.
  private func release(_ change: Int) {
    requests.withLock { requests in
      guard requests.change == change else { return }
      requests.estimates?.cancel()
      requests.estimates = nil
      forget()
    }
  }

  /// Ends the connection.
  func stop() {
    let ended = requests.withLock { requests in
      defer {
        requests = Requests()
        requests.hasEnded = true
      }
      return requests.others
        + [requests.estimates, requests.samples, requests.receiver, requests.fixes]
        .compactMap { $0 }
    }
    for observation in ended { observation.cancel() }
    client.stop()
  }

  // MARK: Received

  private func receive(_ estimate: Estimate) {
    let accuracy = client.access.current.accuracy
    let complete = state.withLock { $0.lastFix.complete(estimate, accuracy) }
    if !awaitsPlace(of: complete) {
      state.withLock { $0.latest = complete }
    } else if !takesEarly {
      return
    }
    receive(.estimate(complete))
  }

  /// Whether an estimate has no place yet because estimates were requested a moment ago.
  func awaitsPlace(of estimate: Estimate) -> Bool {
    guard estimate.position == nil, client.source.hasReceiver else { return false }
    let begin = state.withLock { $0.firstNeeded }
    return MonotonicClock.now.seconds(since: begin) < Self.firstPlace
  }

  private func receive(_ fix: Fix) {
    let access = client.access.current
    if access.allowsUpdates, access.accuracy == .full { receive(.fix(fix)) }
  }

  private func receive(_ output: ReceiverOutput) {
    if case .sky(let sky) = output {
      state.withLock { ($0.sky, $0.skyArrival) = (sky, MonotonicClock.now) }
    }
    receive(.receiver(output))
  }

  private func forget() {
    state.withLock { state in
      state.sky = nil
      state.lastFix.forget()
      state.latest = nil
    }
  }

  /// Forgets what an earlier access gave, and reports one that gives the clients nothing.
  private func accessChanged() {
    forget()
    let access = client.access.current
    receive(.access(access))
    guard !access.allowsUpdates else { return }
    log.warning(
      "\(application): its clients receive no data, because the policy does not permit it: add "
        + "'\(application): {authorization: always}' to the applications of the policy")
  }
}

extension GrantedAccess {
  /// False where the policy gives a server's clients no data.
  var allowsUpdates: Bool { authorization != .denied && authorization != .restricted }
}
