import CalibrationFit

/// The layouts below 78 columns or 24 rows: a phone, a pane, a small display.
extension CalibrationScreen {
  // The longest of the labels with its space; in less room short ones without.
  private static let labelColumns = (long: 12, short: 4)

  func drawNarrow(_ view: View, on canvas: inout Canvas) {
    drawHeader(view, on: &canvas)
    drawPrompt(view, on: &canvas, 1, 1, rows: 2)
    let map = SphereMap(
      glyphs: glyphs, sphere: view.progress.sphere, now: view.progress.tiltNow,
      goal: view.target.cell, cellColumns: 2, cellRows: 1)
    let isLong = canvas.columns >= Self.labelColumns.long + map.columns
    let left = isLong ? Self.labelColumns.long : Self.labelColumns.short
    let end = isLong ? left - 1 : left
    map.drawSides(on: &canvas, left, 3)
    map.drawTilts(
      isLong ? ("upright", "on edge", "upside down") : ("up", "edge", "over"), on: &canvas,
      endingAt: end, 4)
    map.draw(on: &canvas, left, 4)
    let strip = 4 + map.rows
    canvas.write(isLong ? "level turn" : "turn", endingAt: end, strip, .label)
    RingDial(
      glyphs: glyphs, ring: view.progress.ring, now: view.progress.bearingNow, goal: view.target.bin
    ).drawStrip(on: &canvas, left, strip)
    drawNarrowFigures(view, on: &canvas, strip + 1, rows: canvas.rows - strip - 2)
    drawKeys(view, on: &canvas)
  }

  /// Draws as many rows as fit, most important first; findings before explanations.
  private func drawNarrowFigures(
    _ view: View, on canvas: inout Canvas, _ row: Int, rows: Int
  ) {
    let (words, progress, width) = (view.words, view.progress, canvas.columns)
    // First the error for the use with its class, then the other one.
    let (first, second, other) =
      switch progress.use {
      case .anyAttitude: ("worst", " level", progress.levelError)
      case .level: ("level", " tilted", progress.worstError)
      }
    canvas.write(
      items: [
        (first, .label), (words.error(progress.error), .strong),
        (words.name(view.quality), view.quality.wordRole),
        (second, .label),
        (words.error(other), ErrorClass(oneSigma: other).wordRole),
      ], 1, row, until: width, gap: 1)
    let findings = drawFindings(view, on: &canvas, 1, row + 1, rows: rows - 1)
    let rest = row + 1 + findings
    guard rest < row + rows else { return }
    canvas.write(
      items: [
        ("\(glyphs.filling(.good)) good", .good), ("\(glyphs.filling(.fair)) fair", .caution),
        ("\(glyphs.filling(.poor)) poor", .alarm), ("[] now", .accent), (">< next", .strong),
      ], 1, rest, until: width, gap: 1)
    for (index, line) in wrapped(
      words.meaning(view.quality, for: progress.use), width: width - 2
    ).enumerated()
    where rest + 1 + index < row + rows { canvas.write(line, 1, rest + 1 + index, .label) }
  }

  /// Draws what fits completely: the label, the sentence, the error.
  func drawTiny(_ view: View, on canvas: inout Canvas) {
    let (words, width) = (view.words, canvas.columns)
    var row = 0
    if view.text.isSimulated {
      drawBanner(on: &canvas)
      row = 1
    }
    let prompt = prompt(view)
    let error = "\(words.error(view.progress.error)) \(words.name(view.quality))"
    let lines = wrapped(prompt.text, width: width)
    for line in lines where row < canvas.rows {
      canvas.write(line, 0, row, prompt.role)
      row += 1
    }
    if error.count <= width, row < canvas.rows { canvas.write(error, 0, row, .strong) }
    if row + 1 < canvas.rows { drawKeys(view, on: &canvas) }
  }
}
