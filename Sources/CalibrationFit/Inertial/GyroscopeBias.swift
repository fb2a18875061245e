import Quantities

/// A gyroscope's bias and, if known, its temperature slope. Sensor axes.
public struct GyroscopeBias: Equatable, Sendable {
  /// The bias at `referenceCelsius`, rad/s.
  public var bias: SIMD3<Double>
  /// Its standard deviation there, rad/s, each axis.
  public var sigma: SIMD3<Double>
  /// Temperature of the bias, degrees Celsius; nil without a temperature.
  public var referenceCelsius: Double?
  /// Change of the bias with temperature, rad/s/K; near zero if unknown.
  public var slope: SIMD3<Double>
  /// Its standard deviation, rad/s/K, each axis.
  public var slopeSigma: SIMD3<Double>
  /// Whether the slope was measured.
  public var slopeState: SlopeState
  /// Number of rests.
  public var restCount: Int

  /// Whether the temperatures of the rests determine the slope.
  public enum SlopeState: Equatable, Sendable, CustomStringConvertible {
    /// The slope is known.
    case known
    /// The temperatures are too similar, kelvin between coldest and warmest.
    case temperaturesAlike(spanKelvin: Double)
    /// No rest has a temperature.
    case temperatureUnknown

    /// The message for the user.
    public var description: String {
      switch self {
      case .known: "the bias is known over the temperatures of the rests"
      case .temperaturesAlike(let span):
        "the temperatures of the rests differ by only \(decimal(span)) kelvin, too little for the "
          + "temperature slope of the bias: let the board rest once cold and once warm"
      case .temperatureUnknown:
        "the sensor reports no temperature, so the bias is valid only at today's temperature"
      }
    }
  }

  /// Makes a bias.
  public init(
    bias: SIMD3<Double>, sigma: SIMD3<Double>, referenceCelsius: Double?, slope: SIMD3<Double>,
    slopeSigma: SIMD3<Double>, slopeState: SlopeState, restCount: Int
  ) {
    (self.bias, self.sigma, self.referenceCelsius) = (bias, sigma, referenceCelsius)
    (self.slope, self.slopeSigma, self.slopeState) = (slope, slopeSigma, slopeState)
    self.restCount = restCount
  }

  /// The bias at a temperature, rad/s.
  public func bias(celsius: Double?) -> SIMD3<Double> {
    guard let celsius, let reference = referenceCelsius else { return bias }
    return bias + slope * (celsius - reference)
  }

  /// The standard deviation of the bias at a temperature, rad/s: it grows with the distance from
  /// the reference, by the prior's slope if none was measured.
  public func sigma(celsius: Double?) -> SIMD3<Double> {
    guard let celsius, let reference = referenceCelsius else { return sigma }
    let more = slopeSigma * (celsius - reference)
    return (sigma * sigma + more * more).squareRoot()
  }

  /// The rate without the bias, rad/s.
  public func correct(rate: SIMD3<Double>, celsius: Double? = nil) -> SIMD3<Double> {
    rate - bias(celsius: celsius)
  }
}
