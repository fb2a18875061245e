import Quantities

/// The RTCM 3 messages of a stream, counted by type.
public struct RTCM3Statistics: Equatable, Sendable {
  /// The messages of one type.
  public struct Message: Equatable, Sendable {
    /// The number of messages.
    public var count = 0
    /// The arrival of the newest one.
    public var newest: Timestamp
    /// The station of the newest one that has a station.
    public var station: Int?
  }

  /// More types than any stream has; those after them are only part of the sums.
  private static let mostTypes = 128

  /// By message type.
  public private(set) var messages: [Int: Message] = [:]
  /// The number of frames of all types.
  public private(set) var frames = 0
  /// Their bytes.
  public private(set) var bytes = 0
  /// The arrival of the newest frame.
  public private(set) var newest: Timestamp?
  /// The reference station of the newest message that has one.
  public private(set) var station: Int?
  /// The place of the reference station; nil until it was received.
  public private(set) var stationPosition: GeodeticPosition?

  /// Makes statistics without a message.
  public init() {}

  /// Adds a frame.
  public mutating func record(_ frame: RTCM3Origin, byteCount: Int, at now: Timestamp) {
    frames += 1
    bytes += byteCount
    newest = now
    if let number = frame.station {
      if number != station { stationPosition = nil }
      station = number
    }
    stationPosition = frame.stationPosition ?? stationPosition
    guard let type = frame.type else { return }
    guard messages[type] != nil || messages.count < Self.mostTypes else { return }
    var message = messages[type] ?? Message(newest: now)
    message.count += 1
    message.newest = now
    message.station = frame.station ?? message.station
    messages[type] = message
  }

  /// The content of a message type in few words; nil for one that is not known.
  /// - Source: RTCM 10403.x, the table of messages; as pyrtcm 1.2.1 has it.
  public static func name(of type: Int) -> String? {
    let systems = ["GPS", "GLONASS", "Galileo", "SBAS", "QZSS", "BeiDou", "NavIC"]
    switch type {
    case 1001...1004: return "GPS observations"
    case 1005, 1006: return "station position"
    case 1007, 1008: return "antenna"
    case 1009...1012: return "GLONASS observations"
    case 1013: return "system parameters"
    case 1019: return "GPS ephemeris"
    case 1020: return "GLONASS ephemeris"
    case 1029: return "text"
    case 1032: return "physical station position"
    case 1033: return "receiver and antenna"
    case 1042: return "BeiDou ephemeris"
    case 1044: return "QZSS ephemeris"
    case 1045, 1046: return "Galileo ephemeris"
    case 1071...1137 where (1...7).contains(type % 10):
      return "\(systems[(type - 1071) / 10]) MSM\(type % 10)"
    case 1230: return "GLONASS code-phase biases"
    case 4072: return "u-blox reference station"
    default: return nil
    }
  }
}
