import Foundation
import LinuxIO
import Quantities

/// The registration of a user; ends when cancelled or released.
public final class BeaconObservation: Sendable {
  private let end: @Sendable () -> Void

  init(onEnd end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the registration. A report whose delivery is in progress may still arrive.
  public func cancel() { end() }

  deinit { end() }
}

/// Ranging and regions for all users in this process. Opens the adapter for the first user and releases it
/// after the last. Safe from any thread; reports arrive on the service's own queue.
public final class BeaconService: @unchecked Sendable {
  /// Seconds between reports, as in Core Location.
  public static let reportSeconds = 1.0

  private let scanner: any BeaconScanner
  private let survey: @Sendable () throws(BeaconError) -> Void
  private let queue = DispatchQueue(label: "lodestar.beacons")

  private let keyLock = NSLock()
  private var lastKey = 0

  // Used on the queue only.
  private var desk = BeaconSubscriptions()
  private var rangingUsers: [Int: @Sendable (RangingReport) -> Void] = [:]
  private var presenceUsers: [Int: @Sendable (PresenceReport) -> Void] = [:]
  private var running: BeaconScanPurpose?
  private var timer: (any DispatchSourceTimer)?
  /// Events of a scan that was stopped in the meantime are dropped.
  private var generation = 0

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
    timer?.cancel()
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
      rangingUsers[key] = body
      deliver(desk.range(key, BeaconRanger(constraint, parameters: parameters)))
      settle()
    }
    return observation(key)
  }

  /// Reports entering and leaving, until the observation ends.
  /// - Parameters:
  ///   - presence: The region, new or restored.
  ///   - body: Receives the reports.
  /// - Returns: The registration.
  public func watch(
    _ presence: BeaconPresence, _ body: @escaping @Sendable (PresenceReport) -> Void
  ) -> BeaconObservation {
    let key = nextKey()
    queue.async { [self] in
      presenceUsers[key] = body
      var listening = presence
      listening.pause()
      deliver(desk.watch(key, listening))
      settle()
    }
    return observation(key)
  }

  private func nextKey() -> Int {
    keyLock.withLock {
      lastKey += 1
      return lastKey
    }
  }

  private func observation(_ key: Int) -> BeaconObservation {
    BeaconObservation { [weak self] in
      guard let self else { return }
      queue.async { [self] in
        desk.remove(key)
        rangingUsers[key] = nil
        presenceUsers[key] = nil
        settle()
      }
    }
  }

  /// Starts, changes or stops the scanner and the timer as the users need.
  private func settle() {
    guard desk.purpose != running else { return }
    running = desk.purpose
    guard let purpose = running else {
      generation += 1
      timer?.cancel()
      timer = nil
      scanner.stop()
      return
    }
    let mine = generation
    scanner.start(purpose) { [weak self] event in
      self?.queue.async { [weak self] in self?.take(event, of: mine) }
    }
    guard timer == nil else { return }
    let fresh = DispatchSource.makeTimerSource(queue: queue)
    fresh.schedule(
      deadline: .now() + Self.reportSeconds, repeating: Self.reportSeconds,
      leeway: .milliseconds(20))
    fresh.setEventHandler { [weak self] in
      guard let self else { return }
      deliver(desk.advance(to: BeaconClock.now))
    }
    fresh.resume()
    timer = fresh
  }

  private func take(_ event: BeaconScanEvent, of scan: Int) {
    guard scan == generation else { return }
    deliver(desk.take(event))
  }

  private func deliver(_ messages: [BeaconSubscriptions.Message]) {
    for message in messages {
      switch message {
      case .ranging(let key, let report): rangingUsers[key]?(report)
      case .presence(let key, let report): presenceUsers[key]?(report)
      }
    }
  }
}
