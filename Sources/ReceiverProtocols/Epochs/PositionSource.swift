import Quantities

/// One of the sources of positions on a line, as far as it is known.
public struct PositionSource: Equatable, Sendable {
  /// Who sends the positions: a receiver's own messages and talkers of satellite systems are one
  /// source, each other talker, such as AI or II, is one of its own.
  public enum Sender: Equatable, Sendable {
    /// Binary messages, proprietary sentences, logs, and the talkers of satellite systems.
    case receiver
    /// Another talker; also a talker of a satellite system whose positions contradict the
    /// receiver's.
    case talker(Talker)
  }

  /// Who sends it.
  public var sender: Sender
  /// The talker of its newest position; nil for UBX and proprietary sentences.
  public var talker: Talker?
  /// The newest fix; without a position where it has none.
  public var fix: Fix
  /// Whether its positions are used.
  public var isChosen = false

  /// The two letters of its talker, or `receiver`.
  public var name: String {
    guard case .talker(let talker) = sender else { return self.talker?.text ?? "receiver" }
    return talker.text
  }
}

extension [PositionSource] {
  /// Where a line has several sources: each other one compared with the chosen one, such as
  /// `AI is 25 m from GP`.
  public var comparison: [String] {
    guard let chosen = first(where: { $0.isChosen }), count > 1 else { return [] }
    return compactMap { source in
      guard !source.isChosen else { return nil }
      // A place of another time says nothing about the distance.
      let longest = 10.0
      guard chosen.fix.timestamp.seconds(since: source.fix.timestamp) < longest else {
        return "\(source.name) sends nothing"
      }
      guard let own = source.fix.position else { return "\(source.name) has no fix" }
      guard let place = chosen.fix.position else { return "\(source.name) has a fix" }
      let metres = Int(bounded: WGS84.metres(from: own, to: place).rounded())
      return "\(source.name) is \(metres) m from \(chosen.name)"
    }
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
