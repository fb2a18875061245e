import CalibrationFit
import Quantities

/// One line with a calibration's progress, for a pipe, a file or a dumb terminal. The lines of a
/// session have the same columns; an unknown value is a dash.
public struct CalibrationPlainLine: Sendable {
  private let words: CalibrationWords

  /// Selects the characters: ASCII if the locale is not UTF-8.
  public init(isASCII: Bool = false) { words = CalibrationWords(isASCII: isASCII) }

  /// The line for the current progress.
  public func line(_ progress: CalibrationProgress, text: CalibrationSessionText) -> String {
    let columns = [
      words.time(progress.seconds).leading(6),
      String(progress.observationCount).leading(5) + " samples",
      "worst error " + errorColumn(progress.worstError),
      "level " + errorColumn(progress.levelError),
      words.name(ErrorClass(progress.quality)).trailing(Self.nameWidth) + " for "
        + words.name(progress.use).trailing(words.name(CalibrationUse.level).count),
      "seen " + words.percent(progress.sphere.visitedShare).leading(5) + " of all tilts",
      words.wholeDegrees(progress.ring.visitedTurn).leading(words.wholeTurn.count)
        + " of the level turn",
      next(progress, text),
    ]
    let findings = text.findings.map { " [" + $0.text + "]" }.joined()
    return (text.isSimulated ? "SIMULATED  " : "") + columns.joined(separator: "  ") + findings
  }

  private func errorColumn(_ angle: Angle?) -> String {
    words.error(angle).leading(words.widestError.count)
  }

  private func next(_ progress: CalibrationProgress, _ text: CalibrationSessionText) -> String {
    text.end ?? words.advice(progress)
  }

  // The longest of the classes' names.
  private static let nameWidth = 9
}

extension CalibrationWords {
  /// The longest text of an error.
  var widestError: String { error(Angle(degrees: 90)) }
  /// The longest text of an angle up to a turn.
  var wholeTurn: String { wholeDegrees(Angle(degrees: 360)) }
}
