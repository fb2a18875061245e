internal import Engine
internal import Radio

extension LocationServices {
  /// Seconds for which the state of the Bluetooth adapter is cached: reading it takes a D-Bus call.
  private static let adapterCacheTime: TimeInterval = 5

  /// Whether there is a Bluetooth adapter that can receive beacons.
  package var canRange: Bool { adapterFault == nil }

  /// Why beacons cannot be received; nil where they can.
  private var adapterFault: BeaconError? {
    let now = clock.now()
    let known = shared.withLock { $0.adapter }
    if let known, now.timeIntervalSince(known.askedAt) < Self.adapterCacheTime {
      return known.fault
    }
    var fault: BeaconError?
    do throws(BeaconError) { try beacons.checkAvailability() } catch { fault = error }
    shared.withLock { $0.adapter = (now, fault) }
    return fault
  }

  /// Ranges for beacons until the observation ends. `body` is called about once a second, on a
  /// thread of the beacon service. Ranging begins once the authorization is determined.
  /// - Parameters:
  ///   - constraint: The beacons to range for.
  ///   - body: Receives the beacons, or the error.
  /// - Returns: The observation; ranging ends with it.
  func range(
    _ constraint: CLBeaconIdentityConstraint,
    _ body: @escaping @Sendable (Result<[CLBeacon], CLError>) -> Void
  ) -> Observation {
    let entry = RangingEntry(constraint: constraint.values, body: body)
    queue.async { [self] in
      shared.withLock { $0.ranging[ObjectIdentifier(entry)] = entry }
      follow(entry)
    }
    return Observation { [queue, shared] in
      queue.async {
        entry.observation = nil
        shared.withLock { _ = $0.ranging.removeValue(forKey: ObjectIdentifier(entry)) }
      }
    }
  }

  /// The authorization or accuracy has changed.
  func rangingMayHaveChanged() {
    for entry in shared.withLock({ Array($0.ranging.values) }) { follow(entry) }
  }

  private func follow(_ entry: RangingEntry) {
    if let refusal = rangingRefusal {
      entry.observation = nil
      if let error = refusal.error { entry.body(.failure(error)) }
      return
    }
    guard entry.observation == nil else { return }
    let body = entry.body
    entry.observation = beacons.range(entry.constraint) { [weak self] report in
      switch report {
      case .ranged(let beacons, _): body(.success(beacons.map(CLBeacon.init)))
      case .failed(let error):
        body(.failure(CLError(error)))
        // The adapter's state may have changed: read it again.
        self?.shared.withLock { $0.adapter = nil }
      }
    }
  }

  /// Why nothing is ranged now; without an error while the authorization is not determined.
  private var rangingRefusal: (error: CLError?, Void)? {
    switch status {
    case .notDetermined: (nil, ())
    case .restricted: (restriction, ())
    case .denied: (denial, ())
    case .authorizedAlways, .authorizedWhenInUse:
      authority.accuracy == .fullAccuracy
        ? nil
        : (refusal("ranging needs full accuracy; request it first", .rangingUnavailable), ())
    }
  }
}

/// One running range request. Unchecked: `observation` is used on the services' queue only.
final class RangingEntry: @unchecked Sendable {
  let constraint: BeaconConstraint
  let body: @Sendable (Result<[CLBeacon], CLError>) -> Void
  var observation: BeaconObservation?

  init(
    constraint: BeaconConstraint, body: @escaping @Sendable (Result<[CLBeacon], CLError>) -> Void
  ) { (self.constraint, self.body) = (constraint, body) }
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
