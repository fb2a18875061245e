/// Configuration by a message for each subject, of receivers before protocol version 27 (u-blox 8 / M8 and
/// older).
/// - Source: layouts in ZED-F9P interface description, UBX-18010854 R04, which keeps the older messages:
///   sections 5.9.2 CFG-CFG, 5.9.12 CFG-MSG, 5.9.13 CFG-NAV5, 5.9.17 CFG-PRT, 5.9.19 CFG-RATE,
///   5.9.21 CFG-RST; MON-VER on page 140. The same in pyubx2 1.4.0 for UBX-13003221.
extension UBXCommand {
  /// MON-VER: asks which receiver this is.
  public static var askVersion: UBXCommand { UBXCommand(.version) }

  /// CFG-PRT: asks for the settings of the port on which the question comes in.
  public static var askPort: UBXCommand { UBXCommand(.port) }

  /// CFG-PRT: asks for the settings of a port.
  public static func askPort(_ port: UBXPort) -> UBXCommand {
    UBXCommand(.port, payload: [port.rawValue])
  }

  /// CFG-RATE: asks for the rate of solutions.
  public static var askRate: UBXCommand { UBXCommand(.rate) }

  /// CFG-NAV5: asks for the navigation engine's settings.
  public static var askNavigation: UBXCommand { UBXCommand(.navigation) }

  /// CFG-MSG: asks how often a message is given on each port.
  public static func askRate(of message: UBXMessageName) -> UBXCommand {
    UBXCommand(.messageRate, payload: [message.messageClass, message.number])
  }

  /// CFG-MSG: how often a message is given on the port on which this comes in; 0 for never.
  public static func setRate(of message: UBXMessageName, to rate: UInt8) -> UBXCommand {
    UBXCommand(.messageRate, payload: [message.messageClass, message.number, rate])
  }

  /// The time that measurements are aligned with, the `timeRef` of CFG-RATE.
  public enum TimeReference: UInt16, Sendable {
    /// UTC.
    case utc = 0
    /// The system's own time.
    case gps, glonass, beiDou, galileo
  }

  /// CFG-RATE: milliseconds from one measurement to the next, and measurements to a solution.
  public static func setRate(
    periodMilliseconds: UInt16, measurementsPerSolution: UInt16 = 1,
    reference: TimeReference = .gps
  ) -> UBXCommand {
    var payload: [UInt8] = []
    payload.appendLittleEndian(periodMilliseconds)
    payload.appendLittleEndian(measurementsPerSolution)
    payload.appendLittleEndian(reference.rawValue)
    return UBXCommand(.rate, payload: payload)
  }

  /// Bytes of a CFG-NAV5 payload.
  static var navigationBytes: Int { 36 }

  /// CFG-NAV5: sets the dynamic model and nothing else.
  public static func setDynamicModel(_ model: UBXDynamicModel) -> UBXCommand {
    // Of the mask only `dyn` is set, so that the rest is not looked at.
    let rest = [UInt8](repeating: 0, count: navigationBytes - 3)
    return UBXCommand(.navigation, payload: [0x01, 0x00, model.rawValue] + rest)
  }

  /// CFG-PRT: sets speed and protocols of a serial port; eight data bits, no parity, one stop bit.
  public static func setPort(
    _ port: UBXPort, baud: UInt32, takes: [UBXWireProtocol], gives: [UBXWireProtocol]
  ) -> UBXCommand {
    var payload: [UInt8] = [port.rawValue, 0, 0, 0]
    // charLen 3 (8 bits) at bit 6, parity 4 (none) at bit 9, nStopBits 0 (1) at bit 12.
    payload.appendLittleEndian(UInt32(3) << 6 | UInt32(4) << 9)
    payload.appendLittleEndian(baud)
    payload.appendLittleEndian(takes.reduce(0) { $0 | $1.portBit })
    payload.appendLittleEndian(gives.reduce(0) { $0 | $1.portBit })
    return UBXCommand(.port, payload: payload + [0, 0, 0, 0])
  }

  /// Where CFG-CFG keeps a configuration, the bits of `deviceMask`.
  public struct Storage: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of places from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Kept by the battery.
    public static var batteryBacked: Storage { Storage(rawValue: 1 << 0) }
    /// Flash.
    public static var flash: Storage { Storage(rawValue: 1 << 1) }
    /// EEPROM.
    public static var eeprom: Storage { Storage(rawValue: 1 << 2) }
    /// Flash at the SPI port.
    public static var spiFlash: Storage { Storage(rawValue: 1 << 4) }
  }

  /// Ports, messages, information messages and navigation: the sections of CFG-CFG that a set-up touches.
  /// - Source: UBX-13003221, CFG-CFG `saveMask`: ioPort, msgConf, infMsg, navConf are bits 0 to 3; the same
  ///   in Trimble's FV-25 manual, page 84, which prints u-blox' table.
  static var savedSections: UInt32 { 0x0F }

  /// CFG-CFG: saves what is in force.
  public static func save(to places: Storage) -> UBXCommand {
    var payload: [UInt8] = []
    payload.appendLittleEndian(UInt32(0))
    payload.appendLittleEndian(savedSections)
    payload.appendLittleEndian(UInt32(0))
    return UBXCommand(.storage, payload: payload + [places.rawValue])
  }

  /// What a start forgets, the special sets of `navBbrMask` in CFG-RST.
  public enum Start: UInt16, Sendable {
    /// Forgets nothing.
    case hot = 0x0000
    /// Forgets the ephemerides.
    case warm = 0x0001
    /// Forgets all.
    case cold = 0xFFFF
  }

  /// How CFG-RST resets.
  public enum ResetMode: UInt8, Sendable {
    /// The hardware, by its watchdog, at once.
    case hardware = 0x00
    /// The software.
    case software = 0x01
    /// The satellite part of the software.
    case navigation = 0x02
    /// The hardware after a shutdown.
    case hardwareAfterShutdown = 0x04
  }

  /// CFG-RST: starts the receiver anew. It is not acknowledged.
  public static func restart(_ start: Start, by mode: ResetMode) -> UBXCommand {
    var payload: [UInt8] = []
    payload.appendLittleEndian(start.rawValue)
    return UBXCommand(.reset, payload: payload + [mode.rawValue, 0])
  }
}
