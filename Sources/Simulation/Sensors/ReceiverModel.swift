import Quantities
import RealModule

/// A span of time, seconds from the start.
public struct TimeSpan: Equatable, Sendable {
  /// Its first instant.
  public var fromSeconds: Double
  /// The first instant after it.
  public var toSeconds: Double

  /// Makes a span.
  public init(fromSeconds: Double, toSeconds: Double) {
    self.fromSeconds = fromSeconds
    self.toSeconds = toSeconds
  }

  func contains(_ t: Double) -> Bool { t >= fromSeconds && t < toSeconds }
}

/// A satellite receiver: position with a slowly varying error, velocity with white noise, and
/// latency.
public struct ReceiverModel: Equatable, Sendable {
  /// Epochs per second, on whole multiples of their period in civil time.
  public var rateHertz: Double
  /// One sigma of the slow error on each horizontal axis at the usual dilution, metres.
  public var horizontalDriftMetres: Double
  /// The same of the height, metres.
  public var verticalDriftMetres: Double
  /// The correlation time of the slow error, seconds.
  public var driftSeconds: Double
  /// One sigma of each epoch's own error on each axis, metres.
  public var noiseMetres: Double
  /// One sigma of the velocity's error on each axis, metres per second.
  public var velocityNoise: Double
  /// From an epoch to its arrival, seconds.
  public var latencySeconds: Double
  /// The time from the start to the first position, seconds.
  public var timeToFirstFixSeconds: Double
  /// The spans without reception.
  public var outages: [TimeSpan]
  /// Below this speed over ground no course is reported, metres per second.
  public var leastSpeedForCourse: Double
  /// The mean horizontal dilution of precision; it varies by a quarter within a quarter of an hour.
  public var horizontalDilution: Double
  /// Satellites in the solution at the usual dilution.
  public var satellites: Int

  /// Makes a receiver; omitted errors are zero.
  public init(
    rateHertz: Double = 1, horizontalDriftMetres: Double = 0, verticalDriftMetres: Double = 0,
    driftSeconds: Double = 100, noiseMetres: Double = 0, velocityNoise: Double = 0,
    latencySeconds: Double = 0, timeToFirstFixSeconds: Double = 0, outages: [TimeSpan] = [],
    leastSpeedForCourse: Double = 0.3, horizontalDilution: Double = 0.9, satellites: Int = 12
  ) {
    self.rateHertz = rateHertz
    self.horizontalDriftMetres = horizontalDriftMetres
    self.verticalDriftMetres = verticalDriftMetres
    self.driftSeconds = driftSeconds
    self.noiseMetres = noiseMetres
    self.velocityNoise = velocityNoise
    self.latencySeconds = latencySeconds
    self.timeToFirstFixSeconds = timeToFirstFixSeconds
    self.outages = outages
    self.leastSpeedForCourse = leastSpeedForCourse
    self.horizontalDilution = horizontalDilution
    self.satellites = satellites
  }

  /// A receiver without any error.
  public static var ideal: ReceiverModel { ReceiverModel() }

  /// A standard-precision module after a hot start.
  /// - Source: u-blox NEO-M8 data sheet UBX-15031086, table 2: 2.5 m circular error probable, which
  ///   is 2.1 m a horizontal axis (divided by 1.177); velocity 0.05 m/s; hot start 1 s, cold start
  ///   26 s. Height: 1.6 times as bad, the usual ratio of vertical to horizontal dilution. The
  ///   correlation time and the latency are ours, of the size that such receivers show.
  public static var consumer: ReceiverModel {
    ReceiverModel(
      horizontalDriftMetres: 2.1, verticalDriftMetres: 3.4, noiseMetres: 0.2, velocityNoise: 0.05,
      latencySeconds: 0.12, timeToFirstFixSeconds: 1)
  }

  /// The spread of both position errors together on one horizontal axis, metres.
  var horizontalSigma: Double {
    (horizontalDriftMetres * horizontalDriftMetres + noiseMetres * noiseMetres).squareRoot()
  }

  /// The spread of both height errors together, metres.
  var verticalSigma: Double {
    (verticalDriftMetres * verticalDriftMetres + noiseMetres * noiseMetres).squareRoot()
  }
}
