import Quantities

/// What wind, water and weather instruments on the receiver's line say. Absent means not measured.
public struct Environment: Equatable, Sendable {
  /// Water below the transducer, metres.
  public var depthMetres: Double?
  /// Of the water, degrees Celsius.
  public var waterCelsius: Double?
  /// Of the air, degrees Celsius.
  public var airCelsius: Double?
  /// Of the air, hectopascals.
  public var pressureHectopascal: Double?
  /// Of the air, per cent.
  public var relativeHumidityPercent: Double?
  /// Where the apparent wind comes from, clockwise from the bow.
  public var apparentWindAngle: Angle?
  /// Of the apparent wind, metres per second.
  public var apparentWindMetresPerSecond: Double?
  /// Where the true wind comes from, clockwise from true north.
  public var trueWindDirection: Angle?
  /// Where the true wind comes from, clockwise from magnetic north.
  public var magneticWindDirection: Angle?
  /// Of the true wind, metres per second.
  public var trueWindMetresPerSecond: Double?
  /// Through the water, ahead, metres per second.
  public var waterSpeedMetresPerSecond: Double?

  /// Nothing is known.
  public init() {}

  /// True where nothing was measured.
  public var isEmpty: Bool { self == Environment() }
}

extension Environment {
  /// Takes over what a sentence tells.
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
