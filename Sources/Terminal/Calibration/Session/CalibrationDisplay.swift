/// Runs a guided session on this process's terminal until it is saved or stopped.
public struct CalibrationDisplay {
  /// Frames a second.
  public var frameRate: Double

  /// Makes a display for this process's terminal.
  public init(frameRate: Double = TerminalSession.standardFrameRate) { self.frameRate = frameRate }

  /// Runs a session.
  /// - Returns: The outcome.
  /// - Throws: `TerminalError`, after the terminal has been restored.
  public func run<Source: CalibrationSource>(
    _ session: inout GuidedSession<Source>
  ) throws(TerminalError) -> GuidedOutcome {
    var terminal = try TerminalSession()
    if session.screen.theme == .standard { session.screen.theme = Theme(terminal.background()) }
    try terminal.run(frameRate: frameRate, handling: .passesAll) { size, bytes in
      session.frame(size: size, bytes: bytes, at: TerminalSession.monotonicSeconds)
    }
    return session.outcome ?? .hungUp
  }
}
