import CalibrationFit

/// The sphere of tilts, unrolled with the nose in the middle: left is left, right is right, upright
/// above.
///
/// A cell with an observation is filled, any other is half filled.
struct SphereMap {
  let glyphs: GlyphSet
  let sphere: TiltSphere
  let now: (row: Int, column: Int)?
  let goal: (row: Int, column: Int)?
  /// Characters across one cell.
  let cellColumns: Int
  /// Characters down one cell.
  let cellRows: Int

  var columns: Int { TiltSphere.columns * cellColumns }
  var rows: Int { TiltSphere.rows * cellRows }

  /// Draws the cells.
  func draw(on canvas: inout Canvas, _ column: Int, _ row: Int) {
    for y in 0..<TiltSphere.rows {
      for x in 0..<TiltSphere.columns {
        let quality = sphere.errorClass(y, x)
        fill(quality, isVisited: sphere.isVisited(y, x), on: &canvas, left(x, column), top(y, row))
      }
    }
    if let goal { mark((">", "<"), goal, .strong, on: &canvas, column, row) }
    if let now { mark(("[", "]"), now, .accent, on: &canvas, column, row) }
  }

  /// Writes the lowest side above the columns, in the form that fits.
  func drawSides(on canvas: inout Canvas, _ column: Int, _ row: Int) {
    let isWide = columns >= 48
    let middle = column + columns / 2
    let quarter = columns / 4
    canvas.write("tail", column, row, .label)
    canvas.write(isWide ? "left side down" : "left", around: middle - quarter, row, .label)
    canvas.write(isWide ? "nose down" : "nose", around: middle, row, .label)
    canvas.write(isWide ? "right side down" : "right", around: middle + quarter, row, .label)
    canvas.write("tail", endingAt: column + columns, row, .label)
  }

  /// Writes the tilt before the rows.
  func drawTilts(
    _ words: (upright: String, edge: String, over: String), on canvas: inout Canvas,
    endingAt column: Int, _ row: Int
  ) {
    let inset = cellRows / 2
    canvas.write(words.upright, endingAt: column, top(0, row) + inset, .label)
    canvas.write(words.edge, endingAt: column, top(4, row) + inset, .label)
    canvas.write(words.over, endingAt: column, top(8, row) + inset, .label)
  }

  private func fill(
    _ quality: ErrorClass, isVisited: Bool, on canvas: inout Canvas, _ column: Int, _ row: Int
  ) {
    let isBare = quality == .unknown && !isVisited
    let glyph = isBare ? glyphs.dot : glyphs.filling(quality)
    for y in 0..<cellRows {
      for x in 0..<cellColumns where isVisited || (x + y) % 2 == 0 {
        canvas.put(glyph, column + x, row + y, quality.role)
      }
    }
  }

  private func mark(
    _ ends: (Unicode.Scalar, Unicode.Scalar), _ cell: (row: Int, column: Int), _ role: Role,
    on canvas: inout Canvas, _ column: Int, _ row: Int
  ) {
    let left = left(cell.column, column)
    for y in 0..<cellRows {
      let y = top(cell.row, row) + y
      canvas.fill(" ", left..<left + cellColumns, y, role)
      canvas.put(ends.0, left, y, role)
      canvas.put(ends.1, left + cellColumns - 1, y, role)
    }
  }

  /// Rotated by half a turn, so that forward is in the middle.
  private func left(_ x: Int, _ column: Int) -> Int {
    column + (x + TiltSphere.columns / 2) % TiltSphere.columns * cellColumns
  }

  private func top(_ y: Int, _ row: Int) -> Int { row + y * cellRows }
}
