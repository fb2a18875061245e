import CalibrationFit
import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct GuidedSessionTests {
  private let size = CompassScreen.Size(columns: 80, rows: 24)

  private func session(
    _ source: ScriptedCalibration
  ) -> GuidedSession<ScriptedCalibration> {
    GuidedSession(
      source: source, screen: CalibrationScreen(glyphs: .ascii, depth: .none), text: Stages.text)
  }

  /// Types keys, one frame each, and gives the last frame's text; empty once the session is over.
  private func type(
    _ keys: String, into session: inout GuidedSession<ScriptedCalibration>, at seconds: Double = 0
  ) -> String {
    var lines: [String]? = session.frame(size: size, bytes: [], at: seconds)
    for byte in keys.utf8 { lines = session.frame(size: size, bytes: [byte], at: seconds) }
    // Esc needs a reading without a key.
    if keys.hasSuffix("\u{1B}") { lines = session.frame(size: size, bytes: [], at: seconds) }
    return (lines ?? []).joined(separator: "\n")
  }

  @Test("Saving ends the session with the source's line")
  func save() {
    for key in ["s", "\r"] {
      let source = ScriptedCalibration(Stages.done)
      var session = session(source)
      #expect(type(key, into: &session).isEmpty)
      #expect(session.outcome == .saved("saved as number 3"))
      #expect(source.calls == ["finish"])
    }
  }

  @Test("A failure to save is shown, and the session continues")
  func refused() {
    let source = ScriptedCalibration(Stages.done)
    source.refusal = .init(description: "the disk is full")
    var session = session(source)
    #expect(type("s", into: &session).contains("Not saved: the disk is full"))
    #expect(session.outcome == nil)
    source.refusal = nil
    _ = type("s", into: &session)
    #expect(session.outcome == .saved("saved as number 3"))
  }

  @Test("A level calibration shows the level error, and without a stated use it is offered")
  func levelUse() {
    var progress = Stages.turning
    (progress.use, progress.quality, progress.levelError) = (.level, .fair, Angle(degrees: 3.3))
    (progress.worstError, progress.advice) = (Angle(degrees: 24), .tilt(down: .left))
    let source = ScriptedCalibration(progress)
    var session = session(source)
    let screen = type("", into: &session)
    #expect(screen.contains("or press s: level use only."), "\(screen)")
    #expect(screen.contains("level use, error predicted while level:"))
    #expect(screen.contains("95 of 100 level headings within about 5 deg"))
    #expect(screen.contains("tilted by 45 deg: 24.0 deg"))
    progress.isUseStated = true
    progress.advice = .done
    source.current = progress
    let done = type("", into: &session)
    #expect(done.contains("Press s to save.") && !done.contains("level use only"))
    _ = type("s", into: &session)
    #expect(session.outcome == .saved("saved as number 3"))
  }

  @Test("A poor calibration is saved only on request, and an unknown one never")
  func poor() {
    let source = ScriptedCalibration(Stages.turning)
    var session = session(source)
    #expect(type("s", into: &session).contains("Only poor so far"))
    #expect(!type("n", into: &session).contains("Only poor"))
    #expect(source.calls.isEmpty)
    _ = type("sy", into: &session)
    #expect(session.outcome == .saved("saved as number 3"))
    let early = ScriptedCalibration(Stages.still)
    var other = self.session(early)
    #expect(type("s", into: &other).contains("nothing to save yet"))
    #expect(other.outcome == nil && early.calls.isEmpty)
  }

  @Test(
    "Stopping asks for confirmation if there are samples", arguments: ["q", "\u{1B}", "\u{3}"])
  func stop(key: String) {
    var full = session(ScriptedCalibration(Stages.tilting))
    #expect(type(key, into: &full).contains("Stop and lose 0:52 of samples?"))
    #expect(full.outcome == nil)
    #expect(!type("n", into: &full).contains("Stop and lose"))
    _ = type(key, into: &full)
    #expect(type("y", into: &full).isEmpty)
    #expect(full.outcome == .stopped)
    var empty = session(ScriptedCalibration(Stages.still))
    _ = type(key, into: &empty)
    #expect(empty.outcome == .stopped)
  }

  @Test("Ctrl-C twice stops during any question, a repeated key does not")
  func twice() {
    for first in ["\u{3}", "r", "q", "?"] {
      var session = session(ScriptedCalibration(Stages.tilting))
      _ = type(first, into: &session)
      _ = type("\u{3}\u{3}", into: &session)
      #expect(session.outcome == .stopped, "\(first)")
    }
    var held = session(ScriptedCalibration(Stages.tilting))
    #expect(type("qqqqqq", into: &held).contains("Stop and lose"))
    #expect(held.outcome == nil)
  }

  @Test("The question about stopping also accepts save")
  func saveInstead() {
    var session = session(ScriptedCalibration(Stages.tilting))
    _ = type("qs", into: &session)
    #expect(session.outcome == .saved("saved as number 3"))
  }

  @Test("Undo discards ten seconds and shows a note for some seconds")
  func undo() {
    let source = ScriptedCalibration(Stages.tilting)
    var session = session(source)
    #expect(type("u", into: &session, at: 100).contains("Threw away the last 10 s."))
    #expect(source.calls == ["undo 10.0"])
    #expect(type("", into: &session, at: 105).contains("Threw away"))
    #expect(!type("", into: &session, at: 107).contains("Threw away"))
    let early = ScriptedCalibration(Stages.still)
    var other = self.session(early)
    #expect(type("u", into: &other).contains("nothing to undo"))
    #expect(early.calls.isEmpty)
  }

  @Test("Starting again asks for confirmation")
  func restart() {
    let source = ScriptedCalibration(Stages.tilting)
    var session = session(source)
    #expect(type("r", into: &session).contains("Throw every sample away?"))
    #expect(!type("\u{1B}", into: &session).contains("Throw every"))
    #expect(source.calls.isEmpty)
    #expect(type("ry", into: &session).contains("start again"))
    #expect(source.calls == ["restart"])
  }

  @Test("A pause is shown until it ends")
  func pause() {
    let source = ScriptedCalibration(Stages.tilting)
    var session = session(source)
    #expect(type("p", into: &session).contains("Paused"))
    // A long pause is no silence of the sensor.
    #expect(!type("", into: &session, at: 60).contains("No new sample"))
    #expect(!type(" ", into: &session, at: 60).contains("Paused"))
    #expect(source.calls == ["pause", "go on"])
  }

  @Test("Any key only closes the help")
  func help() {
    let source = ScriptedCalibration(Stages.tilting)
    var session = session(source)
    #expect(type("?", into: &session).contains("any key closes this"))
    #expect(!type("q", into: &session).contains("any key closes this"))
    #expect(session.outcome == nil)
    #expect(!type("", into: &session).contains("Stop and lose"))
  }

  @Test("A silent sensor is reported after three seconds until it sends again")
  func silence() {
    let source = ScriptedCalibration(Stages.tilting)
    var session = session(source)
    #expect(!type("", into: &session, at: 10).contains("No new sample"))
    #expect(!type("", into: &session, at: 12.9).contains("No new sample"))
    #expect(type("", into: &session, at: 14).contains("No new sample for 0:04"))
    source.current.seconds += 1
    #expect(!type("", into: &session, at: 14.1).contains("No new sample"))
  }

  @Test("A calibration can be saved after the sensor is lost")
  func end() {
    let source = ScriptedCalibration(Stages.tilting)
    source.reasonForEnd = "the magnetometer was pulled out"
    var session = session(source)
    let text = type("", into: &session)
    #expect(text.contains("s saves what there is") && text.contains("was pulled out"))
    _ = type("s", into: &session)
    #expect(session.outcome == .saved("saved as number 3"))
  }

  @Test("The key c changes the colours")
  func colours() {
    var session = session(ScriptedCalibration(Stages.tilting))
    _ = type("c", into: &session)
    #expect(session.screen.theme == .daylight)
  }
}
