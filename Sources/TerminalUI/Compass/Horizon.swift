/// An artificial horizon: the earth as it is seen from the body, which is the cross in the middle.
struct Horizon {
  /// Right side down positive, degrees.
  let roll: Double
  /// Bow up positive, degrees.
  let pitch: Double

  /// Pitch from the middle to the upper edge, degrees.
  private static let reach = 30.0

  /// Draws a box of dots; needs Braille.
  func draw(on canvas: inout Canvas, _ column: Int, _ row: Int, columns: Int, rows: Int) {
    var raster = DotRaster(columns: columns, rows: rows)
    let (width, height) = (columns * 2, rows * 4)
    let (s, c) = sineAndCosine(degrees: roll)
    let dotsPerDegree = Double(height) / 2 / Self.reach
    let role: Role = abs(roll) > 30 || abs(pitch) > 30 ? .caution : .label
    for y in 0..<height {
      for x in 0..<width {
        let (dx, dy) = (Double(x) + 0.5 - Double(width) / 2, Double(y) + 0.5 - Double(height) / 2)
        // With the right side down the earth seems to turn to the left: its down is (sin, cos).
        let depth = dx * s + dy * c - pitch * dotsPerDegree
        if abs(depth) < 0.75 {
          raster.plot(Double(x), Double(y), .strong)
        } else if depth > 0, x % 3 == 0, y % 3 == 0 {
          raster.plot(Double(x), Double(y), role)
        }
      }
    }
    raster.draw(on: &canvas, column, row)
    let (middle, centre) = (column + columns / 2, row + rows / 2)
    canvas.write("━━", middle - 4, centre, .accent)
    canvas.write("●", middle, centre, .accent)
    canvas.write("━━", middle + 3, centre, .accent)
  }
}
