import CalibrationFit
import Quantities

/// What the keys do.
extension GuidedSession {
  /// How much one undo throws away, seconds.
  static var undoneSeconds: Double { 10 }
  /// How long a note about a key stays, seconds.
  private static var noteSeconds: Double { 6 }

  mutating func press(_ key: CalibrationKey, at seconds: Double) {
    if let question = text.question { return answer(key, to: question, at: seconds) }
    if text.showsHelp, key != .interrupt {
      text.showsHelp = false
      return
    }
    switch key {
    case .stop, .escape, .interrupt:
      text.showsHelp = false
      // Nothing is lost where nothing was gathered.
      if source.progress().observationCount > 0 {
        text.question = .stop
      } else {
        outcome = .stopped
      }
    case .save, .enter: save(at: seconds)
    case .undo:
      guard source.progress().observationCount > 0 else {
        return say("There is nothing to undo yet.", at: seconds)
      }
      source.undo(seconds: Self.undoneSeconds)
      say("Threw away the last 10 s.", at: seconds)
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
      say("Threw everything away: start again.", at: seconds)
    case (.yes, .savePoor):
      text.question = nil
      finish(at: seconds)
    // Whoever meant to save and pressed q is not made to start again.
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
      say("There is nothing to save yet: go on turning it.", weight: .warning, at: seconds)
    }
  }

  private mutating func finish(at seconds: Double) {
    do {
      outcome = .saved(try source.finish())
    } catch {
      say("Not saved: \(error)", weight: .warning, at: seconds)
    }
  }

  private mutating func say(
    _ text: String, weight: CalibrationFinding.Weight = .note, at seconds: Double
  ) {
    note = (CalibrationFinding(text, weight: weight), seconds + Self.noteSeconds)
  }
}
