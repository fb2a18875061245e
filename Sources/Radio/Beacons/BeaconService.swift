import Dispatch
import LinuxIO
import Quantities
import Synchronization

/// The registration of a user; ends when cancelled or released.
public final class BeaconObservation: Sendable {
  private let end: @Sendable () -> Void

  init(onEnd end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the registration. A report whose delivery is in progress may still arrive.
  public func cancel() { end() }

  deinit { end() }
}

/// Ranging and regions for all users in this process. Opens the adapter for the first user and
/// releases it after the last. Safe from any thread; reports arrive on the service's own queue.
public final class BeaconService: Sendable {
  /// Seconds between reports, as in Core Location.
  public static let reportSeconds = 1.0

  private let scanner: any BeaconScanner
  private let survey: @Sendable () throws(BeaconError) -> Void
  private let queue = DispatchQueue(label: "lodestar-beacons")

  private let lastKey = Atomic(0)
  // Changed on the queue only; the lock is not held during a call of a user or of the scanner.
  private let state = Mutex(State())

  private struct State {
    var subscriptions = BeaconSubscriptions()
    var rangingUsers: [Int: @Sendable (RangingReport) -> Void] = [:]
    var presenceUsers: [Int: @Sendable (PresenceReport) -> Void] = [:]
    var running: BeaconScanPurpose?
    var timer: (any DispatchSourceTimer)?
    /// Events of a scan that was stopped in the meantime are dropped.
    var generation = 0
  }

  /// Makes a service with BlueZ; nothing is opened before the first user.
  public convenience init(_ address: DBusAddress = .system) {
    self.init(scanner: BlueZScanner(address)) { () throws(BeaconError) in
      _ = try BlueZScanner.adapter(address)
    }
  }

  /// Makes a service with another scanner.
  /// - Parameters:
  ///   - scanner: The scanner.
  ///   - survey: Throws if beacons cannot be received.
  public init(
    scanner: any BeaconScanner, survey: @escaping @Sendable () throws(BeaconError) -> Void
  ) {
    self.scanner = scanner
    self.survey = survey
  }

  deinit {
    state.withLock { $0.timer?.cancel() }
    scanner.stop()
  }

  /// Checks for an adapter; takes some seconds if BlueZ does not answer.
  /// - Throws: Why beacons cannot be received.
  public func checkAvailability() throws(BeaconError) { try survey() }

  /// Reports the beacons of a constraint once a second, until the observation ends.
  public func range(
    _ constraint: BeaconConstraint, parameters: BeaconRanger.Parameters = .init(),
    _ body: @escaping @Sendable (RangingReport) -> Void
  ) -> BeaconObservation {
    let key = nextKey()
    queue.async { [self] in
      change { state in
        state.rangingUsers[key] = body
        return state.subscriptions.range(key, BeaconRanger(constraint, parameters: parameters))
      }
      adjustScanner()
    }
    return observation(key)
  }

  /// Reports entering and leaving, until the observation ends.
  /// - Parameters:
  ///   - presence: The region.
  ///   - body: Receives the reports.
  /// - Returns: The registration.
  public func watch(
    _ presence: BeaconPresence, _ body: @escaping @Sendable (PresenceReport) -> Void
  ) -> BeaconObservation {
    let key = nextKey()
    queue.async { [self] in
      change { state in
        state.presenceUsers[key] = body
        return state.subscriptions.watch(key, presence)
      }
      adjustScanner()
    }
    return observation(key)
  }

  private func nextKey() -> Int { lastKey.add(1, ordering: .relaxed).newValue }

  private func observation(_ key: Int) -> BeaconObservation {
    BeaconObservation { [weak self] in
      guard let self else { return }
      queue.async { [self] in
        state.withLock { state in
          state.subscriptions.remove(key)
          state.rangingUsers[key] = nil
          state.presenceUsers[key] = nil
        }
        adjustScanner()
      }
    }
  }

  /// Starts, changes or stops the scanner and the timer as the users need.
  private func adjustScanner() {
    let (hasChanged, purpose, scan) = state.withLock { state in
      let purpose = state.subscriptions.purpose
      let hasChanged = purpose != state.running
      state.running = purpose
      guard hasChanged else { return (false, purpose, state.generation) }
      if purpose == nil {
        state.generation += 1
        state.timer?.cancel()
        state.timer = nil
      } else if state.timer == nil {
        state.timer = makeTimer()
      }
      return (true, purpose, state.generation)
    }
    guard hasChanged else { return }
    guard let purpose else {
      scanner.stop()
      return
    }
    scanner.start(purpose) { [weak self] event in
      self?.queue.async { [weak self] in self?.receive(event, of: scan) }
    }
  }

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + Self.reportSeconds, repeating: Self.reportSeconds,
      leeway: .milliseconds(20))
    timer.setEventHandler { [weak self] in
      self?.change { $0.subscriptions.advance(to: MonotonicClock.now) }
    }
    timer.resume()
    return timer
  }

  private func receive(_ event: BeaconScanEvent, of scan: Int) {
    change { scan == $0.generation ? $0.subscriptions.receive(event) : [] }
  }

  /// Changes the state, then delivers the messages; called on the queue.
  private func change(_ body: (inout State) -> [BeaconSubscriptions.Message]) {
    let messages = state.withLock { body(&$0) }
    for message in messages {
      switch message {
      case .ranging(let key, let report): state.withLock { $0.rangingUsers[key] }?(report)
      case .presence(let key, let report): state.withLock { $0.presenceUsers[key] }?(report)
      }
    }
  }
}
