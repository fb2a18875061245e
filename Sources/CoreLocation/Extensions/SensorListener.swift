internal import Engine
internal import Quantities
internal import Recording

/// Keeps the source open for the samples of its sensors and picks out those that are wanted.
final class SensorListener: ServiceUser, @unchecked Sendable {
  /// A sample that comes this share of the interval early still counts: chips' clocks are not exact.
  private static let slack = 0.1

  private let kinds: Set<CLSensorKind>
  private let interval: Double?
  private let take: @Sendable (CLSensorSample) -> Void
  private let fail: @Sendable () -> Void
  private let shared = Locked(Shared())
  // Only on the source's thread.
  private var due: [CLSensorKind: Timestamp] = [:]

  private struct Shared {
    var isActive = true
    var observation: Observation?
  }

  init(
    kinds: Set<CLSensorKind>, rate: Double?, _ take: @escaping @Sendable (CLSensorSample) -> Void,
    onFailure fail: @escaping @Sendable () -> Void
  ) {
    (self.kinds, self.take, self.fail) = (kinds, take, fail)
    interval = rate.flatMap { $0 > 0 ? 1 / $0 : nil }
  }

  /// The source's samples go to whoever listens from now on.
  func hear(_ publisher: any EstimatePublisher) {
    let observation = publisher.observeRows { [weak self, weak publisher] row in
      // Another board may be attached meanwhile.
      if let self, let publisher { receive(row, publisher.mounting) }
    }
    let isLate = shared.withLock { shared in
      if shared.isActive { shared.observation = observation }
      return !shared.isActive
    }
    if isLate { observation.cancel() }
  }

  /// Nobody listens any more.
  func stop() {
    let observation = shared.withLock { shared in
      shared.isActive = false
      defer { shared.observation = nil }
      return shared.observation
    }
    observation?.cancel()
  }

  private func receive(_ row: SensorRow, _ mounting: Rotation<SensorFrame, BodyFrame>) {
    func give(_ kind: CLSensorKind, _ time: Timestamp, _ vector: CLVector3) {
      guard kinds.contains(kind), isDue(kind, time) else { return }
      take(CLSensorSample(kind: kind, monotonicTimestamp: time.nanoseconds, vector: vector))
    }
    if let sample = row.inertial {
      if let force = sample.specificForce {
        give(.accelerometer, sample.timestamp, Self.turned(force, mounting))
      }
      if let rate = sample.angularRate {
        give(.gyroscope, sample.timestamp, Self.turned(rate, mounting))
      }
    }
    if let sample = row.field {
      give(.magnetometer, sample.timestamp, Self.turned(sample.field, mounting))
    }
    if let sample = row.pressure {
      give(.barometer, sample.timestamp, CLVector3(x: sample.hectopascal, y: 0, z: 0))
      if let celsius = sample.celsius {
        give(.thermometer, sample.timestamp, CLVector3(x: celsius, y: 0, z: 0))
      }
    }
  }

  private func isDue(_ kind: CLSensorKind, _ time: Timestamp) -> Bool {
    guard let interval else { return true }
    let nanoseconds = UInt64(interval * 1e9)
    var next = due[kind] ?? time
    // The clock of another recording, or of a simulation that began anew.
    if next.seconds(since: time) > 2 * interval { next = time }
    guard next.seconds(since: time) <= interval * Self.slack else { return false }
    // From when it was due, not from when it came: the mean is the rate that was asked for.
    due[kind] = max(next.advanced(byNanoseconds: nanoseconds), time)
    return true
  }

  private static func turned<Unit>(
    _ vector: FrameVector<Unit, SensorFrame>, _ mounting: Rotation<SensorFrame, BodyFrame>
  ) -> CLVector3 {
    CLVector3(exchanging: mounting(vector).components)
  }

  // MARK: As a user of the source

  var isActive: Bool { shared.withLock { $0.isActive } }
  /// Samples of motion and field need no receiver.
  var receiverDemand: ReceiverDemand { .none }
  func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {}
  func sourceFailed(_ error: CLError) { fail() }
  func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {}
  func authorizationIsKnown(_ status: CLAuthorizationStatus) {}
}

extension LocationServices {
  /// Opens the source for its samples.
  func listen(_ user: SensorListener) {
    queue.async { [self] in
      guard user.isActive else { return }
      guard status.isAuthorized else {
        return user.sourceFailed(refusal)
      }
      switch open() {
      case .failure(let error): user.sourceFailed(error.denial)
      case .success(let publisher):
        shared.withLock { $0.users.append(user) }
        user.hear(publisher)
      }
    }
  }

  /// The samples are wanted no more.
  func stopListening(_ user: SensorListener) {
    user.stop()
    detach(user)
  }
}
