internal import LocationHost
internal import Observers
internal import Radio
internal import Synchronization

/// The ranging for beacons of all managers. Safe from any thread.
final class BeaconRanging: Sendable {
  /// Seconds for which the state of the Bluetooth adapter is cached: reading it takes a D-Bus call.
  private static let adapterCacheTime: TimeInterval = 5

  private let beacons: BeaconService
  private let queue: DispatchQueue
  private let clock: any HostClock
  private let state = Mutex(State())

  private struct State {
    var nextKey = 0
    var entries: [Int: Entry] = [:]
    var adapter: (askedAt: TimeInterval, fault: BeaconError?)?
  }

  /// One running range request.
  private struct Entry {
    let constraint: BeaconConstraint
    let refusal: @Sendable () -> Refusal?
    let body: @Sendable (Result<[CLBeacon], CLError>) -> Void
    var observation: BeaconObservation?
  }

  /// Why nothing is ranged now.
  enum Refusal {
    /// The authorization is not determined.
    case undecided
    /// The program receives the error.
    case error(CLError)
  }

  /// Makes a ranging that has not begun; requests begin and end on the queue.
  init(_ beacons: BeaconService, queue: DispatchQueue, clock: any HostClock) {
    (self.beacons, self.queue, self.clock) = (beacons, queue, clock)
  }

  /// Whether there is a Bluetooth adapter that can receive beacons.
  var isAvailable: Bool {
    let now = clock.uptime
    if let known = state.withLock({ $0.adapter }), now - known.askedAt < Self.adapterCacheTime {
      return known.fault == nil
    }
    var fault: BeaconError?
    do throws(BeaconError) { try beacons.checkAvailability() } catch { fault = error }
    state.withLock { [fault] in $0.adapter = (now, fault) }
    return fault == nil
  }

  /// Ranges for beacons until the observation ends. `body` is called about once a second, on a
  /// thread of the beacon service. Ranging begins once the authorization is determined.
  /// - Parameters:
  ///   - constraint: The beacons to range for.
  ///   - refusal: Called on the queue: why nothing is ranged now; nil where ranging is allowed.
  ///   - body: Receives the beacons, or the error.
  /// - Returns: The observation; ranging ends with it.
  func range(
    _ constraint: CLBeaconIdentityConstraint, unless refusal: @escaping @Sendable () -> Refusal?,
    _ body: @escaping @Sendable (Result<[CLBeacon], CLError>) -> Void
  ) -> Observation {
    let entry = Entry(constraint: constraint.values, refusal: refusal, body: body)
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    queue.async { [self] in
      state.withLock { $0.entries[key] = entry }
      follow(key, entry)
    }
    return Observation { [self] in
      queue.async { [self] in
        let entry = state.withLock { $0.entries.removeValue(forKey: key) }
        entry?.observation?.cancel()
      }
    }
  }

  /// The authorization or accuracy has changed. Call it on the queue.
  func accessHasChanged() {
    for (key, entry) in state.withLock({ $0.entries }) { follow(key, entry) }
  }

  private func follow(_ key: Int, _ entry: Entry) {
    if let refusal = entry.refusal() {
      state.withLock { $0.entries[key]?.observation = nil }
      entry.observation?.cancel()
      if case .error(let error) = refusal { entry.body(.failure(error)) }
      return
    }
    guard entry.observation == nil else { return }
    let body = entry.body
    let observation = beacons.range(entry.constraint) { [weak self] report in
      switch report {
      case .ranged(let beacons, _): body(.success(beacons.map(CLBeacon.init)))
      case .failed(let error):
        body(.failure(CLError(error)))
        // The adapter's state may have changed: read it again.
        self?.state.withLock { $0.adapter = nil }
      }
    }
    state.withLock { $0.entries[key]?.observation = observation }
  }
}

extension LocationServices {
  /// Ranges for beacons while the program is authorized with full accuracy.
  func range(
    _ constraint: CLBeaconIdentityConstraint,
    _ body: @escaping @Sendable (Result<[CLBeacon], CLError>) -> Void
  ) -> Observation {
    ranging.range(constraint, unless: { [weak self] in self?.rangingRefusal }, body)
  }

  private var rangingRefusal: BeaconRanging.Refusal? {
    switch status {
    case .notDetermined: .undecided
    case .restricted: .error(restriction)
    case .denied: .error(denial)
    case .authorizedAlways, .authorizedWhenInUse:
      authority.accuracy == .fullAccuracy
        ? nil
        : .error(refusal("ranging needs full accuracy; request it first", .rangingUnavailable))
    }
  }
}

extension CLBeacon {
  fileprivate convenience init(_ beacon: RangedBeacon) {
    var values = BeaconValues(identity: beacon.identity, timestamp: Date())
    values.accuracy = beacon.accuracyMetres ?? -1
    values.rssi = beacon.rssiDBm ?? 0
    values.proximity =
      switch beacon.proximity {
      case .immediate: .immediate
      case .near: .near
      case .far: .far
      case .unknown: .unknown
      }
    self.init(values)
  }
}

extension CLError {
  /// `rangingUnavailable` without a usable adapter; `rangingFailure` where the adapter refuses.
  fileprivate init(_ error: BeaconError) {
    let code: Code =
      switch error.kind {
      case .noBus, .noAccess, .noDaemon, .noAdapter, .poweredOff, .blocked: .rangingUnavailable
      case .refused: .rangingFailure
      }
    self.init(
      code, userInfo: [NSLocalizedDescriptionKey: "\(error)", NSUnderlyingErrorKey: error])
  }
}
