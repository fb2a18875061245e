/// What a receiver is wanted to do; nil leaves as it is.
public struct UBXWish: Equatable, Sendable {
  /// Which language the receiver gives its solutions in.
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
  /// How it supposes that it moves.
  public var model: UBXDynamicModel?
  /// What it gives.
  public var messages: Messages?
  /// True where the port must take corrections.
  public var takesCorrections = false
  /// Bits per second of the line.
  public var baud: Int?
  /// True where all this is to outlast the power.
  public var isSaved = false

  /// Makes a wish for nothing.
  public init() {}

  /// Time between two measurements, ms; within what CFG-RATE can say and receivers can do.
  /// - Source: UBX-18010854 R04, section 5.9.19.1: at least 25 ms.
  var periodMilliseconds: UInt16? {
    rateHertz.map { UInt16(min(max((1000 / $0).rounded(), 25), 65_535)) }
  }

  /// Solutions to one report of the satellites: about one a second, for it is long and changes slowly.
  var solutionsPerSky: UInt8 {
    UInt8(min(max((rateHertz ?? 1).rounded(), 1), 255))
  }
}

/// Something of a receiver that a set-up changes.
public enum UBXSetting: Hashable, Sendable {
  /// Solutions a second.
  case rate
  /// The dynamic model.
  case model
  /// How often a message is given.
  case message(UBXOutputMessage)
  /// Whether the port gives NMEA 0183.
  case protocols
  /// Whether the port takes RTCM 3.
  case corrections
  /// The line's speed.
  case baud

  /// What people call it.
  public var title: String {
    switch self {
    case .rate: "rate"
    case .model: "dynamic model"
    case .message(let message): message.title
    case .protocols: "NMEA output"
    case .corrections: "RTCM 3 input"
    case .baud: "baud rate"
    }
  }
}

/// What became of a set-up.
public struct UBXSetupReport: Equatable, Sendable {
  /// What became of a setting.
  public enum Outcome: Equatable, Sendable {
    /// It was changed, and read back changed.
    case changed
    /// It was so already.
    case wasSo
    /// The receiver refused to read or to change it.
    case refused
    /// The receiver took it, and yet has another value.
    case notHeld
    /// The receiver said nothing.
    case noAnswer
    /// The port has no such setting, as USB has no speed.
    case absent
  }

  /// Where a wish that is to outlast the power was saved.
  public enum Saved: Equatable, Sendable {
    /// Without power.
    case flash
    /// As long as the receiver's battery lasts: it has no flash.
    case batteryBacked
    /// Nowhere: refused, or no answer.
    case nowhere
  }

  /// Which receiver it is; nil before it said so.
  public var version: UBXVersion?
  /// True where the receiver does not answer UBX at all. It was left alone.
  public var isSilent = false
  /// The settings in the order in which they were looked at, with what became of each.
  public var outcomes: [(setting: UBXSetting, outcome: Outcome)] = []
  /// Where the wish was saved; nil where that was not asked for.
  public var saved: Saved?
  /// Settings that could not be undone.
  public var notUndone: [UBXSetting] = []

  /// The outcome of one setting; nil before it is known.
  public func outcome(of setting: UBXSetting) -> Outcome? {
    outcomes.first { $0.setting == setting }?.outcome
  }

  mutating func note(_ outcome: Outcome, of setting: UBXSetting) {
    if let place = outcomes.firstIndex(where: { $0.setting == setting }) {
      outcomes[place].outcome = outcome
    } else {
      outcomes.append((setting, outcome))
    }
  }

  /// Field by field.
  public static func == (a: Self, b: Self) -> Bool {
    guard a.version == b.version, a.isSilent == b.isSilent, a.saved == b.saved,
      a.notUndone == b.notUndone, a.outcomes.count == b.outcomes.count
    else { return false }
    for place in a.outcomes.indices where a.outcomes[place] != b.outcomes[place] { return false }
    return true
  }
}

/// The values that a receiver had before anybody changed them, by setting; they outlive a set-up that has
/// to be made again.
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
