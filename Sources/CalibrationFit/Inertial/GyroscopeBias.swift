import Quantities

/// A gyroscope's bias, and how it goes with the temperature where that is known. Sensor axes.
public struct GyroscopeBias: Equatable, Sendable {
  /// The bias at `referenceCelsius`, rad/s.
  public var bias: SIMD3<Double>
  /// Its standard deviation there, rad/s, each axis.
  public var sigma: SIMD3<Double>
  /// The temperature that the bias holds for, degrees Celsius; nil where no rest told one.
  public var referenceCelsius: Double?
  /// Change of the bias with temperature, rad/s/K; near zero where it is not known.
  public var slope: SIMD3<Double>
  /// Its standard deviation, rad/s/K, each axis.
  public var slopeSigma: SIMD3<Double>
  /// Whether the slope was measured.
  public var slopeState: SlopeState
  /// How many rests it comes from.
  public var restCount: Int

  /// Whether the temperatures of the rests told a slope.
  public enum SlopeState: Equatable, Sendable, CustomStringConvertible {
    /// They did.
    case known
    /// They were too much alike, kelvin between coldest and warmest.
    case temperaturesAlike(spanKelvin: Double)
    /// No rest told its temperature.
    case temperatureUnknown

    /// One sentence for people.
    public var description: String {
      switch self {
      case .known: "the bias is known over the temperatures of the rests"
      case .temperaturesAlike(let span):
        "the rests are only \(decimal(span)) kelvin apart, too little to tell what temperature "
          + "does to the bias: let the board rest once cold and once warm"
      case .temperatureUnknown:
        "the sensor tells no temperature, so the bias holds for today's only"
      }
    }
  }

  /// Makes a bias of what is known of it.
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

  /// The bias's standard deviation at a temperature, rad/s: it grows away from the reference, by the
  /// prior's slope where none was measured.
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
