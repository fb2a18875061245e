import Quantities

/// The requested settings of a receiver; nil leaves a setting unchanged.
public struct UBXSetupRequest: Equatable, Sendable {
  /// The protocol in which the receiver sends its solutions.
  public enum Messages: String, CaseIterable, Sendable {
    /// NMEA 0183 sentences.
    case nmea
    /// UBX messages.
    case ubx
    /// Both.
    case both
  }

  /// Solutions a second.
  public var rateHertz: Double?
  /// The motion that the receiver assumes.
  public var model: UBXDynamicModel?
  /// The protocols of its output.
  public var messages: Messages?
  /// The NMEA sentences of its output; the others are switched off.
  public var sentences: [OutputSentence]?
  /// The satellite systems that it uses.
  public var systems: [Constellation]?
  /// The elevation below which satellites are not used, degrees.
  public var maskDegrees: Double?
  /// Whether it is a base station.
  public var base: BaseStation?
  /// True to send the heading of two antennas.
  public var sendsHeading: Bool?
  /// True where the port must accept RTCM 3 corrections.
  public var takesCorrections = false
  /// Baud rate of the port, bits per second.
  public var baud: Int?
  /// True where the settings must survive a loss of power.
  public var isSaved = false
  /// True where the settings are only read.
  public var isReadOnly = false
  /// True where the settings that were read are saved.
  public var savesAll = false

  /// Makes a request that changes nothing.
  public init() {}

  /// Time between two measurements, ms; limited to the range of CFG-RATE and of the receivers.
  /// - Source: UBX-18010854 R04, section 5.9.19.1: at least 25 ms.
  var periodMilliseconds: UInt16? {
    rateHertz.map { UInt16(bounded: max((1000 / $0).rounded(), 25)) }
  }

  /// Solutions per NAV-SAT: about one message a second, because it is long and changes slowly.
  var solutionsPerSky: UInt8 {
    UInt8(bounded: max((rateHertz ?? 1).rounded(), 1))
  }
}

/// A setting of a receiver that a set-up can change.
public enum UBXSetting: Hashable, Sendable {
  /// Solutions a second.
  case rate
  /// The dynamic model.
  case model
  /// How often a message is sent.
  case message(UBXOutputMessage)
  /// Whether the port sends NMEA 0183.
  case protocols
  /// Whether an NMEA sentence is sent.
  case sentence(OutputSentence)
  /// The satellite systems.
  case systems
  /// The elevation mask.
  case mask
  /// The mode of a base station.
  case base
  /// Whether a base station sends its corrections.
  case baseMessages
  /// Whether a message of RTCM 3 is sent.
  case correction(UInt16)
  /// Whether the heading of two antennas is sent.
  case heading
  /// Whether the port accepts RTCM 3.
  case corrections
  /// The baud rate of the port.
  case baud

  /// The name in messages for users.
  public var title: String {
    switch self {
    case .rate: "rate"
    case .model: "dynamic model"
    case .message(let message): message.title
    case .protocols: "NMEA output"
    case .sentence(let sentence): sentence.rawValue
    case .systems: "satellite systems"
    case .mask: "elevation mask"
    case .base: "base station"
    case .baseMessages: "RTCM 3 output"
    case .correction(let number): "RTCM \(number)"
    case .heading: "NAV-RELPOSNED"
    case .corrections: "RTCM 3 input"
    case .baud: "baud rate"
    }
  }
}

extension UBXSetting {
  /// All settings, for reading a name.
  static var all: [UBXSetting] {
    var all: [UBXSetting] = [
      .rate, .model, .protocols, .systems, .mask, .base, .baseMessages, .heading, .corrections,
      .baud,
    ]
    for message in UBXOutputMessage.allCases { all.append(.message(message)) }
    for sentence in OutputSentence.allCases { all.append(.sentence(sentence)) }
    for correction in UBXOlderTimeMode.corrections { all.append(.correction(correction.number)) }
    return all
  }

  /// The message with the position of a moving base.
  static var movingBase: UInt16 { 4072 }

  /// The property of which it is a part; nil for the input of corrections.
  public var property: ReceiverProperty? {
    switch self {
    case .rate: .rate
    case .model: .model
    case .message, .protocols: .messages
    case .sentence: .sentences
    case .systems: .systems
    case .mask: .mask
    case .base, .baseMessages, .correction: .base
    case .heading: .heading
    case .corrections: nil
    case .baud: .baud
    }
  }
}

/// The result of a set-up.
public struct UBXSetupReport: Equatable, Sendable {
  /// The result of one setting.
  public enum Outcome: Equatable, Sendable {
    /// The value was written, and the read-back confirmed it.
    case changed
    /// The receiver already had the value.
    case alreadySet
    /// The receiver refused to read or to change it.
    case refused
    /// The receiver acknowledged the value, but the read-back showed another one.
    case notRetained
    /// The receiver did not answer in time.
    case noAnswer
    /// The port has no such setting: USB has no baud rate.
    case absent
  }

  /// Where the settings were saved.
  public enum Saved: Equatable, Sendable {
    /// In flash, which needs no power.
    case flash
    /// In battery-backed RAM, because the receiver has no flash.
    case batteryBacked
    /// Not saved: the receiver refused or did not answer.
    case nowhere
  }

  /// The receiver's identification; nil before its answer.
  public var version: UBXVersion?
  /// True where the receiver did not answer UBX at all; nothing was changed.
  public var isSilent = false
  /// The result of each setting, in the order of processing.
  public var outcomes: [(setting: UBXSetting, outcome: Outcome)] = []
  /// Where the settings were saved; nil where that was not requested.
  public var saved: Saved?
  /// Settings that could not be undone.
  public var notRestored: [UBXSetting] = []

  /// The outcome of one setting; nil before it is known.
  public func outcome(of setting: UBXSetting) -> Outcome? {
    outcomes.first { $0.setting == setting }?.outcome
  }

  mutating func record(_ outcome: Outcome, of setting: UBXSetting) {
    if let place = outcomes.firstIndex(where: { $0.setting == setting }) {
      outcomes[place].outcome = outcome
    } else {
      outcomes.append((setting, outcome))
    }
  }

  /// Field by field.
  public static func == (a: Self, b: Self) -> Bool {
    guard a.version == b.version, a.isSilent == b.isSilent, a.saved == b.saved,
      a.notRestored == b.notRestored, a.outcomes.count == b.outcomes.count
    else { return false }
    for place in a.outcomes.indices where a.outcomes[place] != b.outcomes[place] { return false }
    return true
  }
}

/// The values that a receiver had before the first set-up, by setting. They are passed on when the
/// set-up is repeated.
public struct UBXOriginals: Equatable, Sendable {
  var images: [(setting: UBXSetting, image: [UInt8])] = []

  /// Makes originals of nothing.
  public init() {}

  /// True where nothing has been changed.
  public var isEmpty: Bool { images.isEmpty }

  subscript(setting: UBXSetting) -> [UInt8]? {
    get { images.first { $0.setting == setting }?.image }
    set {
      images.removeAll { $0.setting == setting }
      if let newValue { images.append((setting, newValue)) }
    }
  }

  /// Setting by setting, in any order.
  public static func == (a: Self, b: Self) -> Bool {
    guard a.images.count == b.images.count else { return false }
    for entry in a.images where b[entry.setting] != entry.image { return false }
    return true
  }
}
