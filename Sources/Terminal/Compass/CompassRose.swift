import Quantities

/// A compass card that turns under a fixed lubber line at its top.
struct CompassRose {
  let glyphs: GlyphSet
  /// The direction at the top, degrees; nil if unknown.
  let heading: Double?
  /// The course over ground in the same north, degrees.
  let course: Double?

  /// The number of columns of a round ring with these rows.
  static func columns(rows: Int) -> Int { (rows - 1) * 2 }

  /// Draws the card into `columns(rows:)` columns; the first row holds the lubber mark.
  func draw(on canvas: inout Canvas, _ column: Int, _ row: Int, rows: Int) {
    let columns = Self.columns(rows: rows)
    let card = Card(column: column, row: row + 1, columns: columns, rows: rows - 1)
    if glyphs == .full { drawDots(card, on: &canvas) } else { drawCells(card, on: &canvas) }
    drawLabels(card, on: &canvas)
    canvas.put(glyphs.lubber, column + columns / 2, row, heading == nil ? .faint : .accent)
    if let heading, let course {
      let (x, y) = card.cell(at: course - heading, radius: 1)
      canvas.put(glyphs.courseMark, x, y, .course)
    }
  }

  /// The position of a card on the canvas; radii are fractions of the ring's.
  private struct Card {
    let column: Int
    let row: Int
    let columns: Int
    let rows: Int

    /// The ring's radius in dots; half a dot less keeps it inside.
    var radius: Double { Double(min(columns * 2, rows * 4)) / 2 - 0.5 }

    /// A point in dots from the card's corner, at an angle from the top.
    func dot(at degrees: Double, radius part: Double) -> (x: Double, y: Double) {
      let (s, c) = sineAndCosine(degrees: degrees)
      return (Double(columns) + s * radius * part, Double(rows * 2) - c * radius * part)
    }

    /// The canvas cell of a point.
    func cell(at degrees: Double, radius part: Double) -> (x: Int, y: Int) {
      let point = dot(at: degrees, radius: part)
      return (
        column + min(columns - 1, max(0, Int(bounded: (point.x / 2).rounded(.down)))),
        row + min(rows - 1, max(0, Int(bounded: (point.y / 4).rounded(.down))))
      )
    }
  }

  private func drawDots(_ card: Card, on canvas: inout Canvas) {
    var raster = DotRaster(columns: card.columns, rows: card.rows)
    let ringSteps = Int(bounded: card.radius * 8)
    for step in 0..<ringSteps {
      let point = card.dot(at: Double(step) * 360 / Double(ringSteps), radius: 1)
      raster.plot(point.x, point.y, .faint)
    }
    if let heading {
      for mark in stride(from: 0, to: 360, by: card.radius > 45 ? 5 : 10) {
        let inner = mark % 30 == 0 ? 0.87 : mark % 10 == 0 ? 0.93 : 0.96
        let angle = Double(mark) - heading
        raster.line(
          from: card.dot(at: angle, radius: inner), to: card.dot(at: angle, radius: 1),
          mark == 0 ? .north : mark % 30 == 0 ? .label : .faint)
      }
      drawNeedle(card, toNorth: -heading, on: &raster)
    }
    raster.draw(on: &canvas, card.column, card.row)
  }

  /// A lozenge: its north half filled, its south half an outline.
  private func drawNeedle(_ card: Card, toNorth angle: Double, on raster: inout DotRaster) {
    let (length, halfWidth) = (0.56, 0.1)
    let steps = Int(bounded: card.radius * 3)
    let (left, right) = (
      card.dot(at: angle - 90, radius: halfWidth), card.dot(at: angle + 90, radius: halfWidth)
    )
    let south = card.dot(at: angle + 180, radius: length)
    raster.line(from: left, to: south, .label)
    raster.line(from: right, to: south, .label)
    let north = card.dot(at: angle, radius: length)
    for step in 0...steps {
      let t = Double(step) / Double(steps)
      raster.line(
        from: (left.x + (right.x - left.x) * t, left.y + (right.y - left.y) * t), to: north, .north)
    }
  }

  private func drawCells(_ card: Card, on canvas: inout Canvas) {
    for mark in stride(from: 0, to: 360, by: 10) {
      let (x, y) = card.cell(at: Double(mark) - (heading ?? 0), radius: 1)
      canvas.put(glyphs.dot, x, y, mark % 30 == 0 && heading != nil ? .label : .faint)
    }
    guard let heading else { return }
    let steps = card.rows * 2
    for step in 0...steps {
      let part = 0.5 * Double(step) / Double(steps)
      let south = card.cell(at: 180 - heading, radius: part)
      canvas.put(glyphs.dot, south.x, south.y, .label)
      let north = card.cell(at: -heading, radius: part)
      canvas.put(glyphs.needle, north.x, north.y, .north)
    }
  }

  private func drawLabels(_ card: Card, on canvas: inout Canvas) {
    guard let heading else {
      let middle = card.cell(at: 0, radius: 0)
      canvas.write("no heading", around: middle.x, middle.y, .caution)
      return
    }
    // Numbers between the letters need a ring of about 20 rows to avoid overlaps.
    let hasNumbers = card.radius >= 40
    for mark in stride(from: 0, to: 360, by: 15) {
      let (x, y) = card.cell(at: Double(mark) - heading, radius: hasNumbers ? 0.78 : 0.74)
      switch mark {
      case 0: canvas.write("N", x, y, .north)
      case 90: canvas.write("E", x, y, .strong)
      case 180: canvas.write("S", x, y, .strong)
      case 270: canvas.write("W", x, y, .strong)
      case 45: canvas.write("NE", around: x, y, .label)
      case 135: canvas.write("SE", around: x, y, .label)
      case 225: canvas.write("SW", around: x, y, .label)
      case 315: canvas.write("NW", around: x, y, .label)
      case _ where hasNumbers && mark % 30 == 0:
        canvas.write(String(mark), around: x, y, .label)
      default: break
      }
    }
  }
}
