import Quantities

/// One of several sources of positions, as far as it is known: a talker on a line, a device of a
/// gpsd daemon, or a receiver of the board.
public struct PositionSource: Equatable, Sendable {
  /// Who sends the positions: a receiver's own messages and talkers of satellite systems are one
  /// source, each other talker, such as AI or II, is one of its own.
  public enum Sender: Equatable, Sendable {
    /// Binary messages, proprietary sentences, logs, and the talkers of satellite systems.
    case receiver
    /// Another talker; also a talker of a satellite system whose positions contradict the
    /// receiver's.
    case talker(Talker)
    /// A receiver or a device by its name.
    case named(String)
  }

  /// Whether its positions are used, and why not.
  public enum Standing: Equatable, Sendable {
    /// They are.
    case used
    /// It is frozen or contradicts itself.
    case faulty(PositionFault)
    /// It has no fix.
    case noFix
    /// The board file lists the source in use before it.
    case notPreferred
    /// The used one is more accurate by a third.
    case lessAccurate
    /// It is as accurate, and the used one has a better kind of fix.
    case lowerKind
    /// It is no better than the used one.
    case equal
    /// It is better, but not for long enough.
    case waits

    /// Some words to display.
    public var text: String {
      switch self {
      case .used: "used"
      case .faulty(let fault): fault.rawValue
      case .noFix: "no fix"
      case .notPreferred: "another is preferred"
      case .lessAccurate: "less accurate"
      case .lowerKind: "a lower kind of fix"
      case .equal: "no better than the used one"
      case .waits: "better, but not for 10 s yet"
      }
    }
  }

  /// Who sends it.
  public var sender: Sender
  /// The talker of its newest position; nil for UBX and proprietary sentences.
  public var talker: Talker?
  /// The newest fix; without a position where it has none.
  public var fix: Fix
  /// When its newest report was complete.
  public var arrival: Timestamp
  /// Whether its positions are used, and why not.
  public var standing = Standing.equal
  /// Why its positions are not trusted; nil for no doubt. The only source is used nevertheless.
  public var fault: PositionFault?

  /// Makes a source with its newest fix.
  package init(sender: Sender, talker: Talker? = nil, fix: Fix) {
    (self.sender, self.talker, self.fix) = (sender, talker, fix)
    arrival = fix.timestamp
  }

  /// Whether its positions are used.
  public var isChosen: Bool { standing == .used }

  /// The two letters of its talker, `receiver`, or its own name.
  public var name: String {
    switch sender {
    case .receiver: talker?.text ?? "receiver"
    case .talker(let talker): talker.text
    case .named(let name): name
    }
  }

  /// Distance to another source's position, metres; nil where one has none.
  public func metres(from other: PositionSource) -> Double? {
    guard let own = fix.position, let place = other.fix.position else { return nil }
    return WGS84.metres(from: own, to: place)
  }
}

extension [PositionSource] {
  /// Where there are several sources: each other one compared with the chosen one, such as
  /// `AI is 25 m from GP`.
  public var comparison: [String] {
    guard let chosen = first(where: { $0.isChosen }), count > 1 else { return [] }
    return compactMap { source in
      guard !source.isChosen else { return nil }
      // A place of another time says nothing about the distance.
      let longest = 10.0
      guard chosen.fix.timestamp.seconds(since: source.arrival) < longest else {
        return "\(source.name) sends nothing"
      }
      if let fault = source.fault { return "\(source.name) is not used: \(fault.rawValue)" }
      guard source.fix.position != nil else { return "\(source.name) has no fix" }
      guard let metres = source.metres(from: chosen) else { return "\(source.name) has a fix" }
      return "\(source.name) is \(Int(bounded: metres.rounded())) m from \(chosen.name)"
    }
  }

  /// The sources that are frozen or contradict themselves, such as `AI frozen: its time stands
  /// still`.
  public var faults: [String] {
    compactMap { source in source.fault.map { "\(source.name) \($0.rawValue)" } }
  }
}

extension Talker {
  /// Makes a talker from its two letters; nil for another text.
  public init?(text: String) {
    let letters = Array(text.utf8)
    guard letters.count == 2 else { return nil }
    self.init(letters[0], letters[1])
  }

  /// Its two letters.
  public var text: String {
    String(decoding: [UInt8(letters >> 8), UInt8(truncatingIfNeeded: letters)], as: UTF8.self)
  }
}
