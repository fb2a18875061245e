import Quantities

/// A strip of the compass card that moves under a fixed lubber line. Three rows high.
struct HeadingTape {
  let glyphs: GlyphSet
  /// The direction under the lubber line, degrees; nil if unknown.
  let heading: Double?
  /// The course over ground in the same north, degrees.
  let course: Double?

  /// One degree per column if there is room for a few labels, else two.
  static func degreesPerColumn(width: Int) -> Double { width >= 70 ? 1 : 2 }

  /// Draws the strip's three rows: lubber line, labels, ticks.
  func draw(on canvas: inout Canvas, _ column: Int, _ row: Int, width: Int) {
    let middle = column + width / 2
    guard let heading else {
      canvas.fill(glyphs.dot, column..<column + width, row + 2, .faint)
      canvas.write(" heading not known ", around: middle, row + 1, .caution)
      return
    }
    let scale = Self.degreesPerColumn(width: width)
    let reach = Int(bounded: Double(width) / 2 * scale) + 5
    // Ticks from left to right, in whole fives of an unwrapped angle, so north needs no special
    // case.
    let first = Int(bounded: (heading / 5).rounded(.down)) * 5 - reach / 5 * 5
    for mark in stride(from: first, through: first + 2 * reach + 5, by: 5) {
      let offset = Int(bounded: ((Double(mark) - heading) / scale).rounded())
      guard abs(offset) <= width / 2 - 1 else { continue }
      let direction = (mark % 360 + 360) % 360
      drawMark(direction, on: &canvas, middle + offset, row, isEdge: abs(offset) > width * 3 / 8)
    }
    if let course {
      let offset = Int(bounded: (Self.difference(course, heading) / scale).rounded())
      if abs(offset) <= width / 2 - 1 {
        canvas.put(glyphs.courseMark, middle + offset, row, .course)
      }
    }
    canvas.put(glyphs.lubber, middle, row, .accent)
    canvas.put(glyphs.lubberLine, middle, row + 2, .accent)
  }

  private func drawMark(
    _ direction: Int, on canvas: inout Canvas, _ x: Int, _ row: Int, isEdge: Bool
  ) {
    let wide = Self.degreesPerColumn(width: canvas.columns) < 2
    let isNumbered = direction % (wide ? 10 : 30) == 0
    if let wind = Self.winds[direction] {
      let isMain = direction % 90 == 0
      let role: Role = direction == 0 ? .north : isMain ? .strong : isEdge ? .label : .plain
      // A wind of two letters is centred on its tick.
      canvas.write(wind, around: x, row + 1, role)
      canvas.put(glyphs.vertical, x, row + 2, isMain ? role : .label)
    } else if isNumbered {
      let number = FixedPoint.zeroPadded(Int64(direction), width: 3)
      canvas.write(number, around: x, row + 1, .label)
      canvas.put(glyphs.vertical, x, row + 2, isEdge ? .faint : .label)
    } else if wide || direction % 10 == 0 {
      canvas.put(glyphs.shortTick, x, row + 2, .faint)
    }
  }

  /// The signed difference of two directions, -180 to 180 degrees.
  static func difference(_ to: Double, _ from: Double) -> Double {
    Angle(degrees: to - from).wrappedToHalfTurn.degrees
  }

  private static let winds: [Int: String] = [
    0: "N", 45: "NE", 90: "E", 135: "SE", 180: "S", 225: "SW", 270: "W", 315: "NW",
  ]
}
