internal import Chips
internal import CoreLocation
internal import HostProtocol
internal import LinuxIO
internal import Quantities

/// Samples of some sensors, until it is released.
final class SampleFeed: Sendable {
  private let task: Task<Void, Never>

  /// Begins to receive.
  /// - Parameters:
  ///   - kinds: The sensors.
  ///   - interval: The least interval of each, seconds; 0 for every sample.
  ///   - body: Receives the samples, and nil where the source cannot be opened.
  init(
    _ kinds: Set<CLSensorKind>, every interval: TimeInterval,
    _ body: @escaping @Sendable (CLSensorSample?) -> Void
  ) {
    let samples = CLSensorSample.Samples(
      services: .current, kinds: kinds, rate: interval > 0 ? 1 / interval : nil)
    let reader = samples.makeAsyncIterator()
    task = Task {
      var reader = reader
      while let sample = await reader.next() { body(sample) }
      if !Task.isCancelled { body(nil) }
    }
  }

  deinit { task.cancel() }
}

/// Estimates of the fusion, until it is released.
final class EstimateFeed: Sendable {
  private let services = LocationServices.current
  private let consumer: Consumer

  /// Begins to receive.
  /// - Parameters:
  ///   - demand: What is needed.
  ///   - interval: The least interval, seconds; 0 for every estimate.
  ///   - body: Receives the estimates, and nil where the source cannot be opened.
  init(
    _ demand: EstimateDemand, every interval: TimeInterval,
    _ body: @escaping @Sendable (Estimate?) -> Void
  ) {
    consumer = Consumer(demand, interval, body)
    services.attach(consumer)
  }

  deinit {
    consumer.end()
    services.detach(consumer)
  }

  private final class Consumer: EstimateConsumer {
    /// An estimate may be early by this share of the interval.
    private static let tolerance = 0.1

    let demand: EstimateDemand
    private let interval: TimeInterval
    private let body: @Sendable (Estimate?) -> Void
    private let state = Locked((isActive: true, last: Timestamp?.none))

    init(
      _ demand: EstimateDemand, _ interval: TimeInterval,
      _ body: @escaping @Sendable (Estimate?) -> Void
    ) { (self.demand, self.interval, self.body) = (demand, interval, body) }

    func end() { state.withLock { $0.isActive = false } }

    var isActive: Bool { state.withLock { $0.isActive } }
    func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {}
    func sourceFailed(_ error: CLError) { if isActive { body(nil) } }
    func authorizationIsKnown(_ status: CLAuthorizationStatus) {}

    func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
      let isDue = state.withLock { state in
        guard state.isActive else { return false }
        if let last = state.last, estimate.timestamp >= last,
          estimate.timestamp.seconds(since: last) < interval * (1 - Self.tolerance)
        {
          return false
        }
        state.last = estimate.timestamp
        return true
      }
      if isDue { body(estimate) }
    }
  }
}

/// The latest value for a program that polls, and the program's handler.
final class Delivery<Item: Sendable>: Sendable {
  typealias Handler = (Item?, (any Error)?) -> Void

  private let queue: OperationQueue?
  private let handler: ProgramValue<Handler>?
  private let kept = Locked<Item?>(nil)

  init(_ queue: OperationQueue?, _ handler: Handler?) {
    self.queue = queue
    self.handler = handler.map { ProgramValue(value: $0) }
  }

  /// The newest value.
  var latest: Item? { kept.withLock { $0 } }

  func deliver(_ item: Item) {
    kept.withLock { $0 = item }
    call(item, nil)
  }

  /// Reports that no source can be opened.
  func fail() {
    let code =
      LocationServices.current.authority.authorization.isAuthorized
      ? CMErrorNotAvailable : CMErrorNotAuthorized
    let reason = LocationServices.current.denial.localizedDescription
    call(
      nil,
      NSError(
        domain: CMErrorDomain, code: Int(code.rawValue),
        userInfo: [NSLocalizedDescriptionKey: reason]))
  }

  private func call(_ item: Item?, _ error: NSError?) {
    guard let queue, let handler else { return }
    queue.addOperation { handler.value(item, error) }
  }
}

extension LocationServices {
  /// Whether the source has sensors of a quantity; true for a source that does not say, such as a
  /// recording.
  func measures(_ quantity: ChipModel.Quantity) -> Bool {
    guard case .success = facts() else { return false }
    return client.source.sensors?.contains(quantity.rawValue) ?? true
  }

  /// Whether the program may use motion data.
  var motionStatus: CMAuthorizationStatus {
    switch status {
    case .notDetermined: .notDetermined
    case .restricted: .restricted
    case .denied: .denied
    case .authorizedAlways, .authorizedWhenInUse: .authorized
    }
  }
}
