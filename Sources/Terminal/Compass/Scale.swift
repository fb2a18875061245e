import Quantities

/// One-row instruments: a value on a line with zero in the middle.
struct Scale {
  let glyphs: GlyphSet
  /// The value at the ends; a larger value is shown as an arrow at the end.
  let reach: Double

  /// Draws a ball at the value, as in a spirit level.
  func drawBall(
    _ value: Double?, on canvas: inout Canvas, _ column: Int, _ row: Int, width: Int
  ) {
    drawLine(on: &canvas, column, row, width: width)
    guard let value, value.isFinite else { return }
    let offset = Int(bounded: (share(value) * Double(width / 2)).rounded())
    let isBeyond = abs(value) > reach
    let glyph = isBeyond ? (value < 0 ? glyphs.left : glyphs.right) : glyphs.ball
    let role: Role = isBeyond ? .alarm : abs(value) > reach * 2 / 3 ? .caution : .good
    canvas.put(glyph, column + width / 2 + offset, row, role)
  }

  /// Draws a bar from the middle to the value, with an arrow at its tip.
  func drawBar(
    _ value: Double?, on canvas: inout Canvas, _ column: Int, _ row: Int, width: Int
  ) {
    drawLine(on: &canvas, column, row, width: width)
    // Below a twentieth the value rounds to 0.0: no arrow then.
    guard let value, value.isFinite, abs(value) >= 0.05 else { return }
    let middle = column + width / 2
    // By the square root: slow turns are visible, fast ones fit.
    let size = abs(share(value)).squareRoot() * Double(width / 2)
    let tip = Int(bounded: (value < 0 ? -size : size).rounded())
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

  /// The value as a fraction of the reach, -1 to 1.
  private func share(_ value: Double) -> Double { min(1, max(-1, value / reach)) }
}
