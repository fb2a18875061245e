import Quantities

/// MDA: the weather in one sentence.
/// - Source: NMEA Revealed 2.24, MDA; Airmar PB100 technical manual 1.009 and its example in pynmea2.
public struct MDA: Equatable, Sendable {
  /// Hectopascals; of inches and bars the more finely printed.
  public var pressureHectopascal: Double?
  /// Of the air.
  public var airCelsius: Double?
  /// Of the water.
  public var waterCelsius: Double?
  /// Percent.
  public var relativeHumidityPercent: Double?
  /// Of the air.
  public var dewPointCelsius: Double?
  /// Whence the wind blows, clockwise from true north.
  public var trueWindDirection: Angle?
  /// Whence the wind blows, clockwise from magnetic north.
  public var magneticWindDirection: Angle?
  /// Metres per second.
  public var windSpeedMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    pressureHectopascal = fields.airHectopascal()
    airCelsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
    waterCelsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
    relativeHumidityPercent = fields.number(in: PrintedRange.percent)
    // Absolute humidity "in percent": sources do not say of what.
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
  /// Of the water.
  public var celsius: Double?

  init(_ fields: inout SentenceFields) {
    celsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
  }
}

/// MTA: air temperature; phased out for XDR.
/// - Source: go-nmea, MTA; pynmea2 1.19 names it.
public struct MTA: Equatable, Sendable {
  /// Of the air.
  public var celsius: Double?

  init(_ fields: inout SentenceFields) {
    celsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
  }
}

/// MMB: barometric pressure; phased out for XDR.
/// - Source: Java Marine API, MMBSentence; the fields are MDA's first four.
public struct MMB: Equatable, Sendable {
  /// Hectopascals; of inches and bars the more finely printed.
  public var pressureHectopascal: Double?

  init(_ fields: inout SentenceFields) { pressureHectopascal = fields.airHectopascal() }
}

/// MHU: humidity; phased out for XDR.
/// - Source: Java Marine API, MHUSentence, and other public code, which leaves absolute humidity empty.
public struct MHU: Equatable, Sendable {
  /// Percent.
  public var relativeHumidityPercent: Double?
  /// Of the air.
  public var dewPointCelsius: Double?

  init(_ fields: inout SentenceFields) {
    relativeHumidityPercent = fields.number(in: PrintedRange.percent)
    fields.skip()
    dewPointCelsius = fields.number(in: PrintedRange.celsius, unit: UInt8(ascii: "C"))
  }
}
