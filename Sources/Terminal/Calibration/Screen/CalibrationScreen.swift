import CalibrationFit
import Quantities

/// Draws the progress of a calibration in the size of the terminal. It has no clock, terminal or
/// state, so the same progress always gives the same screen.
public struct CalibrationScreen: Sendable {
  /// The characters that may be used.
  public var glyphs: GlyphSet
  /// The number of colours that may be used.
  public var depth: ColourDepth
  /// The colours.
  public var theme: Theme
  /// The program's name in the first row.
  public var title: String

  /// Makes a screen for a terminal with these capabilities.
  public init(
    glyphs: GlyphSet = .full, depth: ColourDepth = .indexed, theme: Theme = .standard,
    title: String = "lodestar calibrate"
  ) {
    self.glyphs = glyphs
    self.depth = depth
    self.theme = theme
    self.title = title
  }

  /// Makes a screen for a terminal.
  public init(capability: TerminalCapability) {
    self.init(glyphs: capability.glyphs, depth: capability.depth)
  }

  /// The rows of the screen, each as wide as the terminal.
  /// - Returns: The rows of the screen.
  public func lines(
    _ progress: CalibrationProgress, text: CalibrationSessionText, size: CompassScreen.Size
  ) -> [String] {
    var canvas = Canvas(columns: size.columns, rows: size.rows)
    let isNarrow = size.columns < Self.smallestFull.columns || size.rows < Self.smallestFull.rows
    let view = View(
      progress: progress, text: text, target: TurnTarget(progress),
      words: CalibrationWords(isASCII: glyphs == .ascii, isCompact: isNarrow))
    let hasRoom =
      size.columns >= Self.smallestNarrow.columns
      && size.rows >= Self.smallestNarrow.rows
    if text.showsHelp {
      drawHelp(view, on: &canvas)
    } else if !isNarrow {
      drawFull(view, on: &canvas)
    } else if hasRoom {
      drawNarrow(view, on: &canvas)
    } else {
      drawTiny(view, on: &canvas)
    }
    return canvas.lines(theme: theme, depth: depth)
  }

  /// The data of one screen.
  struct View {
    let progress: CalibrationProgress
    let text: CalibrationSessionText
    let target: TurnTarget
    let words: CalibrationWords

    var quality: ErrorClass { ErrorClass(progress.quality) }
    /// True for a board that was never tilted, if its level error is fair or better.
    var isLevelOffered: Bool {
      progress.use == .level && !progress.isUseStated && (quality == .good || quality == .fair)
    }
  }

  // The sphere with its labels beside the smallest ring; the rows of map, legend, figures and keys.
  private static let smallestFull = CompassScreen.Size(columns: 78, rows: 24)
  // The sphere with short labels; header, advice, sphere, strip, figures and keys.
  private static let smallestNarrow = CompassScreen.Size(columns: 40, rows: 16)

  /// The first row: name, subject and progress, or a banner for simulated samples.
  func drawHeader(_ view: View, on canvas: inout Canvas) {
    let (width, text) = (canvas.columns, view.text)
    let time = view.words.time(view.progress.seconds)
    let progress = width >= 60 ? "\(view.progress.observationCount) samples  \(time)" : time
    if text.isSimulated { drawBanner(on: &canvas) }
    let name = text.isSimulated ? simulatedLabel(width) : width >= 60 ? title : ""
    // The subject has priority over the time.
    let end = width - progress.count - 1
    guard name.count + 2 <= end else { return }
    canvas.write(progress, endingAt: width - 1, 0, text.isSimulated ? .banner : .plain)
    let start = name.isEmpty ? 1 : name.count + 4
    let subject = [text.subject, text.sensor].first { start + $0.count <= end } ?? ""
    canvas.write(subject, start, 0, text.isSimulated ? .banner : .label)
    if !text.isSimulated { canvas.write(name, 1, 0, .accent) }
  }

  /// Draws the first row as the banner of simulated samples.
  func drawBanner(on canvas: inout Canvas) {
    canvas.fill(" ", 0..<canvas.columns, 0, .banner)
    let label = simulatedLabel(canvas.columns)
    canvas.write(label, label.count < canvas.columns ? 1 : 0, 0, .banner)
  }

  private func simulatedLabel(_ width: Int) -> String {
    let mark = glyphs == .ascii ? "***" : "■"
    return width >= 60
      ? "\(mark) SIMULATED \(mark)" : width >= 9 ? "SIMULATED" : width >= 3 ? "SIM" : "S"
  }

  /// The last row.
  func drawKeys(_ view: View, on canvas: inout Canvas) {
    var x = 1
    let row = canvas.rows - 1
    for (key, action) in keys(view, isWide: canvas.columns >= 78) {
      guard x + key.count + 1 + action.count <= canvas.columns else { continue }
      canvas.write(key, x, row, .strong)
      canvas.write(action, x + key.count + 1, row, .label)
      x += key.count + 1 + action.count + (canvas.columns >= 78 ? 3 : 1)
    }
  }

  private func keys(_ view: View, isWide: Bool) -> [(key: String, action: String)] {
    switch view.text.question {
    case .stop: return [("y", "stop unsaved"), ("s", "save"), ("n", "go on")]
    case .restart: return [("y", "start again"), ("n", "go on")]
    case .savePoor: return [("y", "save"), ("n", "go on")]
    case nil: break
    }
    let pause = ("p", view.text.isPaused ? "go on" : "pause")
    guard isWide else {
      return [("s", "save"), ("q", "stop"), ("u", "undo"), pause, ("?", "help")]
    }
    let colours = depth == .none ? [] : [("c", "colours")]
    return [
      ("s", "save"), ("q", "stop"), ("u", "undo 10 s"), ("r", "start again"), pause, ("?", "help"),
    ] + colours
  }
}
