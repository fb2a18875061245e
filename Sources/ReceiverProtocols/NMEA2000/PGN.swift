/// The parameter groups (messages) of NMEA 2000 that are sent or read.
public enum PGN: UInt32, CaseIterable, Sendable {
  case acknowledgement = 59392
  case request = 59904
  case addressClaim = 60928
  case groupFunction = 126_208
  case list = 126_464
  case systemTime = 126_992
  case heartbeat = 126_993
  case productInformation = 126_996
  case heading = 127_250
  case rateOfTurn = 127_251
  case heave = 127_252
  case attitude = 127_257
  case variation = 127_258
  case waterSpeed = 128_259
  case position = 129_025
  case courseAndSpeed = 129_026
  case gnssPosition = 129_029
  case wind = 130_306
  case pressure = 130_314

  /// A field of a message.
  public enum Field: UInt8, Sendable {
    case sid, reserved, source, date, time, reference
    case pgn, control, group
    case offset, counter, controllerState, secondControllerState, equipmentStatus
    case version, productCode, certification, load
    case heading, deviation, variation, rate, heave, yaw, pitch, roll
    case latitude, longitude, course, speed, altitude
    case system, method, integrity, satellites, horizontalDilution, positionDilution, separation
    case stations, stationType, station, correctionAge
    case angle, instance, pressure
  }

  /// How a field is coded. A value is a whole multiple of the resolution; of the coding of a number
  /// the greatest values mean "not available", "out of range" and "reserved".
  struct Coding: Sendable {
    let field: Field
    let bits: Int
    /// The unit of the number, in the field's unit: radians, metres, m/s, degrees of latitude and
    /// longitude, pascal, seconds, days since 1970.
    let resolution: Double
    let isSigned: Bool

    /// An unsigned number.
    static func number(_ field: Field, _ bits: Int, _ resolution: Double = 1) -> Coding {
      Coding(field: field, bits: bits, resolution: resolution, isSigned: false)
    }
    /// A signed number.
    static func signed(_ field: Field, _ bits: Int, _ resolution: Double) -> Coding {
      Coding(field: field, bits: bits, resolution: resolution, isSigned: true)
    }
    /// Unused bits, which are all 1.
    static func reserved(_ bits: Int) -> Coding { number(.reserved, bits) }

    /// The coding of "not available": all bits are 1, of a signed number except the sign.
    var notAvailable: UInt64 { UInt64.max >> UInt64(64 - bits + (isSigned ? 1 : 0)) }
  }

  /// The fields of the message in their order; their texts and lists are not among them.
  /// - Source: canboat 9.0.0, `docs/canboat.json`: BitOffset, BitLength, Resolution, Signed; equal in
  ///   NMEA2000 of T. Lappalainen, `N2kMessages.cpp`.
  var codings: [Coding] {
    let angle = 0.0001
    return switch self {
    case .acknowledgement:
      [.number(.control, 8), .number(.group, 8), .reserved(24), .number(.pgn, 24)]
    case .request: [.number(.pgn, 24)]
    case .addressClaim, .list: []
    case .groupFunction: [.number(.group, 8), .number(.pgn, 24)]
    case .systemTime:
      [
        .number(.sid, 8), .number(.source, 4), .reserved(4), .number(.date, 16),
        .number(.time, 32, 0.0001),
      ]
    case .heartbeat:
      [
        .number(.offset, 16, 0.001), .number(.counter, 8), .number(.controllerState, 2),
        .number(.secondControllerState, 2), .number(.equipmentStatus, 2), .reserved(34),
      ]
    case .productInformation: [.number(.version, 16), .number(.productCode, 16)]
    case .heading:
      [
        .number(.sid, 8), .number(.heading, 16, angle), .signed(.deviation, 16, angle),
        .signed(.variation, 16, angle), .number(.reference, 2), .reserved(6),
      ]
    case .rateOfTurn: [.number(.sid, 8), .signed(.rate, 32, 3.125e-8), .reserved(24)]
    case .heave: [.number(.sid, 8), .signed(.heave, 16, 0.01), .reserved(40)]
    case .attitude:
      [
        .number(.sid, 8), .signed(.yaw, 16, angle), .signed(.pitch, 16, angle),
        .signed(.roll, 16, angle), .reserved(8),
      ]
    case .variation:
      [
        .number(.sid, 8), .number(.source, 4), .reserved(4), .number(.date, 16),
        .signed(.variation, 16, angle), .reserved(16),
      ]
    case .waterSpeed: [.number(.sid, 8), .number(.speed, 16, 0.01)]
    case .position: [.signed(.latitude, 32, 1e-7), .signed(.longitude, 32, 1e-7)]
    case .courseAndSpeed:
      [
        .number(.sid, 8), .number(.reference, 2), .reserved(6), .number(.course, 16, angle),
        .number(.speed, 16, 0.01), .reserved(16),
      ]
    case .gnssPosition:
      [
        .number(.sid, 8), .number(.date, 16), .number(.time, 32, 0.0001),
        .signed(.latitude, 64, 1e-16), .signed(.longitude, 64, 1e-16), .signed(.altitude, 64, 1e-6),
        .number(.system, 4), .number(.method, 4), .number(.integrity, 2), .reserved(6),
        .number(.satellites, 8), .signed(.horizontalDilution, 16, 0.01),
        .signed(.positionDilution, 16, 0.01), .signed(.separation, 32, 0.01), .number(.stations, 8),
        .number(.stationType, 4), .number(.station, 12), .number(.correctionAge, 16, 0.01),
      ]
    case .wind:
      [
        .number(.sid, 8), .number(.speed, 16, 0.01), .number(.angle, 16, angle),
        .number(.reference, 3), .reserved(21),
      ]
    case .pressure:
      [
        .number(.sid, 8), .number(.instance, 8), .number(.source, 8), .signed(.pressure, 32, 0.1),
        .reserved(8),
      ]
    }
  }

