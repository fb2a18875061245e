import Foundation
import LinuxDBus
import Quantities

/// Keeps a user of beacons registered until it is cancelled or released.
public final class BeaconObservation: Sendable {
  private let end: @Sendable () -> Void

  init(onEnd end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends it; a second call does nothing that matters. A report that is under way may still arrive.
  public func cancel() { end() }

  deinit { end() }
}

/// Ranging and regions for everybody in this process: opens the adapter with the first user and lets go with
/// the last. Safe from any thread; reports come on a queue of the service's own.
public final class BeaconService: @unchecked Sendable {
  /// Seconds between reports, as Core Location has it.
  public static let reportSeconds = 1.0

  private let scanner: any BeaconScanner
  private let survey: @Sendable () throws(BeaconError) -> Void
  private let queue = DispatchQueue(label: "lodestar.beacons")

  private let keyLock = NSLock()
  private var lastKey = 0

  // The queue's own.
  private var desk = BeaconDesk()
  private var rangingUsers: [Int: @Sendable (RangingReport) -> Void] = [:]
  private var presenceUsers: [Int: @Sendable (PresenceReport) -> Void] = [:]
  private var running: BeaconScanPurpose?
  private var timer: (any DispatchSourceTimer)?
  /// Events of a scan that was stopped in the meantime are dropped.
  private var generation = 0

  /// Makes a service over BlueZ; nothing is opened before there is a user.
  public convenience init(_ address: DBusAddress = .system) {
    self.init(scanner: BlueZScanner(address)) { () throws(BeaconError) in
      _ = try BlueZScanner.adapter(address)
    }
  }

  /// Makes a service over something else.
  /// - Parameters:
  ///   - scanner: What hears.
  ///   - survey: Throws where beacons cannot be heard.
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

  /// Looks for an adapter, which takes up to some seconds where BlueZ does not answer.
  /// - Throws: Why beacons cannot be heard.
  public func checkAvailability() throws(BeaconError) { try survey() }

  /// Reports the beacons that a constraint means once a second, until the observation ends.
  public func range(
    _ constraint: BeaconConstraint, parameters: BeaconRanger.Parameters = .init(),
    _ body: @escaping @Sendable (RangingReport) -> Void
  ) -> BeaconObservation {
    let key = nextKey()
    queue.async { [self] in
      rangingUsers[key] = body
      hand(on: desk.range(key, BeaconRanger(constraint, parameters: parameters)))
      settle()
    }
    return observation(key)
  }

  /// Reports entering and leaving, until the observation ends.
  /// - Parameters:
  ///   - presence: The region, as it was kept or new.
  ///   - body: Takes the reports.
  /// - Returns: What keeps it registered.
  public func watch(
    _ presence: BeaconPresence, _ body: @escaping @Sendable (PresenceReport) -> Void
  ) -> BeaconObservation {
    let key = nextKey()
    queue.async { [self] in
      presenceUsers[key] = body
      var listening = presence
      listening.pause()
      hand(on: desk.watch(key, listening))
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

  /// Brings the scanner and the timer to what the users want.
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
      hand(on: desk.advance(to: BeaconClock.now))
    }
    fresh.resume()
    timer = fresh
  }

  private func take(_ event: BeaconScanEvent, of scan: Int) {
    guard scan == generation else { return }
    hand(on: desk.take(event))
  }

  private func hand(on messages: [BeaconDesk.Message]) {
    for message in messages {
      switch message {
      case .ranging(let key, let report): rangingUsers[key]?(report)
      case .presence(let key, let report): presenceUsers[key]?(report)
      }
    }
  }
}
