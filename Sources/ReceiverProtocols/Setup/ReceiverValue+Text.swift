import Quantities

/// Values as text: for people, for options, and for the file of the former settings. A text reads
/// back as the same value.
extension ReceiverValue {
  /// The value's text, such as `GGA,RMC` or `survey,300,2.0`.
  public var text: String {
    switch self {
    case .rate(let hertz): Self.number(hertz, decimals: 3)
    case .model(let model): model.word
    case .messages(let messages): messages.rawValue
    case .sentences(let sentences): Self.joined(sentences.map { $0.rawValue })
    case .systems(let systems): Self.joined(systems.map { $0.word })
    case .mask(let degrees): Self.number(degrees, decimals: 1)
    case .base(.rover): "no"
    case .base(.moving): "moving"
    case .base(.survey(let seconds, let metres)):
      "survey,\(seconds)" + (metres.map { "," + Self.number($0, decimals: 4) } ?? "")
    case .base(.fixed(let latitude, let longitude, let height)):
      "fixed,\(String(latitude, decimals: 9)),\(String(longitude, decimals: 9)),"
        + Self.number(height, decimals: 4)
    case .heading(let isSent): isSent ? "on" : "off"
    case .baud(let baud): "\(baud)"
    }
  }

  /// The text with its unit.
  public var textWithUnit: String {
    switch self {
    case .rate: text + " Hz"
    case .mask: text + " degrees"
    case .sentences(let sentences) where sentences.isEmpty: "none"
    case .base(.rover): "rover"
    case .base(.moving): "moving base"
    case .base(.survey(let seconds, let metres)):
      "survey of \(seconds) s" + (metres.map { " to \(Self.number($0, decimals: 2)) m" } ?? "")
    case .base(.fixed(let latitude, let longitude, let height)):
      "at \(String(latitude, decimals: 9)), \(String(longitude, decimals: 9)), "
        + "\(Self.number(height, decimals: 3)) m above the ellipsoid"
    default: text
    }
  }

  /// Reads the text of a property's value; nil where it is none.
  public init?(_ property: ReceiverProperty, text: String) {
    let parts = Self.parts(text)
    switch property {
    case .rate:
      guard let hertz = Self.number(text), hertz > 0, hertz <= 100 else { return nil }
      self = .rate(hertz)
    case .model:
      guard let model = UBXDynamicModel(word: text) else { return nil }
      self = .model(model)
    case .messages:
      guard let messages = UBXSetupRequest.Messages(rawValue: text) else { return nil }
      self = .messages(messages)
    case .sentences:
      var sentences: [OutputSentence] = []
      for part in parts where !part.isEmpty {
        guard let sentence = OutputSentence(rawValue: part.uppercased()) else { return nil }
        sentences.append(sentence)
      }
      self = .sentences(sentences)
    case .systems:
      var systems: [Constellation] = []
      for part in parts {
        guard let system = Constellation(word: part) else { return nil }
        systems.append(system)
      }
      self = .systems(systems)
    case .mask:
      guard let degrees = Self.number(text), (0...90).contains(degrees) else { return nil }
      self = .mask(degrees)
    case .base:
      guard let base = Self.base(parts) else { return nil }
      self = .base(base)
    case .heading:
      guard text == "on" || text == "off" else { return nil }
      self = .heading(text == "on")
    case .baud:
      guard let baud = Int(text), (1200...4_000_000).contains(baud) else { return nil }
      self = .baud(baud)
    }
  }

  private static func base(_ parts: [String]) -> BaseStation? {
    let numbers = parts.dropFirst().compactMap { number($0) }
    guard numbers.count == parts.count - 1 else { return nil }
    switch (parts[0], numbers.count) {
    case ("no", 0): return .rover
    case ("moving", 0): return .moving
    case ("survey", 1), ("survey", 2):
      let metres = numbers.count > 1 ? numbers[1] : nil
      guard BaseStation.durations.contains(numbers[0]),
        metres.map({ BaseStation.limits.contains($0) }) ?? true
      else { return nil }
      return .survey(seconds: Int(bounded: numbers[0].rounded()), metres: metres)
    case ("fixed", 3):
      guard abs(numbers[0]) <= 90, abs(numbers[1]) <= 180, BaseStation.heights.contains(numbers[2])
      else { return nil }
      return .fixed(latitude: numbers[0], longitude: numbers[1], height: numbers[2])
    default: return nil
    }
  }

  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    for scalar in text.unicodeScalars {
      if scalar == "," {
        parts.append("")
      } else if scalar != " " {
        parts[parts.count - 1].unicodeScalars.append(scalar)
      }
    }
    return parts
  }

  private static func joined(_ words: [String]) -> String {
    var text = ""
    for (index, word) in words.enumerated() { text += (index == 0 ? "" : ",") + word }
    return text
  }

  private static func number(_ text: String) -> Double? {
    let bytes = SetupField(Array(text.utf8)[...])
    return bytes.number
  }

  /// Without the zeros at its end.
  static func number(_ value: Double, decimals: Int) -> String {
    var bytes: [UInt8] = []
    bytes.append(value, decimals: decimals)
    while bytes.contains(UInt8(ascii: ".")), let last = bytes.last, last == UInt8(ascii: "0") {
      bytes.removeLast()
    }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension BaseStation {
  /// The accepted durations of a survey, seconds.
  public static var durations: ClosedRange<Double> { 1...1_209_600 }
  /// The accepted accuracies of a survey, metres.
  public static var limits: ClosedRange<Double> { 0.001...1000 }
  /// The accepted heights above the ellipsoid, metres.
  public static var heights: ClosedRange<Double> { -1000...20_000 }
}

extension Constellation {
  /// The name in board files and options.
  public var word: String {
    switch self {
    case .gps: "gps"
    case .sbas: "sbas"
    case .galileo: "galileo"
    case .beidou: "beidou"
    case .qzss: "qzss"
    case .glonass: "glonass"
    case .navic: "navic"
    }
  }

  /// The system of a name.
  public init?(word: String) {
    guard let system = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = system
  }
}
