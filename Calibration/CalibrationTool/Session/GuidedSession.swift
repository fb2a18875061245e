import CalibrationFit
import Quantities
import TerminalUI

/// A guided calibration: a source of samples, a screen and the keys between them. It knows no clock and no
/// terminal: whoever runs it hands the time and the bytes in and gets a frame.
public struct GuidedSession<Source: CalibrationSource> {
  /// Where the samples come from.
  public internal(set) var source: Source
  /// What is drawn, and how.
  public var screen: CalibrationScreen
  /// How it ended; nil while it goes on.
  public internal(set) var outcome: GuidedOutcome?

  var text: CalibrationSessionText
  /// What the last key did, and until when that is shown.
  var note: (finding: CalibrationFinding, until: Double)?
  private var reader = CalibrationKeyReader()
  /// The samples last seen and when they changed.
  private var seen: (count: Int, seconds: Double, at: Double)?

  /// Makes a session that has not begun.
  public init(source: Source, screen: CalibrationScreen, text: CalibrationSessionText) {
    self.source = source
    self.screen = screen
    self.text = text
  }

  /// One frame.
  /// - Parameters:
  ///   - size: The terminal's size.
  ///   - bytes: What was typed since the last frame.
  ///   - seconds: The time by a clock that only goes on.
  /// - Returns: The screen's rows; nil once the session is over.
  public mutating func frame(
    size: CompassScreen.Size, bytes: [UInt8], at seconds: Double
  ) -> [String]? {
    for key in reader.read(bytes) {
      press(key, at: seconds)
      guard outcome == nil else { return nil }
    }
    let progress = source.progress()
    watchSilence(progress, at: seconds)
    var text = text
    text.findings = source.findings()
    text.end = source.end()
    if let note {
      if seconds < note.until { text.findings.insert(note.finding, at: 0) } else { self.note = nil }
    }
    return screen.lines(progress, text: text, size: size)
  }

  private mutating func watchSilence(_ progress: CalibrationProgress, at seconds: Double) {
    let isNew = seen?.count != progress.observationCount || seen?.seconds != progress.seconds
    if isNew || text.isPaused { seen = (progress.observationCount, progress.seconds, seconds) }
    let silence = seconds - (seen?.at ?? seconds)
    text.silentSeconds = silence >= Self.longSilence ? silence : nil
  }

  /// Seconds without a sample that are worth a word, as on the compass.
  private static var longSilence: Double { 3 }
}
