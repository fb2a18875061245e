import Quantities

/// Measurements of wind, water and weather instruments on the receiver's line; nil means not
/// measured.
public struct Environment: Equatable, Sendable {
  /// Depth of the water below the transducer, metres.
  public var depthMetres: Double?
  /// Water temperature, degrees Celsius.
  public var waterCelsius: Double?
  /// Air temperature, degrees Celsius.
  public var airCelsius: Double?
  /// Air pressure, hectopascals.
  public var pressureHectopascal: Double?
  /// Relative humidity of the air, per cent.
  public var relativeHumidityPercent: Double?
  /// Origin of the apparent wind, clockwise from the bow.
  public var apparentWindAngle: Angle?
  /// Speed of the apparent wind, metres per second.
  public var apparentWindMetresPerSecond: Double?
  /// Origin of the true wind, clockwise from true north.
  public var trueWindDirection: Angle?
  /// Origin of the true wind, clockwise from magnetic north.
  public var magneticWindDirection: Angle?
  /// Speed of the true wind, metres per second.
  public var trueWindMetresPerSecond: Double?
  /// Speed ahead through the water, metres per second.
  public var waterSpeedMetresPerSecond: Double?

  /// Makes an environment without measurements.
  public init() {}

  /// True where nothing was measured.
  public var isEmpty: Bool { self == Environment() }
}

extension Environment {
  /// Adds the measurements of a sentence.
  mutating func add(_ sentence: NMEASentence) {
    switch sentence {
    case .mwv(let s):
      if s.reference == .apparent {
        apparentWindAngle = s.angle ?? apparentWindAngle
        apparentWindMetresPerSecond = s.speedMetresPerSecond ?? apparentWindMetresPerSecond
      } else if s.reference == .theoretical {
        trueWindMetresPerSecond = s.speedMetresPerSecond ?? trueWindMetresPerSecond
      }
    case .mwd(let s):
      wind(s.trueDirection, s.magneticDirection, s.speedMetresPerSecond)
    case .vwr(let s):
      apparentWindAngle = s.angle?.wrappedToTurn ?? apparentWindAngle
      apparentWindMetresPerSecond = s.speedMetresPerSecond ?? apparentWindMetresPerSecond
    case .vwt(let s): wind(nil, nil, s.speedMetresPerSecond)
    case .mda(let s):
      pressureHectopascal = s.pressureHectopascal ?? pressureHectopascal
      airCelsius = s.airCelsius ?? airCelsius
      waterCelsius = s.waterCelsius ?? waterCelsius
      relativeHumidityPercent = s.relativeHumidityPercent ?? relativeHumidityPercent
      wind(s.trueWindDirection, s.magneticWindDirection, s.windSpeedMetresPerSecond)
    case .mtw(let s): waterCelsius = s.celsius ?? waterCelsius
    case .mta(let s): airCelsius = s.celsius ?? airCelsius
    case .mmb(let s): pressureHectopascal = s.pressureHectopascal ?? pressureHectopascal
    case .mhu(let s): relativeHumidityPercent = s.relativeHumidityPercent ?? relativeHumidityPercent
    case .dbt(let s): depthMetres = s.depthMetres ?? depthMetres
    case .dpt(let s): depthMetres = s.depthMetres ?? depthMetres
    case .vhw(let s):
      waterSpeedMetresPerSecond = s.speedMetresPerSecond ?? waterSpeedMetresPerSecond
    case .vbw(let s): waterSpeedMetresPerSecond = s.throughWater.ahead ?? waterSpeedMetresPerSecond
    case .xdr(let s):
      pressureHectopascal = s.airHectopascal ?? pressureHectopascal
      airCelsius = s.airCelsius ?? airCelsius
      waterCelsius = s.waterCelsius ?? waterCelsius
      relativeHumidityPercent = s.relativeHumidityPercent ?? relativeHumidityPercent
    default: break
    }
  }

  private mutating func wind(_ fromTrueNorth: Angle?, _ magnetic: Angle?, _ speed: Double?) {
    trueWindDirection = fromTrueNorth ?? trueWindDirection
    magneticWindDirection = magnetic ?? magneticWindDirection
    trueWindMetresPerSecond = speed ?? trueWindMetresPerSecond
  }
}
