import Quantities

/// An artificial horizon in a ring, as seen from the body, which is the mark in the middle.
struct Horizon {
  /// Right side down positive, degrees.
  let roll: Double
  /// Bow up positive, degrees.
  let pitch: Double

  /// Pitch from the middle to the ring, degrees.
  private static let reach = 30.0
  /// The ladder's pitch lines, degrees, with their length to each side in dots.
  private static let ladder = [(-20.0, 9.0), (-10, 5), (10, 5), (20, 9)]

  /// The number of columns of a round ring with these rows.
  static func columns(rows: Int) -> Int { rows * 2 }

  /// Draws the ring and its content; needs Braille.
  func draw(on canvas: inout Canvas, _ column: Int, _ row: Int, rows: Int) {
    let columns = Self.columns(rows: rows)
    var raster = DotRaster(columns: columns, rows: rows)
    let middle = Double(columns)
    let radius = middle - 0.5
    let (s, c) = sineAndCosine(degrees: roll)
    let dotsPerDegree = radius / Self.reach
    let lineRole: Role = abs(roll) > 30 || abs(pitch) > 30 ? .caution : .strong
    for y in 0..<rows * 4 {
      for x in 0..<columns * 2 {
        let (dx, dy) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
        guard dx * dx + dy * dy < (radius - 2) * (radius - 2) else { continue }
        // With the right side down the earth seems turned to the left: its down is (sin, cos).
        let depth = dx * s + dy * c - pitch * dotsPerDegree
        let along = abs(dx * c - dy * s)
        let isLadder = Self.ladder.contains { degrees, reach in
          abs(depth + degrees * dotsPerDegree) < 0.5 && along < reach
        }
        if abs(depth) < 0.75 {
          raster.plot(Double(x), Double(y), lineRole)
        } else if isLadder {
          raster.plot(Double(x), Double(y), .label)
        } else if depth > 1.5, x % 2 == 0, (y + x / 2 % 2 * 2) % 4 == 0 {
          raster.plot(Double(x), Double(y), .faint)
        }
      }
    }
    let steps = Int(bounded: radius * 8)
    for step in 0..<steps {
      let (s, c) = sineAndCosine(degrees: Double(step) * 360 / Double(steps))
      raster.plot(middle + s * radius, middle - c * radius, .faint)
    }
    raster.draw(on: &canvas, column, row)
    let (centre, level) = (column + columns / 2, row + rows / 2)
    canvas.write("━━", centre - 4, level, .accent)
    canvas.put("●", centre, level, .accent)
    canvas.write("━━", centre + 3, level, .accent)
  }
}
