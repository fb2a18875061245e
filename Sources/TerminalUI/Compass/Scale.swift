/// Instruments of one row: a value on a line with its zero in the middle.
struct Scale {
  let glyphs: GlyphSet
  /// What the two ends stand for; more than that shows as an arrow at the end.
  let reach: Double

  /// A level's ball, which rolls to the low side: where the value lies on the line.
  func drawBall(
    _ value: Double?, on canvas: inout Canvas, _ column: Int, _ row: Int, width: Int
  ) {
    drawLine(on: &canvas, column, row, width: width)
    guard let value, value.isFinite else { return }
    let offset = Int((share(value) * Double(width / 2)).rounded())
    let isBeyond = abs(value) > reach
    let glyph = isBeyond ? (value < 0 ? glyphs.left : glyphs.right) : glyphs.ball
    let role: Role = isBeyond ? .alarm : abs(value) > reach * 2 / 3 ? .caution : .good
    canvas.put(glyph, column + width / 2 + offset, row, role)
  }

  /// A bar from the middle with an arrow at its tip: how fast something goes which way.
  func drawBar(
    _ value: Double?, on canvas: inout Canvas, _ column: Int, _ row: Int, width: Int
  ) {
    drawLine(on: &canvas, column, row, width: width)
    // A twentieth is what reads 0.0 after rounding: no arrow then.
    guard let value, value.isFinite, abs(value) >= 0.05 else { return }
    let middle = column + width / 2
    // By the square root: slow turns show, fast ones still fit.
    let size = abs(share(value)).squareRoot() * Double(width / 2)
    let tip = Int((value < 0 ? -size : size).rounded())
    let end = tip == 0 ? (value < 0 ? -1 : 1) : tip
    for x in min(0, end)...max(0, end) where x != 0 {
      canvas.put(glyphs.bar, middle + x, row, .accent)
    }
    canvas.put(end < 0 ? glyphs.left : glyphs.right, middle + end, row, .accent)
  }

  private func drawLine(on canvas: inout Canvas, _ column: Int, _ row: Int, width: Int) {
    canvas.fill(glyphs.horizontal, column..<column + max(0, width), row, .faint)
    canvas.put(glyphs.middle, column + width / 2, row, .label)
  }

  /// The value as a part of the reach, -1 to 1.
  private func share(_ value: Double) -> Double { min(1, max(-1, value / reach)) }
}