  /// The usual priority: 0 is sent before all others.
  /// - Source: NMEA2000 of T. Lappalainen, `N2kMessages.cpp`; canboat 9.0.0.
  public var priority: UInt8 {
    switch self {
    case .heading, .rateOfTurn, .position, .courseAndSpeed, .waterSpeed, .wind: 2
    case .groupFunction, .heave, .attitude, .gnssPosition, .systemTime: 3
    case .pressure: 5
    case .acknowledgement, .request, .addressClaim, .list, .productInformation, .variation: 6
    case .heartbeat: 7
    }
  }

  /// The usual interval, s; nil for a message that is sent on request only.
  /// - Source: canboat 9.0.0, TransmissionInterval; it has none for heave, which here comes as often
  ///   as the rate of turn.
  public var interval: Double? {
    switch self {
    case .heading, .rateOfTurn, .heave, .position, .wind: 0.1
    case .courseAndSpeed: 0.25
    case .systemTime, .attitude, .variation, .gnssPosition, .waterSpeed: 1
    case .pressure: 2
    case .heartbeat: 60
    case .acknowledgement, .request, .addressClaim, .groupFunction, .list, .productInformation: nil
    }
  }

  /// Whether the message is sent as a fast packet, whatever its length.
  public var isFastPacket: Bool {
    switch self {
    case .groupFunction, .list, .productInformation, .gnssPosition: true
    default: false
    }
  }

  /// A code of a field: what the number means.
  /// - Source: canboat 9.0.0, lookups DIRECTION_REFERENCE, GNS_METHOD, GNS_INTEGRITY, SYSTEM_TIME,
  ///   MAGNETIC_VARIATION, WIND_REFERENCE, EQUIPMENT_STATUS, CONTROLLER_STATE.
  public enum Code {
    /// Directions from true north, from magnetic north.
    public static let (trueNorth, magneticNorth) = (0, 1)
    /// The method of a position.
    public static let (noGNSS, gnss, differential, precise, rtkFixed, rtkFloat) = (0, 1, 2, 3, 4, 5)
    /// The method of a position without satellites.
    public static let (estimated, manual, simulated) = (6, 7, 8)
    /// The integrity of a position: unchecked, or with reason for caution.
    public static let (noIntegrityCheck, caution) = (0, 2)
    /// The system of satellites.
    public static let gps = 0
    /// The source of a time: a GPS receiver, the machine's clock.
    public static let (gpsTime, crystalClock) = (0, 5)
    /// The source of a variation: computed.
    public static let calculatedVariation = 3
    /// Wind from the bow as measured; its true direction from north, from magnetic north; relative
    /// to the bow without the vessel's motion.
    public static let (windTrueNorth, windMagneticNorth, apparentWind, trueWindOfBoat) = (
      0, 1, 2, 3
    )
    /// The state of the device.
    public static let (operational, fault) = (0, 1)
    /// The state of the CAN controller.
    public static let errorActive = 0
    /// The pressure of the air.
    public static let atmosphericPressure = 0
    /// Answers to requests: refused.
    public static let notAcknowledged = 1
  }
}
