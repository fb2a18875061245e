import Quantities

/// A raster of dots, two across and four down in each cell, shown as Braille patterns.
///
/// Cells are about twice as high as wide, so the dots are on a square grid.
struct DotRaster {
  let columns: Int
  let rows: Int
  private var patterns: [UInt8]
  private var roles: [Role]

  init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    patterns = Array(repeating: 0, count: self.columns * self.rows)
    roles = Array(repeating: .faint, count: self.columns * self.rows)
  }

  /// Sets the dot at a point; the cell takes the role of the last dot set in it.
  mutating func plot(_ x: Double, _ y: Double, _ role: Role) {
    let (dotX, dotY) = (Int(bounded: x.rounded(.down)), Int(bounded: y.rounded(.down)))
    guard dotX >= 0, dotY >= 0, dotX < columns * 2, dotY < rows * 4 else { return }
    let cell = dotY / 4 * columns + dotX / 2
    patterns[cell] |= Self.bit(dotX % 2, dotY % 4)
    roles[cell] = role
  }

  /// Sets the dots along a straight line.
  mutating func line(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ role: Role
  ) {
    // Far longer than a screen: a line without an end has an end.
    let length = min(max(abs(b.x - a.x), abs(b.y - a.y)), 10_000)
    let steps = max(1, Int(bounded: (length * 1.5).rounded(.up)))
    for step in 0...steps {
      let t = Double(step) / Double(steps)
      plot(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, role)
    }
  }

  /// Draws every cell that has a dot.
  func draw(on canvas: inout Canvas, _ column: Int, _ row: Int) {
    for y in 0..<rows {
      for x in 0..<columns where patterns[y * columns + x] != 0 {
        let code = Self.firstPattern + UInt32(patterns[y * columns + x])
        guard let glyph = Unicode.Scalar(code) else { continue }
        canvas.put(glyph, column + x, row + y, roles[y * columns + x])
      }
    }
  }

  /// - Source: Unicode Standard, Braille Patterns, U+2800 and the dot numbers of its block chart.
  private static let firstPattern: UInt32 = 0x2800

  private static func bit(_ x: Int, _ y: Int) -> UInt8 {
    // Dots 1 to 6 go down the two columns of three; 7 and 8 were added below later.
    y == 3 ? 0x40 << UInt8(x) : 1 << UInt8(x * 3 + y)
  }
}
