internal import Formats
internal import HostProtocol
internal import LocationHost
internal import Observers
internal import Pipeline
internal import Quantities
internal import Synchronization

/// Holds the source open for its sensor samples and selects the wanted ones.
final class SensorListener: EstimateConsumer {
  /// A sample may be early by this share of the interval, because the clocks of chips are not
  /// exact.
  private static let tolerance = 0.1
  /// Seconds between two samples of a sensor at most: a day.
  private static let longestInterval = 86_400.0

  private let kinds: Set<CLSensorKind>
  private let interval: Double?
  private let deliver: @Sendable (CLSensorSample) -> Void
  private let fail: @Sendable () -> Void
  private let shared = Mutex(Shared())

  private struct Shared {
    var due: [CLSensorKind: Timestamp] = [:]
    var isActive = true
    var observation: Observation?
  }

  init(
    kinds: Set<CLSensorKind>, rate: Double?,
    _ deliver: @escaping @Sendable (CLSensorSample) -> Void,
    onFailure fail: @escaping @Sendable () -> Void
  ) {
    (self.kinds, self.deliver, self.fail) = (kinds, deliver, fail)
    interval = rate.flatMap { $0 > 0 ? min(1 / $0, Self.longestInterval) : nil }
  }

  /// Receives the samples of the publisher from now on.
  func observe(_ publisher: any EstimatePublisher) {
    let observation = publisher.observeRows { [weak self, weak publisher] row in
      // The mounting is read for each row: another board may be attached meanwhile.
      if let self, let publisher { receive(row, publisher.mounting) }
    }
    let isLate = shared.withLock { shared in
      if shared.isActive { shared.observation = observation }
      return !shared.isActive
    }
    if isLate { observation.cancel() }
  }

  /// Ends the observation.
  func stop() {
    let observation = shared.withLock { shared in
      shared.isActive = false
      defer { shared.observation = nil }
      return shared.observation
    }
    observation?.cancel()
  }

  private func receive(_ row: SensorSamples, _ mounting: Rotation<SensorFrame, BodyFrame>) {
    func deliverIfDue(_ kind: CLSensorKind, _ time: Timestamp, _ vector: CLVector3) {
      guard kinds.contains(kind), isDue(kind, time) else { return }
      deliver(CLSensorSample(kind: kind, monotonicTimestamp: time.nanoseconds, vector: vector))
    }
    if let sample = row.inertial {
      if let force = sample.specificForce {
        deliverIfDue(.accelerometer, sample.timestamp, Self.turned(force, mounting))
      }
      if let rate = sample.angularRate {
        deliverIfDue(.gyroscope, sample.timestamp, Self.turned(rate, mounting))
      }
    }
    if let sample = row.field {
      deliverIfDue(.magnetometer, sample.timestamp, Self.turned(sample.field, mounting))
    }
    if let sample = row.pressure {
      deliverIfDue(.barometer, sample.timestamp, CLVector3(x: sample.hectopascal, y: 0, z: 0))
      if let celsius = sample.celsius {
        deliverIfDue(.thermometer, sample.timestamp, CLVector3(x: celsius, y: 0, z: 0))
      }
    }
  }

  private func isDue(_ kind: CLSensorKind, _ time: Timestamp) -> Bool {
    guard let interval else { return true }
    let nanoseconds = UInt64(nanosecondsIn: interval)
    return shared.withLock { shared in
      var next = shared.due[kind] ?? time
      // The clock of another recording, or of a restarted simulation.
      if next.seconds(since: time) > 2 * interval { next = time }
      guard next.seconds(since: time) <= interval * Self.tolerance else { return false }
      // Counted from the due time, not from the sample's: the mean rate is the requested one.
      shared.due[kind] = max(next.advanced(byNanoseconds: nanoseconds), time)
      return true
    }
  }

  private static func turned<Unit>(
    _ vector: FrameVector<Unit, SensorFrame>, _ mounting: Rotation<SensorFrame, BodyFrame>
  ) -> CLVector3 {
    CLVector3(exchanging: mounting(vector).components)
  }

  // MARK: EstimateConsumer

  var isActive: Bool { shared.withLock { $0.isActive } }
  /// Samples need no fix; they are requested separately from estimates.
  var demand: EstimateDemand { .none }
  func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {}
  func sourceFailed(_ error: CLError) { fail() }
  func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {}
  func authorizationIsKnown(_ status: CLAuthorizationStatus) {}
}

extension LocationServices {
  /// Opens the source for a listener.
  func listen(_ consumer: SensorListener) {
    queue.async { [self] in
      guard consumer.isActive else { return }
      guard status.isAuthorized else {
        return consumer.sourceFailed(refusal)
      }
      switch open() {
      case .failure(let error): consumer.sourceFailed(error.denial)
      case .success(let publisher):
        add(consumer)
        consumer.observe(publisher)
      }
    }
  }

  /// Ends the samples of a listener.
  func stopListening(_ consumer: SensorListener) {
    consumer.stop()
    detach(consumer)
  }
}
