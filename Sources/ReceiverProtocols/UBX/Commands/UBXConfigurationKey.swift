/// The number of a configuration item of a receiver of protocol version 27 or later.
///
/// Bits 28 to 30 of the number encode the size of the value.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, section "Receiver Configuration";
///   numbers from the configuration databases of pyubx2 1.4.0 and of SparkFun's u-blox GNSS library
///   (`u-blox_config_keys.h`), which agree.
public struct UBXConfigurationKey: Hashable, Sendable {
  /// The key id.
  public let number: UInt32

  /// Names an item by its key id.
  public init(number: UInt32) { self.number = number }

  /// Bytes of its value; nil where the key id encodes no size.
  public var valueBytes: Int? {
    switch number >> 28 & 0x7 {
    // A single bit is sent as a byte.
    case 1, 2: 1
    case 3: 2
    case 4: 4
    case 5: 8
    default: nil
    }
  }

  /// CFG-RATE-MEAS: time between two measurements, milliseconds.
  public static var measurementPeriod: Self { Self(number: 0x3021_0001) }
  /// CFG-RATE-NAV: measurements per solution.
  public static var measurementsPerSolution: Self { Self(number: 0x3021_0002) }
  /// CFG-NAVSPG-DYNMODEL: a `UBXDynamicModel`.
  public static var dynamicModel: Self { Self(number: 0x2011_0021) }

  /// CFG-NAVSPG-INFIL_MINELEV: degrees, signed.
  static var elevationMask: Self { Self(number: 0x2011_00A4) }
  /// All items of CFG-SIGNAL, for a poll.
  static var allSignals: Self { Self(number: 0x1031_FFFF) }

  /// CFG-SIGNAL-…_ENA: whether a system is used.
  static func enables(_ system: Constellation) -> Self {
    switch system {
    case .gps: Self(number: 0x1031_001F)
    case .sbas: Self(number: 0x1031_0020)
    case .galileo: Self(number: 0x1031_0021)
    case .beidou: Self(number: 0x1031_0022)
    case .qzss: Self(number: 0x1031_0024)
    case .glonass: Self(number: 0x1031_0025)
    case .navic: Self(number: 0x1031_0026)
    }
  }

  /// CFG-MSGOUT-NMEA_ID_…: solutions per sentence on a port.
  static func rate(of sentence: OutputSentence, on port: UBXPort) -> Self {
    let first: UInt32 =
      switch sentence {
      case .gga: 0x2091_00BA
      case .gll: 0x2091_00C9
      case .gsa: 0x2091_00BF
      case .gsv: 0x2091_00C4
      case .rmc: 0x2091_00AB
      case .vtg: 0x2091_00B0
      case .zda: 0x2091_00D8
      case .gns: 0x2091_00B5
      case .gst: 0x2091_00D3
      }
    return Self(number: first + UInt32(port.rawValue))
  }

  /// CFG-MSGOUT-UBX_NAV_RELPOSNED: the vector between two antennas.
  static func relativePosition(on port: UBXPort) -> Self {
    Self(number: 0x2091_008D + UInt32(port.rawValue))
  }

  /// CFG-MSGOUT-RTCM_3X_TYPE… 1005, 1077, 1087, 1097, 1127, 1230 and the output of RTCM 3.
  static func corrections(on port: UBXPort) -> [Self] {
    let messages: [UInt32] = [
      0x2091_02BD, 0x2091_02CC, 0x2091_02D1, 0x2091_0318, 0x2091_02D6, 0x2091_0303,
    ]
    return messages.map { Self(number: $0 + UInt32(port.rawValue)) } + [.sends(.rtcm3, on: port)]
  }

  /// CFG-MSGOUT-RTCM_3X_TYPE4072_0: the position of a moving base.
  static func movingPosition(on port: UBXPort) -> Self {
    Self(number: 0x2091_02FE + UInt32(port.rawValue))
  }

  /// CFG-TMODE: MODE, POS_TYPE, LAT, LON, HEIGHT, their _HP parts, SVIN_MIN_DUR, SVIN_ACC_LIMIT.
  static var timeMode: [Self] {
    let numbers: [UInt32] = [
      0x2003_0001, 0x2003_0002, 0x4003_0009, 0x4003_000A, 0x4003_000B, 0x2003_000C, 0x2003_000D,
      0x2003_000E, 0x4003_0010, 0x4003_0011,
    ]
    return numbers.map { Self(number: $0) }
  }

  /// CFG-UART1-BAUDRATE or CFG-UART2-BAUDRATE; nil for a port without a baud rate.
  public static func baud(of port: UBXPort) -> Self? {
    switch port {
    case .uart1: Self(number: 0x4052_0001)
    case .uart2: Self(number: 0x4053_0001)
    case .i2c, .usb, .spi: nil
    }
  }

