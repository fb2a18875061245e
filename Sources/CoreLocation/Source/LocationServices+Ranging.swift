internal import Beacons
internal import Engine

extension LocationServices {
  /// Seconds that an answer about the Bluetooth adapter holds: asking takes a D-Bus call.
  private static let adapterMemory: TimeInterval = 5

  /// Whether there is a Bluetooth adapter that can hear beacons.
  package var canRange: Bool { adapterFault == nil }

  /// Why beacons cannot be heard; nil where they can.
  private var adapterFault: BeaconError? {
    let now = clock.now()
    let known = shared.withLock { $0.adapter }
    if let known, now.timeIntervalSince(known.askedAt) < Self.adapterMemory { return known.fault }
    var fault: BeaconError?
    do throws(BeaconError) { try beacons.checkAvailability() } catch { fault = error }
    shared.withLock { $0.adapter = (now, fault) }
    return fault
  }

  /// Ranges for beacons until the observation ends; `body` is called about once a second, on a thread of the
  /// service's. Before it is decided whether the program may, nothing is heard.
  /// - Parameters:
  ///   - constraint: Which beacons.
  ///   - body: Takes the beacons, or why there are none.
  /// - Returns: What keeps it going.
  func range(
    _ constraint: CLBeaconIdentityConstraint,
    _ body: @escaping @Sendable (Result<[CLBeacon], CLError>) -> Void
  ) -> Observation {
    let entry = RangingEntry(constraint: constraint.identity, body: body)
    queue.async { [self] in
      shared.withLock { $0.ranging[ObjectIdentifier(entry)] = entry }
      follow(entry)
    }
    return Observation { [queue, shared] in
      queue.async {
        entry.watch = nil
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
      entry.watch = nil
      if let error = refusal.error { entry.body(.failure(error)) }
      return
    }
    guard entry.watch == nil else { return }
    let (identity, body) = (entry.constraint, entry.body)
    entry.watch = beacons.range(
      BeaconConstraint(uuid: identity.uuid, major: identity.major, minor: identity.minor)
    ) { [weak self] report in
      switch report {
      case .ranged(let beacons, _): body(.success(beacons.map(CLBeacon.init)))
      case .failed(let error):
        body(.failure(CLError(error)))
        // The adapter's state is another one than it was.
        self?.shared.withLock { $0.adapter = nil }
      }
    }
  }

  /// Why nothing is ranged now; without an error while nobody has decided.
  private var rangingRefusal: (error: CLError?, Void)? {
    switch status {
    case .notDetermined: (nil, ())
    case .restricted: (restriction, ())
    case .denied: (denial, ())
    case .authorizedAlways, .authorizedWhenInUse:
      authority.accuracy == .fullAccuracy
        ? nil : (refusal("ranging needs full accuracy", .rangingUnavailable), ())
    }
  }
}

/// What somebody ranges for; its watch belongs to the services' queue.
final class RangingEntry: @unchecked Sendable {
  let constraint: BeaconIdentity
  let body: @Sendable (Result<[CLBeacon], CLError>) -> Void
  var watch: BeaconObservation?

  init(
    constraint: BeaconIdentity, body: @escaping @Sendable (Result<[CLBeacon], CLError>) -> Void
  ) { (self.constraint, self.body) = (constraint, body) }
}

extension CLBeacon {
  fileprivate convenience init(_ beacon: RangedBeacon) {
    var values = BeaconValues(
      identity: BeaconIdentity(
        uuid: beacon.identity.uuid, major: beacon.identity.major, minor: beacon.identity.minor),
      timestamp: Date())
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
  /// No adapter that can be used is `rangingUnavailable`; one that refuses is `rangingFailure`.
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
