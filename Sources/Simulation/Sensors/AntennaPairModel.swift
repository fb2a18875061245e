import Quantities
import RealModule

/// A receiver with two antennas: the direction from the main to the second one, with an error that
/// lasts, noise, latency, outages, and wrongly fixed ambiguities.
///
/// While its ambiguities are not fixed it reports no direction, as decoders pass it on.
public struct AntennaPairModel: Equatable, Sendable {
  /// Wrongly fixed ambiguities: the direction is off by an angle.
  public struct WrongFix: Equatable, Sendable {
    /// When.
    public var span: TimeSpan
    /// The error, clockwise.
    public var error: Angle
    /// The error of the length, metres.
    public var lengthErrorMetres: Double

    /// Makes one.
    public init(span: TimeSpan, error: Angle, lengthErrorMetres: Double = 0) {
      (self.span, self.error, self.lengthErrorMetres) = (span, error, lengthErrorMetres)
    }
  }

  /// Directions per second.
  public var rateHertz: Double
  /// Distance of the antennas, metres.
  public var lengthMetres: Double
  /// From the main to the second antenna, clockwise from the bow.
  public var direction: Angle
  /// One sigma of the lasting error across the baseline, metres, and its correlation time, s.
  public var driftMetres: Double
  /// The correlation time of the lasting error, seconds.
  public var driftSeconds: Double
  /// One sigma of each direction's own error across the baseline, metres.
  public var noiseMetres: Double
  /// From the measurement to its arrival, seconds.
  public var latencySeconds: Double
  /// The spans without fixed ambiguities or without reception.
  public var outages: [TimeSpan]
  /// The spans with wrongly fixed ambiguities.
  public var wrongFixes: [WrongFix]
  /// The reported one sigma of the heading as a multiple of the true one; nil: none is reported.
  public var statedAccuracy: Double?
  /// Whether the length is reported.
  public var reportsLength: Bool

  /// Makes a receiver; omitted errors are zero.
  public init(
    rateHertz: Double = 5, lengthMetres: Double, direction: Angle = .zero, driftMetres: Double = 0,
    driftSeconds: Double = 60, noiseMetres: Double = 0, latencySeconds: Double = 0,
    outages: [TimeSpan] = [], wrongFixes: [WrongFix] = [], statedAccuracy: Double? = 1,
    reportsLength: Bool = true
  ) {
    self.rateHertz = rateHertz
    self.lengthMetres = lengthMetres
    self.direction = direction
    self.driftMetres = driftMetres
    self.driftSeconds = driftSeconds
    self.noiseMetres = noiseMetres
    self.latencySeconds = latencySeconds
    self.outages = outages
    self.wrongFixes = wrongFixes
    self.statedAccuracy = statedAccuracy
    self.reportsLength = reportsLength
  }

  /// A receiver of two frequencies with antennas one metre apart.
  /// - Source: the errors across the baseline have the size of those in the product pages of UM982,
  ///   mosaic-H and ZED-F9P (1.7 to 7 mm); that the larger part lasts is from the SP90m product
  ///   manual, p. 20 (multipath). Correlation time and latency are ours.
  public static var consumer: AntennaPairModel {
    AntennaPairModel(
      lengthMetres: 1, driftMetres: 0.004, driftSeconds: 60, noiseMetres: 0.003,
      latencySeconds: 0.08)
  }

  /// One sigma of the heading, rad.
  var headingSigma: Double {
    (driftMetres * driftMetres + noiseMetres * noiseMetres).squareRoot() / lengthMetres
  }
}

/// A receiver's two antennas with their random errors. A heading that is not reported draws the
/// same random numbers.
struct SimulatedAntennas: Sendable {
  private let model: AntennaPairModel
  private var drift: SlowError

  init(_ model: AntennaPairModel, random: inout RandomStream) {
    self.model = model
    drift = SlowError(
      spread: SIMD3(repeating: model.driftMetres), correlationSeconds: model.driftSeconds,
      periodSeconds: 1 / model.rateHertz, random: &random)
  }

  /// The heading of an instant; call once for each. A sample without a heading where none is
  /// reported.
  mutating func heading(
    _ attitude: Rotation<BodyFrame, EarthFrame>, seconds t: Double, arrival: Timestamp,
    random: inout RandomStream
  ) -> HeadingSample {
    let error = drift.value + random.gaussianVector() * model.noiseMetres
    drift.step(&random)
    var sample = HeadingSample(timestamp: arrival, magnetic: nil, true: nil)
    guard !model.outages.contains(where: { $0.contains(t) }) else { return sample }
    let wrong = model.wrongFixes.first { $0.span.contains(t) }
    let d = model.direction.radians
    let vector = attitude.rotate(SIMD3(Double.cos(d), Double.sin(d), 0))
    let heading =
      Double.atan2(y: vector.y, x: vector.x) + error.x / model.lengthMetres
      + (wrong?.error.radians ?? 0)
    sample.true = TrueHeading(Angle(radians: heading).wrappedToTurn)
    sample.accuracy = model.statedAccuracy.map { Angle(radians: $0 * model.headingSigma) }
    let elevation = Double.asin(min(1, max(-1, -vector.z))) + 2 * error.z / model.lengthMetres
    sample.antennas = AntennaVector(
      lengthMetres: model.reportsLength
        ? model.lengthMetres + error.y + (wrong?.lengthErrorMetres ?? 0) : nil,
      elevation: Angle(radians: elevation))
    return sample
  }
}
