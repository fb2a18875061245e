/// Instruments of one row: a value on a line with its zero in the middle.
struct Scale {
  let glyphs: GlyphSet
  /// What the two ends stand for; more than that shows as an arrow at the end.
  let reach: Double

  /// A level's bubble: where the value lies on the line.
  func drawBubble(
    _ value: Double?, on canvas: inout Canvas, _ column: Int, _ row: Int, width: Int
  ) {
    drawLine(on: &canvas, column, row, width: width)
    guard let value, value.isFinite else { return }
    let offset = offset(value, width: width)
    let isBeyond = abs(value) > reach
    let glyph = isBeyond ? (value < 0 ? glyphs.left : glyphs.right) : glyphs.bubble
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
    let tip = offset(value, width: width)
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

  private func offset(_ value: Double, width: Int) -> Int {
    let half = Double(width / 2)
    return Int((min(1, max(-1, value / reach)) * half).rounded())
  }
}
