import Quantities

/// Finds two devices that send with the same talker on one line, of which one is late, such as a
/// receiver and a plotter that forwards its positions.
///
/// One device does not send a type of sentence with an earlier time again and again, each time
/// between two later ones. Two such returns are another device; its sentences are then those whose
/// time is before the newest one of the talker. Sentences without a time are of the device whose
/// sentence came before. Where the newest time is not reached again, the clock was set back: the
/// sentences are one device's again.
struct LateDevices: Sendable {
  /// What a sentence is.
  enum Verdict { case inTime, late, firstLate }

  /// One type of sentence of a talker.
  private struct Line {
    let talker: Talker
    let type: SentenceType
    var newest: TimeOfDay
    var late: TimeOfDay?
    var returns = 0
  }

  /// A talker of two devices.
  private struct Pair {
    let talker: Talker
    var newest: TimeOfDay
    var isLate = false
    /// Late sentences since the newest one that was in time.
    var lateCount = 0
  }

  private static let needed = 2
  /// Late sentences in succession after which the device in time has ended: some seconds of a device
  /// that sends five types.
  private static let mostLate = 50
  /// More types of sentences and talkers than a bus has.
  private static let mostLines = 24

  private var lines: [Line] = []
  private var pairs: [Pair] = []

  /// Adds a sentence.
  mutating func add(_ outline: SentenceOutline, _ talker: Talker) -> Verdict {
    if let index = pairs.firstIndex(where: { $0.talker == talker }) {
      return judge(outline, index)
    }
    let type = outline.type
    guard outline.isPosition, let time = outline.time else { return .inTime }
    guard let own = lines.firstIndex(where: { $0.talker == talker && $0.type == type }) else {
      if lines.count < Self.mostLines {
        lines.append(Line(talker: talker, type: type, newest: time))
      }
      return .inTime
    }
    if time.isLater(than: lines[own].newest) {
      if lines[own].late != nil { lines[own].returns += 1 }
      (lines[own].newest, lines[own].late) = (time, nil)
    } else if lines[own].newest.isLater(than: time) {
      if lines[own].late == nil {
        lines[own].late = time
      } else {
        // Two earlier times in succession: the clock was set back.
        (lines[own].newest, lines[own].late, lines[own].returns) = (time, nil, 0)
      }
    }
    guard lines[own].returns >= Self.needed, lines[own].late != nil else { return .inTime }
    pairs.append(Pair(talker: talker, newest: lines[own].newest, isLate: true))
    return .firstLate
  }

  private mutating func judge(_ outline: SentenceOutline, _ index: Int) -> Verdict {
    guard let time = outline.time else { return pairs[index].isLate ? .late : .inTime }
    pairs[index].isLate = pairs[index].newest.isLater(than: time)
    if pairs[index].isLate {
      pairs[index].lateCount += 1
      guard pairs[index].lateCount > Self.mostLate else { return .late }
      let talker = pairs.remove(at: index).talker
      lines.removeAll { $0.talker == talker }
      return .inTime
    }
    (pairs[index].newest, pairs[index].lateCount) = (time, 0)
    return .inTime
  }
}
