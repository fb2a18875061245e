import Fusion
import Quantities

/// The compass on this process's terminal: reads the newest estimate for each frame and processes
/// the keys of its footer.
public struct CompassDisplay {
  /// The screen and its settings.
  public var screen: CompassScreen
  /// Frames a second.
  public var frameRate: Double

  /// Makes a display for this process's terminal.
  public init(
    title: String = "lodestar heading",
    frameRate: Double = TerminalSession.standardFrameRate,
    capability: TerminalCapability = .current
  ) {
    screen = CompassScreen(glyphs: capability.glyphs, depth: capability.depth, title: title)
    self.frameRate = frameRate
  }

  /// Shows estimates until the user quits or `isOver` returns true.
  /// - Parameters:
  ///   - isOver: Called once a frame; true if there are no more estimates.
  ///   - notice: Called once a frame; a message for the last row, nil for none.
  ///   - latest: The newest estimate; nil before the first.
  /// - Throws: `TerminalError`, after the terminal has been restored.
  public mutating func run(
    isOver: () -> Bool = { false }, notice: () -> String? = { nil }, latest: () -> Estimate?
  ) throws(TerminalError) {
    var session = try TerminalSession()
    var shown: Timestamp?
    var changed = TerminalSession.monotonicSeconds
    var screen = screen
    if screen.theme == .standard { screen.theme = Theme(session.background()) }
    var smoother = HeadingSmoother()
    try session.run(frameRate: frameRate) { size, keys in
      guard !isOver() else { return nil }
      let estimate = latest()
      for key in keys { screen.press(key, estimate) }
      let now = TerminalSession.monotonicSeconds
      if estimate?.timestamp != shown { (shown, changed) = (estimate?.timestamp, now) }
      let steady = estimate.map { Self.steady($0, &smoother) }
      return screen.lines(steady, size: size, age: now - changed, notice: notice())
    }
    self.screen = screen
  }

  /// Smooths the heading without lag in a turn.
  private static func steady(_ estimate: Estimate, _ smoother: inout HeadingSmoother) -> Estimate {
    guard let heading = estimate.magneticHeading?.angle else {
      smoother.reset()
      return estimate
    }
    var steady = estimate
    let shown = smoother.smooth(heading, rateOfTurn: estimate.rateOfTurn, at: estimate.timestamp)
    let turned = shown - heading
    steady.magneticHeading = MagneticHeading(shown)
    steady.trueHeading = estimate.trueHeading.map { TrueHeading(($0.angle + turned).wrappedToTurn) }
    return steady
  }
}
