package import Board
import Quantities
internal import ReceiverProtocols

extension SourceDescription {
  /// One of several sources of positions: a receiver, or a talker on the line of the one in use. It
  /// has no place, so that clients without access may receive it.
  package struct Receiver: Codable, Equatable, Sendable {
    /// Its name in the board file, its port, or the talker's letters.
    package var name: String
    /// Whether its positions are used.
    package var isUsed: Bool
    /// The kind of its fix.
    package var fix: String
    /// Horizontal accuracy, metres, two digits; nil where it is unknown.
    package var accuracy: Double?
    /// Age of its newest report, seconds, in few steps; nil below 3 s.
    package var age: Int?
    /// Distance to the position in use, metres; nil for the one in use, where one has none, and where
    /// its own is an old one, which the vehicle has left.
    package var distance: Int?
    /// Why it is not used; nil for the one in use, unless it is not trusted.
    package var reason: String?

    /// Some words to display, such as `plotter is 25 m off, less accurate`.
    package var text: String {
      let words = [distance.map { "is \($0) m off" }, reason].compactMap { $0 }
      return "\(name) \(words.joined(separator: ", "))"
    }
  }

  /// The sources of positions of a board; nil where there are not several.
  package static func receivers(_ status: BoardStatus) -> [Receiver]? {
    let ports = status.positionSources
    let sources = ports.isEmpty ? status.receiverSources : ports
    guard sources.count > 1, let now = status.instant else { return nil }
    let used = sources.first(where: \.isChosen)
    return sources.map { source in
      let silence = 3.0
      let age = now.seconds(since: source.arrival)
      let isOld = age >= silence || source.fault?.isFrozen == true
      return Receiver(
        name: source.name, isUsed: source.isChosen, fix: source.fix.kind.rawValue,
        accuracy: source.fix.horizontalAccuracyMetres.map(rounded),
        age: age < silence ? nil : coarse(age),
        distance: source.isChosen || isOld
          ? nil : used.flatMap { source.metres(from: $0) }.map { Int(bounded: $0.rounded()) },
        reason: age < silence
          ? source.fault?.rawValue ?? (source.isChosen ? nil : source.standing.text)
          : "sends nothing")
    }
  }

  /// Two significant digits.
  private static func rounded(_ value: Double) -> Double {
    var scale = 1.0
    while value * scale < 10, scale < 1000 { scale *= 10 }
    return (value * scale).rounded() / scale
  }

  /// Steps of 5 s in the first minute, then of a minute.
  private static func coarse(_ seconds: Double) -> Int {
    let step = seconds < 60 ? 5.0 : 60
    return Int(bounded: (seconds / step).rounded(.down) * step)
  }
}
