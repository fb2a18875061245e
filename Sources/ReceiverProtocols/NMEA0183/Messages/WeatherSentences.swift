import Quantities

/// MDA: meteorological composite.
/// - Source: NMEA Revealed 2.24, MDA; Airmar PB100 technical manual 1.009 and its example in
///   pynmea2.
public struct MDA: Equatable, Sendable {
  /// Barometric pressure, hectopascals; from inches or bars, whichever has the finer resolution.
  public var pressureHectopascal: Double?
  /// Air temperature, degrees Celsius.
  public var airCelsius: Double?
  /// Water temperature, degrees Celsius.
  public var waterCelsius: Double?
  /// Relative humidity, percent.
  public var relativeHumidityPercent: Double?
  /// Dew point, degrees Celsius.
  public var dewPointCelsius: Double?
  /// Direction from which the wind blows, clockwise from true north.
  public var trueWindDirection: Angle?
  /// Direction from which the wind blows, clockwise from magnetic north.
  public var magneticWindDirection: Angle?
  /// Wind speed, metres per second.
  public var windSpeedMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    pressureHectopascal = fields.airHectopascal()
    airCelsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
    waterCelsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
    relativeHumidityPercent = fields.number(in: PrintedRange.percent)
    // Absolute humidity "in percent": the sources do not define the reference.
    fields.skip()
    dewPointCelsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
    trueWindDirection = fields.direction(unit: UInt8(ascii: "T"))
    magneticWindDirection = fields.direction(unit: UInt8(ascii: "M"))
    windSpeedMetresPerSecond = fields.knotsAndMetresPerSecond()
  }
}

/// MTW: water temperature.
/// - Source: NMEA Revealed 2.24, MTW; pynmeagps 1.1.
public struct MTW: Equatable, Sendable {
  /// Water temperature, degrees Celsius.
  public var celsius: Double?

  init(_ fields: inout SentenceFields) {
    celsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
  }
}

/// MTA: air temperature; superseded by XDR.
/// - Source: go-nmea, MTA; pynmea2 1.19 names it.
public struct MTA: Equatable, Sendable {
  /// Air temperature, degrees Celsius.
  public var celsius: Double?

  init(_ fields: inout SentenceFields) {
    celsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
  }
}

/// MMB: barometric pressure; superseded by XDR.
/// - Source: Java Marine API, MMBSentence; the fields are MDA's first four.
public struct MMB: Equatable, Sendable {
  /// Barometric pressure, hectopascals; from inches or bars, whichever has the finer resolution.
  public var pressureHectopascal: Double?

  init(_ fields: inout SentenceFields) { pressureHectopascal = fields.airHectopascal() }
}

/// MHU: humidity; superseded by XDR.
/// - Source: Java Marine API, MHUSentence, and other public code, which leaves absolute humidity
///   empty.
public struct MHU: Equatable, Sendable {
  /// Relative humidity, percent.
  public var relativeHumidityPercent: Double?
  /// Dew point, degrees Celsius.
  public var dewPointCelsius: Double?

  init(_ fields: inout SentenceFields) {
    relativeHumidityPercent = fields.number(in: PrintedRange.percent)
    fields.skip()
    dewPointCelsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
  }
}
