import CalibrationFit
import Quantities

/// The headings of the level board as a ring with the first heading at its top. A bin with an
/// observation is filled, any other is dotted.
struct RingDial {
  let glyphs: GlyphSet
  let ring: LevelRing
  let now: Int?
  let goal: Int?

  /// The smallest number of rows with a cell for every bin.
  static var leastRows: Int { 13 }

  /// The number of columns of a round ring with an odd number of rows.
  static func columns(rows: Int) -> Int { (rows - 1) * 2 + 1 }

  /// Draws the ring into an odd number of rows.
  func draw(on canvas: inout Canvas, _ column: Int, _ row: Int, rows: Int) {
    let radius = Double(rows - 1) / 2
    let width = max(1, radius / 5)
    let directions = (0..<LevelRing.bins).map { sineAndCosine(degrees: Double($0) * 10 + 5) }
    let centre = (x: column + rows - 1, y: row + (rows - 1) / 2)
    for y in 0..<rows {
      for x in 0..<Self.columns(rows: rows) {
        // Cells are about twice as high as wide.
        let (across, up) = (Double(x - (rows - 1)) / 2, radius - Double(y))
        let distance = (across * across + up * up).squareRoot()
        guard distance < radius + 0.5, distance >= radius + 0.5 - width else { continue }
        let bin = Self.nearest(across, up, directions)
        put(bin, on: &canvas, column + x, row + y)
      }
    }
    // Each bin's own cell is drawn last, so that none is lost on a small ring.
    let reach = radius - (width - 1) / 2
    let cells = directions.map {
      (
        centre.x + Int(bounded: (2 * reach * $0.sine).rounded()),
        centre.y - Int(bounded: (reach * $0.cosine).rounded())
      )
    }
    for (bin, cell) in cells.enumerated() { put(bin, on: &canvas, cell.0, cell.1) }
    if let goal = shownGoal { canvas.write("><", cells[goal].0, cells[goal].1, .strong) }
    if let now { canvas.write("[]", cells[now].0, cells[now].1, .accent) }
  }

  /// Draws the ring as a strip, one character a bin.
  func drawStrip(on canvas: inout Canvas, _ column: Int, _ row: Int) {
    for bin in 0..<LevelRing.bins { put(bin, on: &canvas, column + bin, row) }
    if let goal = shownGoal { canvas.put(glyphs.bearingGoal, column + goal, row, .strong) }
    if let now { canvas.put(glyphs.bearingMark, column + now, row, .accent) }
  }

  /// The goal if its mark does not touch the current one; nearer, the arrow is sufficient.
  private var shownGoal: Int? {
    guard let goal, let now else { return goal }
    let steps = abs(goal - now)
    return min(steps, LevelRing.bins - steps) >= 3 ? goal : nil
  }

  private func put(_ bin: Int, on canvas: inout Canvas, _ column: Int, _ row: Int) {
    let quality = ring.errorClass(bin)
    let glyph = ring.visits[bin] > 0 ? glyphs.filling(quality) : glyphs.dot
    canvas.put(glyph, column, row, quality.role)
  }

  private static func nearest(
    _ across: Double, _ up: Double, _ directions: [(sine: Double, cosine: Double)]
  ) -> Int {
    var best = (bin: 0, length: -Double.infinity)
    for (bin, direction) in directions.enumerated() {
      let length = across * direction.sine + up * direction.cosine
      if length > best.length { best = (bin, length) }
    }
    return best.bin
  }
}
