/// What is known about the mounting of a receiver's two antennas.
public struct AntennaState: Equatable, Sendable {
  /// What the receiver's headings contradict.
  public enum Fault: Equatable, Sendable {
    /// The headings are half a turn off: main and second antenna are swapped.
    case swapped
    /// The headings are off by this angle, clockwise: the direction of the baseline in the board
    /// file is wrong.
    case turned(Angle)
    /// The receiver measures another distance of its antennas than the board file has.
    case length(reportedMetres: Double, configuredMetres: Double)
  }

  /// The direction from the main to the second antenna, clockwise from the bow, as it was learnt
  /// from the course; nil while it is not known, and where the board file has it.
  public var learntDirection: Angle?
  /// One sigma of the learnt direction.
  public var learntDirectionSigma: Angle?
  /// Why the headings are not used; nil while they are.
  public var fault: Fault?
  /// True while a direction is to be learnt and is not known yet.
  public var isLearning = false

  /// Makes a state of which nothing is known.
  public init() {}
}

extension AntennaState.Fault: CustomStringConvertible {
  /// The fault in words, such as `the headings of the two antennas are 180 degrees off: main and
  /// second antenna are swapped`.
  public var description: String {
    switch self {
    case .swapped:
      "the headings of the two antennas are half a turn off: main and second antenna are swapped"
    case .turned(let angle):
      "the headings of the two antennas are \(Self.rounded(angle.degrees, 1)) degrees off "
        + "(clockwise positive): the direction of the baseline is wrong"
    case .length(let reported, let configured):
      "the receiver's antennas are \(Self.rounded(reported, 100)) m apart, the board file has "
        + "\(Self.rounded(configured, 100)) m"
    }
  }

  /// What to change.
  public var remedy: String {
    switch self {
    case .swapped:
      "exchange the antenna plugs, or add 180 to the direction of `baseline` in the board file"
    case .turned(let angle):
      "add \(Self.rounded(angle.degrees, 1)) to the direction of `baseline` in the board file, or "
        + "set `direction: learn`"
    case .length:
      "measure the distance of the antennas and correct `length` of `baseline` in the board file; "
        + "if it is right, check that no antenna is loose or covered"
    }
  }

  private static func rounded(_ value: Double, _ steps: Double) -> String {
    let whole = (value * steps).rounded()
    guard steps > 1 else { return "\(Int(bounded: whole))" }
    return "\(whole / steps)"
  }
}

extension AntennaState: RawRepresentable {
  /// Words for protocols: the learnt direction and its sigma in radians, each `-` where unknown,
  /// `learning` or `-`, and the fault, `-` for none.
  public var rawValue: String {
    func word(_ angle: Angle?) -> String { angle.map { "\($0.radians)" } ?? "-" }
    return [
      word(learntDirection), word(learntDirectionSigma), isLearning ? "learning" : "-",
      fault?.word ?? "-",
    ].joined(separator: " ")
  }

  /// Reads `rawValue`; nil for anything else.
  public init?(rawValue: String) {
    let words = rawValue.split(separator: " ").map { String($0) }
    guard words.count == 4 else { return nil }
    func angle(_ word: String) -> Angle?? {
      if word == "-" { return .some(nil) }
      guard let radians = Double(word), radians.isFinite else { return nil }
      return .some(Angle(radians: radians))
    }
    guard let direction = angle(words[0]), let sigma = angle(words[1]) else { return nil }
    (learntDirection, learntDirectionSigma) = (direction, sigma)
    isLearning = words[2] == "learning"
    guard words[3] != "-" else { return }
    guard let fault = Fault(word: words[3]) else { return nil }
    self.fault = fault
  }
}

extension AntennaState.Fault {
  /// One word: `swapped`, `turned:RADIANS` or `length:REPORTED:CONFIGURED`.
  fileprivate var word: String {
    switch self {
    case .swapped: "swapped"
    case .turned(let angle): "turned:\(angle.radians)"
    case .length(let reported, let configured): "length:\(reported):\(configured)"
    }
  }

  fileprivate init?(word: String) {
    let parts = word.split(separator: ":").map { String($0) }
    let numbers = parts.dropFirst().compactMap { Double($0) }.filter { $0.isFinite }
    guard numbers.count == parts.count - 1 else { return nil }
    switch (parts.first, numbers.count) {
    case ("swapped", 0): self = .swapped
    case ("turned", 1): self = .turned(Angle(radians: numbers[0]))
    case ("length", 2):
      self = .length(reportedMetres: numbers[0], configuredMetres: numbers[1])
    default: return nil
    }
  }
}
