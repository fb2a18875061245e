/// Configuration of receivers before protocol version 27 (u-blox 8 / M8 and older), by one message
/// for each subject.
/// - Source: layouts in ZED-F9P interface description, UBX-18010854 R04, which keeps the older
///   messages: sections 5.9.2 CFG-CFG, 5.9.12 CFG-MSG, 5.9.13 CFG-NAV5, 5.9.17 CFG-PRT, 5.9.19
///   CFG-RATE, 5.9.21 CFG-RST; MON-VER on page 140. The same in pyubx2 1.4.0 for UBX-13003221.
extension UBXCommand {
  /// MON-VER: polls the receiver's identification.
  public static var askVersion: UBXCommand { UBXCommand(.version) }

  /// CFG-PRT: polls the settings of the port that receives the poll.
  public static var askPort: UBXCommand { UBXCommand(.port) }

  /// CFG-PRT: polls the settings of a port.
  public static func askPort(_ port: UBXPort) -> UBXCommand {
    UBXCommand(.port, payload: [port.rawValue])
  }

  /// CFG-RATE: polls the rate of solutions.
  public static var askRate: UBXCommand { UBXCommand(.rate) }

  /// CFG-NAV5: polls the navigation engine's settings.
  public static var askNavigation: UBXCommand { UBXCommand(.navigation) }

  /// CFG-MSG: polls how often a message is sent on each port.
  public static func askRate(of message: UBXMessageName) -> UBXCommand {
    UBXCommand(.messageRate, payload: [message.messageClass, message.number])
  }

  /// CFG-MSG: sets how often a message is sent on the port that receives this command; 0 for never.
  public static func setRate(of message: UBXMessageName, to rate: UInt8) -> UBXCommand {
    UBXCommand(.messageRate, payload: [message.messageClass, message.number, rate])
  }

  /// The time to which measurements are aligned, the `timeRef` of CFG-RATE.
  public enum TimeReference: UInt16, Sendable {
    /// UTC.
    case utc = 0
    /// The time of this satellite system.
    case gps, glonass, beiDou, galileo
  }

  /// CFG-RATE: milliseconds between two measurements, and measurements per solution.
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

  /// CFG-NAV5: sets the dynamic model only.
  public static func setDynamicModel(_ model: UBXDynamicModel) -> UBXCommand {
    // Only `dyn` is set in the mask, so the receiver ignores the other fields.
    let rest = [UInt8](repeating: 0, count: navigationBytes - 3)
    return UBXCommand(.navigation, payload: [0x01, 0x00, model.rawValue] + rest)
  }

  /// CFG-PRT: sets baud rate and protocols of a serial port; eight data bits, no parity, one stop
  /// bit.
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

  /// Where CFG-CFG stores a configuration, the bits of `deviceMask`.
  public struct Storage: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of places from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Battery-backed RAM.
    public static var batteryBacked: Storage { Storage(rawValue: 1 << 0) }
    /// Flash.
    public static var flash: Storage { Storage(rawValue: 1 << 1) }
    /// EEPROM.
    public static var eeprom: Storage { Storage(rawValue: 1 << 2) }
    /// Flash on the SPI port.
    public static var spiFlash: Storage { Storage(rawValue: 1 << 4) }
  }

  /// Ports, messages, information messages, navigation and receiver manager: the sections of
  /// CFG-CFG that a set-up changes. The last one is saved because no source states which section
  /// has the satellite systems and the time mode.
  /// - Source: UBX-13003221, CFG-CFG `saveMask`: ioPort, msgConf, infMsg, navConf and rxmConf are
  ///   bits 0 to 4; the same in Trimble's FV-25 manual, page 84, which prints u-blox' table.
  static var savedSections: UInt32 { 0x1F }

  /// CFG-CFG: saves the configuration in use.
  public static func save(to places: Storage) -> UBXCommand {
    var payload: [UInt8] = []
    payload.appendLittleEndian(UInt32(0))
    payload.appendLittleEndian(savedSections)
    payload.appendLittleEndian(UInt32(0))
    return UBXCommand(.storage, payload: payload + [places.rawValue])
  }

  /// CFG-CFG: clears the stored configuration everywhere and loads the manufacturer's defaults.
  public static var restoreDefaults: UBXCommand {
    let every: UInt32 = 0xFFFF
    var payload: [UInt8] = []
    payload.appendLittleEndian(every)
    payload.appendLittleEndian(UInt32(0))
    payload.appendLittleEndian(every)
    let places: Storage = [.batteryBacked, .flash, .eeprom, .spiFlash]
    return UBXCommand(.storage, payload: payload + [places.rawValue])
  }

  /// The data that a start discards, the special values of `navBbrMask` in CFG-RST.
  public enum Start: UInt16, Sendable {
    /// Discards nothing.
    case hot = 0x0000
    /// Discards the ephemerides.
    case warm = 0x0001
    /// Discards all data.
    case cold = 0xFFFF
  }

  /// How CFG-RST resets.
  public enum ResetMode: UInt8, Sendable {
    /// Hardware reset by the watchdog, immediately.
    case hardware = 0x00
    /// Software reset.
    case software = 0x01
    /// Software reset of the GNSS part only.
    case navigation = 0x02
    /// Hardware reset after a shutdown.
    case hardwareAfterShutdown = 0x04
  }

  /// CFG-RST: restarts the receiver. The receiver sends no acknowledgement.
  public static func restart(_ start: Start, by mode: ResetMode) -> UBXCommand {
    var payload: [UInt8] = []
    payload.appendLittleEndian(start.rawValue)
    return UBXCommand(.reset, payload: payload + [mode.rawValue, 0])
  }
}
