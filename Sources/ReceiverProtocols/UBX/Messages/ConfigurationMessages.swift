import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221, as pyubx2
//   1.4.0 and the cc.ublox library quote it.

/// ACK-ACK (0x05 0x01) and ACK-NAK (0x05 0x00): the answered command.
public struct AckTarget: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 2 }

  /// The command's class.
  public var messageClass: UInt8
  /// The command within its class.
  public var messageID: UInt8

  init(_ fields: UBXFields) {
    messageClass = fields.u1(0)
    messageID = fields.u1(1)
  }
}

/// CFG-PRT (0x06 0x00), the answer: a port's settings.
public struct CfgPrt: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 20 }

  /// Protocols that a port accepts or sends.
  public struct Protocols: OptionSet, Equatable, Sendable {
    /// The bits as sent.
    public let rawValue: UInt16
    /// Makes a set from the bits as sent.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// UBX.
    public static var ubx: Protocols { Protocols(rawValue: 1) }
    /// NMEA 0183.
    public static var nmea: Protocols { Protocols(rawValue: 1 << 1) }
    /// RTCM 2, input only.
    public static var rtcm2: Protocols { Protocols(rawValue: 1 << 2) }
    /// RTCM 3.
    public static var rtcm3: Protocols { Protocols(rawValue: 1 << 5) }
  }

  /// The parity bit.
  public enum Parity: Sendable {
    /// No parity bit.
    case none
    /// Even number of ones.
    case even
    /// Odd number of ones.
    case odd
  }

  /// 0 I²C, 1 UART 1, 2 UART 2, 3 USB, 4 SPI.
  public var port: UInt8
  /// Bits per second; nil for ports other than UART.
  public var baudRate: UInt32?
  /// Bits per character; nil for ports other than UART.
  public var dataBits: Int?
  /// Parity; nil for ports other than UART, and for a value that u-blox has not defined.
  public var parity: Parity?
  /// Stop bits; nil for ports other than UART.
  public var stopBits: Double?
  /// Protocols that it accepts.
  public var input: Protocols
  /// Protocols that it sends.
  public var output: Protocols
  /// The pin that signals available data, as sent: bit 0 on, 1 low active, 2 to 6 pin, 7 to 15
  /// bytes.
  public var transmitReady: UInt16
  /// True where output that the host does not read times out after at most 1.5 s.
  public var hasExtendedTimeout: Bool

  init(_ fields: UBXFields) {
    let mode = fields.u4(4)
    port = fields.u1(0)
    transmitReady = fields.u2(2)
    input = Protocols(rawValue: fields.u2(12))
    output = Protocols(rawValue: fields.u2(14))
    hasExtendedTimeout = fields.u2(16).bit(1)
    guard port == 1 || port == 2 else { return }
    baudRate = fields.u4(8)
    dataBits = 5 + Int(mode.bits(6, count: 2))
    switch mode.bits(9, count: 3) {
    case 0: parity = .even
    case 1: parity = .odd
    case 4, 5: parity = CfgPrt.Parity.none
    default: parity = nil
    }
    switch mode.bits(12, count: 2) {
    case 0: stopBits = 1
    case 1: stopBits = 1.5
    case 2: stopBits = 2
    default: stopBits = 0.5
    }
  }
}

/// CFG-MSG (0x06 0x01), the answer: output rate of a message on each port.
public struct CfgMsg: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 8 }

  /// The message's class.
  public var messageClass: UInt8
  /// The message within its class.
  public var messageID: UInt8
  /// Navigation epochs per message, 0 for never: I²C, UART 1, UART 2, USB, SPI and a reserved port;
  /// the last two elements are zero.
  public var rates: SIMD8<UInt8>

  init(_ fields: UBXFields) {
    messageClass = fields.u1(0)
    messageID = fields.u1(1)
    rates = SIMD8(
      fields.u1(2), fields.u1(3), fields.u1(4), fields.u1(5), fields.u1(6), fields.u1(7), 0, 0)
  }
}

/// CFG-RATE (0x06 0x08), the answer: rate of solutions.
public struct CfgRate: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 6 }

  /// The time to which measurements are aligned.
  public enum Reference: UInt16, Sendable {
    /// UTC.
    case utc = 0
    /// GPS time.
    case gps
    /// GLONASS time.
    case glonass
    /// BeiDou time.
    case beidou
    /// Galileo time.
    case galileo
  }

  /// Time between two measurements.
  public var measurementPeriodMilliseconds: UInt16
  /// Measurements per solution.
  public var measurementsEachPosition: UInt16
  /// The time to which measurements are aligned; nil for an unknown value.
  public var reference: Reference?

  init(_ fields: UBXFields) {
    measurementPeriodMilliseconds = fields.u2(0)
    measurementsEachPosition = fields.u2(2)
    reference = Reference(rawValue: fields.u2(4))
  }
}
