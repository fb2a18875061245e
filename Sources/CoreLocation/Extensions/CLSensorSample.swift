/// What a sensor of the board measures.
public enum CLSensorKind: String, CaseIterable, Codable, Sendable {
  /// The acceleration less gravity's, as it is felt: m/s² along the device's axes, at rest 9.81 upwards.
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

/// One reading of one sensor, as its chip told it: nothing is calibrated, filtered or fused.
///
/// The device's axes are right, forward and up, by the mount that the board file tells; of a mount that is found by
/// gravity as if the board's x pointed forward and its z up. Lodestar's own.
public struct CLSensorSample: Hashable, Sendable {
  /// The sensor.
  public let kind: CLSensorKind
  /// When it was taken, nanoseconds of `CLOCK_MONOTONIC`; of a recording since its start.
  public let monotonicTimestamp: UInt64
  /// What was measured: three axes; of a barometer and a thermometer the number stands in x alone.
  public let vector: CLVector3

  /// The number of a sensor without axes.
  public var value: Double { vector.x }

  package init(kind: CLSensorKind, monotonicTimestamp: UInt64, vector: CLVector3) {
    (self.kind, self.monotonicTimestamp, self.vector) = (kind, monotonicTimestamp, vector)
  }
}

extension CLSensorSample {
  /// The samples of a source. Each iterator has a buffer of its own and keeps the source open until it is
  /// let go or its task is cancelled.
  public struct Samples: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = CLSensorSample

    /// Samples that wait at most for a slow reader; then the oldest goes for each that comes.
    public static var capacity: Int { 512 }

    let services: LocationServices
    let kinds: Set<CLSensorKind>
    let rate: Double?
    private let dropped = Locked(0)

    init(services: LocationServices, kinds: Set<CLSensorKind>, rate: Double?) {
      (self.services, self.kinds, self.rate) = (services, kinds, rate)
    }

    /// How many samples were dropped so far because a reader was slow, over all iterators of this sequence.
    public var droppedCount: Int { dropped.withLock { $0 } }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
      let (stream, listener) = AsyncStream.makeStream(
        of: CLSensorSample.self, bufferingPolicy: .bufferingNewest(Self.capacity))
      let user = SensorListener(kinds: kinds, rate: rate) { [dropped] sample in
        if case .dropped = listener.yield(sample) { dropped.withLock { $0 += 1 } }
      } onFailure: {
        listener.finish()
      }
      services.listen(user)
      listener.onTermination = { [services] _ in services.stopListening(user) }
      return Iterator(base: stream.makeAsyncIterator())
    }

    /// Hands the samples out.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<CLSensorSample>.Iterator

      /// The next sample; nil once the task is cancelled, and where the source cannot be opened.
      public mutating func next() async -> CLSensorSample? { await base.next() }
    }
  }
}

extension CLLocationManager {
  /// What the board's sensors tell, raw, as long as somebody iterates.
  /// - Parameters:
  ///   - kinds: The sensors that are wanted; those that the source has not never tell anything.
  ///   - rate: Samples a second of each sensor at the most; nil for all. Those between are left out, not averaged.
  /// - Returns: The samples, in the order in which the engine takes them.
  public func sensorSamples(
    _ kinds: Set<CLSensorKind>, rate: Double? = nil
  ) -> CLSensorSample.Samples {
    CLSensorSample.Samples(services: session.services, kinds: kinds, rate: rate)
  }
}
