internal import LinuxIO

/// The kinds of sensors of a board.
public enum CLSensorKind: String, CaseIterable, Codable, Sendable {
  /// The specific force along the device's axes, m/s²: at rest 9.81 upwards.
  case accelerometer
  /// The angular rate about the device's axes, right-handed, rad/s.
  case gyroscope
  /// The magnetic field along the device's axes, before any calibration, microtesla.
  case magnetometer
  /// Static pressure, hectopascal.
  case barometer
  /// The barometer's own temperature, degrees Celsius.
  case thermometer
}

/// One sample of one sensor, without calibration, filtering or fusion.
///
/// The device's axes are right, forward and up, by the mount in the board file. With an automatic
/// mount the board's x is taken as forward and its z as up. A Lodestar extension.
public struct CLSensorSample: Hashable, Sendable {
  /// The sensor.
  public let kind: CLSensorKind
  /// The time of the sample, nanoseconds of `CLOCK_MONOTONIC`; for a recording since its start.
  public let monotonicTimestamp: UInt64
  /// The measured vector; a barometer or a thermometer has its value in x.
  public let vector: CLVector3

  /// The value of a sensor without axes.
  public var value: Double { vector.x }

  package init(kind: CLSensorKind, monotonicTimestamp: UInt64, vector: CLVector3) {
    (self.kind, self.monotonicTimestamp, self.vector) = (kind, monotonicTimestamp, vector)
  }
}

extension CLSensorSample {
  /// The samples of a source. Each iterator has its own buffer and holds the source open until it
  /// is released or its task is cancelled.
  public struct Samples: AsyncSequence, Sendable {
    /// A sample.
    public typealias Element = CLSensorSample

    /// The maximum number of samples that wait for a slow reader; beyond it the oldest are dropped.
    public static var capacity: Int { 512 }

    let services: LocationServices
    let kinds: Set<CLSensorKind>
    let rate: Double?
    private let dropped = Locked(0)

    package init(services: LocationServices, kinds: Set<CLSensorKind>, rate: Double?) {
      (self.services, self.kinds, self.rate) = (services, kinds, rate)
    }

    /// The number of samples dropped so far because of slow readers, over all iterators of this
    /// sequence.
    public var droppedCount: Int { dropped.withLock { $0 } }

    /// Begins to receive samples.
    public func makeAsyncIterator() -> Iterator {
      let (stream, listener) = AsyncStream.makeStream(
        of: CLSensorSample.self, bufferingPolicy: .bufferingNewest(Self.capacity))
      let consumer = SensorListener(kinds: kinds, rate: rate) { [dropped] sample in
        if case .dropped = listener.yield(sample) { dropped.withLock { $0 += 1 } }
      } onFailure: {
        listener.finish()
      }
      services.listen(consumer)
      listener.onTermination = { [services] _ in services.stopListening(consumer) }
      return Iterator(base: stream.makeAsyncIterator())
    }

    /// Receives the samples.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<CLSensorSample>.Iterator

      /// Waits for the next sample; nil once the task is cancelled, and where the source cannot be
      /// opened.
      public mutating func next() async -> CLSensorSample? { await base.next() }
    }
  }
}

extension CLLocationManager {
  /// The raw samples of the board's sensors, while an iterator exists.
  /// - Parameters:
  ///   - kinds: The wanted sensors; one that the source does not have gives no samples.
  ///   - rate: The maximum rate of each sensor, samples per second; nil for all samples. Samples
  ///     between are dropped, not averaged.
  /// - Returns: The samples, in the order of the engine's input.
  public func sensorSamples(
    _ kinds: Set<CLSensorKind>, rate: Double? = nil
  ) -> CLSensorSample.Samples {
    CLSensorSample.Samples(services: session.services, kinds: kinds, rate: rate)
  }
}
