import CalibrationFit
import Quantities

/// A guided calibration: a source of samples, a screen and the keys. It has no clock and no
/// terminal: the caller passes the time and the bytes and receives a frame.
public struct GuidedSession<Source: CalibrationSource> {
  /// The source of the samples.
  public private(set) var source: Source
  /// The screen and its settings.
  public var screen: CalibrationScreen
  /// The outcome; nil while the session runs.
  public private(set) var outcome: GuidedOutcome?

  private var text: CalibrationSessionText
  /// The note of the last key, and until when it is shown.
  private var note: (finding: CalibrationFinding, until: Double)?
  private var reader = CalibrationKeyReader()
  /// The last observed progress and when it changed.
  private var seen: (count: Int, seconds: Double, at: Double)?

  /// Makes a session.
  public init(source: Source, screen: CalibrationScreen, text: CalibrationSessionText) {
    self.source = source
    self.screen = screen
    self.text = text
  }

  /// Computes one frame.
  /// - Parameters:
  ///   - size: The terminal's size.
  ///   - bytes: The bytes from the terminal since the last frame.
  ///   - seconds: The time of a monotonic clock.
  /// - Returns: The screen's rows; nil after the end of the session.
  public mutating func frame(
    size: CompassScreen.Size, bytes: [UInt8], at seconds: Double
  ) -> [String]? {
    for key in reader.read(bytes) {
      press(key, at: seconds)
      guard outcome == nil else { return nil }
    }
    let progress = source.progress()
    updateSilence(progress, at: seconds)
    var text = text
    text.findings = source.findings()
    text.end = source.end()
    if let note {
      if seconds < note.until { text.findings.insert(note.finding, at: 0) } else { self.note = nil }
    }
    return screen.lines(progress, text: text, size: size)
  }

  private mutating func updateSilence(_ progress: CalibrationProgress, at seconds: Double) {
    let isNew = seen?.count != progress.observationCount || seen?.seconds != progress.seconds
    if isNew || text.isPaused { seen = (progress.observationCount, progress.seconds, seconds) }
    let silence = seconds - (seen?.at ?? seconds)
    text.silentSeconds = silence >= Self.longSilence ? silence : nil
  }

  /// Seconds without a sample before a message, as on the compass.
  private static var longSilence: Double { 3 }

  // MARK: Keys

  /// Seconds that one undo discards.
  private static var undoneSeconds: Double { 10 }
  /// Display time of a note about a key, seconds.
  private static var noteSeconds: Double { 6 }

  private mutating func press(_ key: CalibrationKey, at seconds: Double) {
    if let question = text.question { return answer(key, to: question, at: seconds) }
    if text.showsHelp, key != .interrupt {
      text.showsHelp = false
      return
    }
    switch key {
    case .stop, .escape, .interrupt:
      text.showsHelp = false
      // Without samples there is nothing to lose.
      if source.progress().observationCount > 0 {
        text.question = .stop
      } else {
        outcome = .stopped
      }
    case .save, .enter: save(at: seconds)
    case .undo:
      guard source.progress().observationCount > 0 else {
        return showNote("There is nothing to undo yet.", at: seconds)
      }
      source.undo(seconds: Self.undoneSeconds)
      showNote("Threw away the last 10 s.", at: seconds)
    case .restart:
      if source.progress().observationCount > 0 { text.question = .restart }
    case .pause:
      text.isPaused.toggle()
      source.pause(text.isPaused)
    case .help: text.showsHelp = true
    case .colours: screen.theme = screen.theme.next
    case .yes, .no, .other: break
    }
  }

  private mutating func answer(
    _ key: CalibrationKey, to question: CalibrationSessionText.Question, at seconds: Double
  ) {
    switch (key, question) {
    case (.interrupt, _): outcome = .stopped
    case (.yes, .stop): outcome = .stopped
    case (.yes, .restart):
      text.question = nil
      source.restart()
      showNote("Threw everything away: start again.", at: seconds)
    case (.yes, .savePoor):
      text.question = nil
      finish(at: seconds)
    // The user may press q and then still want to save.
    case (.save, .stop):
      text.question = nil
      save(at: seconds)
    case (.no, _), (.escape, _): text.question = nil
    default: break
    }
  }

  private mutating func save(at seconds: Double) {
    switch ErrorClass(source.progress().quality) {
    case .good, .fair: finish(at: seconds)
    case .poor: text.question = .savePoor
    case .unknown:
      showNote("There is nothing to save yet: go on turning it.", weight: .warning, at: seconds)
    }
  }

  private mutating func finish(at seconds: Double) {
    do {
      outcome = .saved(try source.finish())
    } catch {
      showNote("Not saved: \(error)", weight: .warning, at: seconds)
    }
  }

  private mutating func showNote(
    _ text: String, weight: CalibrationFinding.Weight = .note, at seconds: Double
  ) {
    note = (CalibrationFinding(text, weight: weight), seconds + Self.noteSeconds)
  }
}