  /// CFG-…INPROT-…: whether a port accepts a protocol.
  public static func reads(_ wire: UBXWireProtocol, on port: UBXPort) -> Self {
    // The groups of the ports follow one another: I2CINPROT 0x71, I2COUTPROT 0x72, UART1INPROT
    // 0x73, …
    Self(number: 0x1071_0000 + UInt32(port.rawValue) << 17 + wire.item)
  }

  /// CFG-…OUTPROT-…: whether a port sends a protocol.
  public static func sends(_ wire: UBXWireProtocol, on port: UBXPort) -> Self {
    Self(number: 0x1072_0000 + UInt32(port.rawValue) << 17 + wire.item)
  }

  /// CFG-MSGOUT-…: solutions per message on a port; 0 for never.
  public static func rate(of message: UBXOutputMessage, on port: UBXPort) -> Self {
    // The items of one message follow one another in the order of the ports.
    Self(number: message.firstKey + UInt32(port.rawValue))
  }
}

extension OutputSentence {
  /// Class and number in CFG-MSG.
  var name: UBXMessageName {
    switch self {
    case .gga: UBXMessageName(0xF0, 0x00)
    case .gll: UBXMessageName(0xF0, 0x01)
    case .gsa: UBXMessageName(0xF0, 0x02)
    case .gsv: UBXMessageName(0xF0, 0x03)
    case .rmc: UBXMessageName(0xF0, 0x04)
    case .vtg: UBXMessageName(0xF0, 0x05)
    case .gst: UBXMessageName(0xF0, 0x07)
    case .zda: UBXMessageName(0xF0, 0x08)
    case .gns: UBXMessageName(0xF0, 0x0D)
    }
  }
}

/// The ports of a receiver, by the numbers of CFG-PRT.
/// - Source: u-blox 8 / M8 receiver description, UBX-13003221, CFG-PRT `portID`, as pyubx2 1.4.0
///   and SparkFun's library (`COM_PORT_…`) have it.
public enum UBXPort: UInt8, CaseIterable, Sendable {
  /// I2C, called DDC by older receivers.
  case i2c, uart1, uart2, usb, spi
}

/// A protocol of a port.
public enum UBXWireProtocol: Sendable {
  /// u-blox' own.
  case ubx
  /// NMEA 0183.
  case nmea
  /// RTCM 10403: corrections.
  case rtcm3

  /// The item within an INPROT or OUTPROT group.
  var item: UInt32 {
    switch self {
    case .ubx: 1
    case .nmea: 2
    case .rtcm3: 4
    }
  }

  /// The bit in `inProtoMask` and `outProtoMask` of CFG-PRT.
  /// - Source: UBX-18010854 R04, section 5.9.17.2, `inProtoMask`; pyubx2 1.4.0.
  var portBit: UInt16 {
    switch self {
    case .ubx: 1 << 0
    case .nmea: 1 << 1
    case .rtcm3: 1 << 5
    }
  }
}

/// A message that a receiver can be configured to send.
public enum UBXOutputMessage: CaseIterable, Hashable, Sendable {
  /// Position, velocity, time.
  case navigationPVT
  /// Satellites in view.
  case navigationSatellites
  /// Dilutions of precision.
  case navigationDOP
  /// Covariances of position and velocity.
  case navigationCovariance
  /// End of the epoch's messages.
  case navigationEndOfEpoch
  /// When the next time pulse comes.
  case timePulse

  /// u-blox' name of it.
  public var title: String {
    switch self {
    case .navigationPVT: "NAV-PVT"
    case .navigationSatellites: "NAV-SAT"
    case .navigationDOP: "NAV-DOP"
    case .navigationCovariance: "NAV-COV"
    case .navigationEndOfEpoch: "NAV-EOE"
    case .timePulse: "TIM-TP"
    }
  }

  /// Class and number.
  public var name: UBXMessageName {
    switch self {
    case .navigationPVT: UBXMessageName(0x01, 0x07)
    case .navigationSatellites: UBXMessageName(0x01, 0x35)
    case .navigationDOP: UBXMessageName(0x01, 0x04)
    case .navigationCovariance: UBXMessageName(0x01, 0x36)
    case .navigationEndOfEpoch: UBXMessageName(0x01, 0x61)
    case .timePulse: UBXMessageName(0x0D, 0x01)
    }
  }

  /// The key of CFG-MSGOUT-…-I2C.
  var firstKey: UInt32 {
    switch self {
    case .navigationPVT: 0x2091_0006
    case .navigationSatellites: 0x2091_0015
    case .navigationDOP: 0x2091_0038
    case .navigationCovariance: 0x2091_0083
    case .navigationEndOfEpoch: 0x2091_015F
    case .timePulse: 0x2091_017D
    }
  }
}
