/// What a receiver reports about its antenna and about interference; nil for what it does not
/// report.
public struct SignalState: Equatable, Sendable {
  /// The antenna's cable by the receiver's supervisor.
  public enum Antenna: Int, CaseIterable, Sendable {
    /// Connected.
    case good = 1
    /// No current flows.
    case open
    /// Too much current flows.
    case short
  }

  /// Interference, unintended or jamming.
  public enum Interference: Int, CaseIterable, Comparable, Sendable {
    /// None that matters.
    case none
    /// There is a fix nevertheless.
    case warning
    /// There is no fix.
    case critical

    /// Orders by severity.
    public static func < (a: Interference, b: Interference) -> Bool { a.rawValue < b.rawValue }
  }

  /// Signals that pretend to be satellites'.
  public enum Spoofing: Int, CaseIterable, Sendable {
    /// No indication.
    case none
    /// One indication, or the receiver is certain of it.
    case indicated
    /// Several indications.
    case multiple
  }

  /// The antenna of the worst radio path.
  public var antenna: Antenna?
  /// Interference: by a monitor of all signals where one is on, else in the worst radio path.
  public var interference: Interference? {
    if let overall { return overall }
    let bands = max(ofL1 ?? .none, ofL5 ?? .none)
    return ofRadio ?? (ofL1 == nil && ofL5 == nil ? nil : bands)
  }
  /// Continuous-wave interference in the worst radio path, 0 none to 255 strong.
  public var interferenceLevel: UInt8?
  /// Spoofing.
  public var spoofing: Spoofing?
  /// How good the receiver estimates its own state to be.
  public var quality: ReceiverQuality?

  /// By SEC-SIG and Quectel's sentence; nil while their monitor is off.
  private var overall: Interference?
  /// By MON-RF and MON-HW.
  private var ofRadio: Interference?
  /// By Quectel's sentences for each band; nil while their detection is off.
  private var (ofL1, ofL5): (Interference?, Interference?)

  /// Makes a state of which nothing is known.
  public init() {}

  /// True where nothing is known.
  public var isEmpty: Bool { self == SignalState() }

  /// Each trouble in few words, such as `antenna open`; empty for none.
  public var troubles: [String] {
    var words: [String] = []
    switch antenna {
    case .open: words.append("antenna open")
    case .short: words.append("antenna short-circuited")
    case .good, nil: break
    }
    switch interference {
    case .warning: words.append("interference")
    case .critical: words.append("interference prevents a fix")
    case Interference.none?, nil: break
    }
    switch spoofing {
    case .indicated, .multiple: words.append("spoofing indicated")
    case Spoofing.none?, nil: break
    }
    return words
  }
}

extension SignalState {
  /// Adds a report of u-blox; false where the message has none.
  mutating func add(_ message: UBXMessage) -> Bool {
    switch message {
    case .monHW(let m):
      clearRadio()
      add(m.radio)
    case .monRF(let m):
      clearRadio()
      for path in m.paths { add(path.radio) }
    case .navStatus(let m): spoofing = m.spoofing.flatMap { Spoofing($0) } ?? spoofing
    case .secSig(let m):
      overall = m.interference.flatMap { Interference($0) }
      spoofing = m.spoofing.flatMap { Spoofing($0) }
    default: return false
    }
    return true
  }

  /// Adds what a binary message of another maker states.
  mutating func add(_ trouble: SolutionRecord.Trouble) {
    // Its message states short circuits only: another message ends this one.
    if trouble.uptimeSeconds != nil { antenna = trouble.antenna }
    overall = trouble.interference ?? overall
    spoofing = trouble.spoofing ?? spoofing
    quality = trouble.quality ?? quality
  }

  /// Adds Quectel's state of jamming.
  mutating func add(_ sentence: PQTMJAMMINGSTATUS) {
    overall = sentence.status.flatMap { Interference($0) }
  }

  /// Adds Quectel's state of jamming of a band.
  mutating func add(_ sentence: PAIRSPF, isL5: Bool) {
    let state = sentence.status.flatMap { Interference($0) }
    if isL5 { ofL5 = state } else { ofL1 = state }
  }

  /// Adds Quectel's state of the antenna.
  mutating func add(_ sentence: PQTMANTENNASTATUS) {
    switch sentence.status {
    case .normal: antenna = .good
    case .open: antenna = .open
    case .shorted: antenna = .short
    case .unknown, nil: break
    }
  }

  /// Adds what a text of the receiver states about its antenna: `ANTSTATUS=OPEN` of u-blox,
  /// `ANTENNA OPEN` of CASIC.
  /// - Source: u-blox M8 receiver description UBX-13003221, "Active antenna supervisor"; CASIC
  ///   multimode protocol specification 4.2, "TXT".
  mutating func add(_ sentence: TXT) {
    let text = sentence.text
    if text.starts(with: "ANTSTATUS=") || text.starts(with: "ANTENNA ") {
      if text.contains("OPEN") { antenna = .open }
      if text.contains("SHORT") { antenna = .short }
      if text.contains("OK") { antenna = .good }
    }
  }

  private mutating func clearRadio() {
    (antenna, ofRadio, interferenceLevel) = (nil, nil, nil)
  }

  private mutating func add(_ radio: UBXRadio) {
    switch radio.antenna {
    case .good: antenna = antenna ?? .good
    case .open: antenna = .open
    case .short: antenna = .short
    case .starting, .unknown, nil: break
    }
    if let state = radio.jamming.flatMap({ Interference($0) }) {
      ofRadio = max(ofRadio ?? .none, state)
    }
    interferenceLevel = max(interferenceLevel ?? 0, radio.continuousWaveLevel)
  }
}

extension SignalState.Interference {
  fileprivate init?(_ jamming: QuectelJamming) {
    switch jamming {
    case .unknown: return nil
    case .none: self = .none
    case .warning: self = .warning
    case .critical: self = .critical
    }
  }

  fileprivate init?(_ jamming: UBXJamming) {
    switch jamming {
    case .unknown: return nil
    case .none: self = .none
    case .warning: self = .warning
    case .critical: self = .critical
    }
  }
}

extension SignalState.Spoofing {
  fileprivate init?(_ spoofing: NavStatus.Spoofing) {
    switch spoofing {
    case .unknown: return nil
    case .none: self = .none
    case .indicated: self = .indicated
    case .indicatedManifold: self = .multiple
    }
  }
}
