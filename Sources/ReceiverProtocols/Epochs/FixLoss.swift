import Quantities

/// Why a receiver has no fix by satellites, as far as it reports that itself.
public struct FixLoss: Equatable, Sendable {
  /// The cause, in the order in which they are looked for.
  public enum Cause: String, CaseIterable, Sendable {
    /// Its port or connection cannot be read.
    case disconnected
    /// It sends nothing.
    case silent
    /// It sends bytes, but no valid message.
    case unreadable
    /// It reports an open antenna cable.
    case antennaOpen = "antenna open"
    /// It reports a short circuit of the antenna.
    case antennaShort = "antenna short"
    /// It reports interference that prevents a fix.
    case interference
    /// It has restarted less than a minute ago.
    case restarted
    /// It receives no satellite.
    case noSignal = "no signal"
    /// It receives fewer satellites than a fix needs.
    case fewSatellites = "few satellites"
    /// It receives enough satellites, and has no solution yet.
    case searching
    /// It does not report satellites.
    case unknown
  }

  /// The cause.
  public var cause: Cause
  /// Satellites with a signal, where the receiver reports them.
  public var satellites: Int?
  /// False before the first fix since the receiver was opened.
  public var hadFix: Bool

  /// Makes a reason.
  public init(_ cause: Cause, satellites: Int? = nil, hadFix: Bool) {
    (self.cause, self.satellites, self.hadFix) = (cause, satellites, hadFix)
  }

  /// The reason in some words, with the count of satellites.
  public var text: String {
    satellites.map { "\(reason) (\($0) received)" } ?? reason
  }

  /// The reason in some words.
  package var reason: String {
    switch cause {
    case .disconnected: "the receiver is disconnected"
    case .silent: "the receiver sends nothing"
    case .unreadable: "the receiver sends no valid message"
    case .antennaOpen: "its antenna is not connected"
    case .antennaShort: "its antenna is short-circuited"
    case .interference: "interference prevents a fix"
    case .restarted: "the receiver has restarted"
    case .noSignal: "no satellite is received"
    case .fewSatellites: "fewer than \(FixWatch.fewest) satellites are received"
    case .searching: "satellites are received, the position is not known yet"
    case .unknown: "the receiver does not report a reason"
    }
  }
}

/// How long a receiver needed from its start to its first fix.
public struct FirstFix: Equatable, Sendable {
  /// Where the time begins.
  public enum Begin: String, CaseIterable, Sendable {
    /// At the receiver's start, by its own clock (UBX NAV-STATUS).
    case start
    /// At the first byte that was received, which may be later than the start.
    case firstByte = "first byte"
  }

  /// Seconds from `begin` to the first valid fix.
  public var seconds: Double
  /// Where the time begins.
  public var begin: Begin
  /// True where stored position, time or orbits were given to the receiver before.
  public var isAssisted: Bool

  /// Makes a time.
  public init(seconds: Double, begin: Begin, isAssisted: Bool) {
    (self.seconds, self.begin, self.isAssisted) = (seconds, begin, isAssisted)
  }

  /// Some words: `the first fix 27 s after its start, assisted`.
  public var text: String {
    let since =
      switch begin {
      case .start: "its start"
      case .firstByte: "its first byte"
      }
    let time = seconds < 10 ? "\((seconds * 10).rounded() / 10)" : "\(Int(bounded: seconds))"
    return "the first fix \(time) s after \(since)\(isAssisted ? ", assisted" : "")"
  }
}

#if !hasFeature(Embedded)
  // Embedded Swift has no Codable.
  extension FixLoss: Codable {}
  extension FixLoss.Cause: Codable {}
  extension FirstFix: Codable {}
  extension FirstFix.Begin: Codable {}
#endif
