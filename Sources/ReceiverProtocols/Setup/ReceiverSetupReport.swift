import Quantities

/// The result of a set-up, in the same terms for every maker.
public struct ReceiverSetupReport: Equatable, Sendable {
  /// The result of one setting.
  public enum Outcome: Equatable, Sendable {
    /// The value was written, and the read-back confirmed it.
    case changed
    /// The receiver already had the value.
    case alreadySet
    /// The receiver acknowledged the value, which cannot be read back.
    case unconfirmed
    /// The receiver refused to read or to change it, and why.
    case refused(String)
    /// The receiver acknowledged the value, but the read-back showed another one.
    case notRetained
    /// The receiver did not answer in time.
    case noAnswer
    /// The maker's receivers, or this port, have no such setting, and why.
    case notSupported(String)

    /// True where the receiver now has the value.
    public var isSet: Bool {
      switch self {
      case .changed, .alreadySet, .unconfirmed: true
      case .refused, .notRetained, .noAnswer, .notSupported: false
      }
    }

    /// In words, as after the setting's name.
    public var text: String {
      switch self {
      case .changed: "done"
      case .alreadySet: "already so"
      case .unconfirmed: "done (acknowledged; the receiver cannot be asked for it)"
      case .refused(let reason): reason.isEmpty ? "refused" : "refused (\(reason))"
      case .notRetained: "not held"
      case .noAnswer: "no answer"
      case .notSupported(let reason): "not supported (\(reason))"
      }
    }
  }

  /// A setting with its result.
  public struct Entry: Equatable, Sendable {
    /// The name of the setting.
    public var title: String
    /// The property of which it is a part; nil for the input of corrections.
    public var property: ReceiverProperty?
    /// The requested value as text; nil where the title contains it.
    public var value: String?
    /// The result.
    public var outcome: Outcome
  }

  /// What the receiver is; nil where it answers no maker's question.
  public var identity: ReceiverIdentity?
  /// True where it did not answer; nothing was changed.
  public var isSilent = false
  /// The result of each setting.
  public var entries: [Entry] = []
  /// Where the settings were saved; nil where that was not requested.
  public var saved: UBXSetupReport.Saved?
  /// The names of the settings that could not be undone.
  public var notRestored: [String] = []

  /// A property's result: the worst of its parts; nil where it was not requested.
  public func outcome(of property: ReceiverProperty) -> Outcome? {
    let parts = entries.filter { $0.property == property }.map { $0.outcome }
    return parts.first { !$0.isSet } ?? parts.first { $0 != .alreadySet } ?? parts.first
  }
}

/// The values that a receiver had before the first set-up, which an undo restores.
public struct ReceiverOriginals: Equatable, Sendable {
  /// Of a u-blox receiver.
  var ublox = UBXOriginals()
  /// Of another maker's receiver.
  var values: [ReceiverValue] = []

  /// Makes originals of nothing.
  public init() {}

  /// True where nothing has been changed.
  public var isEmpty: Bool { ublox.isEmpty && values.isEmpty }

  /// Adds the values of settings that have none.
  mutating func add(_ others: Self) {
    for (setting, image) in others.ublox.images where ublox[setting] == nil {
      ublox[setting] = image
    }
    for value in others.values where !values.contains(where: { $0.property == value.property }) {
      values.append(value)
    }
  }

  /// Lines of a name, `=` and a value, from which `init(lines:)` reads the same originals.
  public var lines: [String] {
    ublox.images.map { "ubx \($0.setting.title)=\($0.image.hexadecimalText)" }
      + values.map { "\($0.property.rawValue)=\($0.text)" }
  }

  /// Reads lines; nil where one of them is none of `lines`.
  public init?(lines: [String]) {
    for line in lines {
      guard let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = String(decoding: line.utf8[..<sign], as: UTF8.self)
      let text = String(decoding: line.utf8[sign...].dropFirst(), as: UTF8.self)
      if name.hasPrefix("ubx ") {
        let title = String(name.dropFirst(4))
        guard let setting = UBXSetting.all.first(where: { $0.title == title }),
          let image = Self.bytes(text)
        else { return nil }
        ublox[setting] = image
      } else {
        guard let property = ReceiverProperty(rawValue: name),
          let value = ReceiverValue(property, text: text)
        else { return nil }
        values.append(value)
      }
    }
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { $0.hexadecimalDigit }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
