/// The layouts from 78 columns and 20 rows: tape above, rose beside figures, a horizon if it fits.
extension CompassScreen {
  private static let panelColumns = 43
  private static let panelRows = 19
  // A rose above 41 rows shows no more detail.
  private static let largestRose = 41

  func drawFull(_ readings: Readings, on canvas: inout Canvas) {
    let (columns, rows) = (canvas.columns, canvas.rows)
    drawHeader(readings, on: &canvas)
    let isRoomy = rows >= 28
    let tapeRow = isRoomy ? 2 : 1
    let tapeWidth = min(columns - 2, 181)
    HeadingTape(glyphs: glyphs, heading: readings.headingDegrees, course: readings.courseDegrees)
      .draw(on: &canvas, (columns - tapeWidth) / 2, tapeRow, width: tapeWidth)
    let hasFooter = rows >= 24
    let bodyRow = tapeRow + (isRoomy ? 4 : 3)
    let bodyRows = rows - bodyRow - (hasFooter ? 1 : 0)
    drawBody(readings, on: &canvas, bodyRow, rows: bodyRows)
    if hasFooter { drawFooter(on: &canvas) }
    drawStaleness(readings, on: &canvas, insteadOf: nil)
  }

  private func drawBody(_ readings: Readings, on canvas: inout Canvas, _ row: Int, rows: Int) {
    let gap = canvas.columns >= 100 ? 4 : 2
    let level = glyphs == .full ? readings.estimate?.levelDegrees : nil
    // One row stays free under the tape; an odd number of rows gives the ring a middle row.
    let widest = (canvas.columns - Self.panelColumns - gap - 1) / 2 + 1
    let roseRows = min(rows - 1, widest, Self.largestRose)
    let roseColumns = CompassRose.columns(rows: roseRows)
    let below = rows - Self.panelRows - 1
    let besideRows = min(13, rows - 4)
    let besideColumns = gap + Horizon.columns(rows: besideRows)
    let twoColumns = roseColumns + gap + Self.panelColumns
    let isBelow = level != nil && below >= 9
    let isBeside =
      level != nil && !isBelow && canvas.columns >= twoColumns + besideColumns + 2
    let left = max(1, (canvas.columns - twoColumns - (isBeside ? besideColumns : 0)) / 2)
    let panel = left + roseColumns + gap
    CompassRose(glyphs: glyphs, heading: readings.headingDegrees, course: readings.courseDegrees)
      .draw(on: &canvas, left, row + (rows - roseRows + 1) / 2, rows: roseRows)
    let horizonRows = min(below - 1, 15)
    let contentRows = Self.panelRows + (isBelow ? horizonRows + 1 : 0)
    let top = row + max(0, rows - contentRows) / 2
    drawPanel(readings, on: &canvas, panel, top, rows: rows)
    guard let level else { return }
    let horizon = Horizon(roll: level.roll, pitch: level.pitch)
    if isBelow {
      let inset = (Self.panelColumns - Horizon.columns(rows: horizonRows)) / 2
      horizon.draw(
        on: &canvas, panel + inset, top + Self.panelRows + 1, rows: horizonRows)
    } else if isBeside {
      horizon.draw(
        on: &canvas, panel + Self.panelColumns + gap, row + (rows - besideRows) / 2,
        rows: besideRows)
    }
  }

  private func drawFooter(on canvas: inout Canvas) {
    let other = north == .true ? "magnetic north" : "true north"
    let keys = [("q", "quit"), ("t", other), ("c", "colours"), ("h", "helm")]
    var x = 1
    for (key, action) in keys where key != "c" || depth != .none {
      canvas.write(key, x, canvas.rows - 1, .strong)
      canvas.write(action, x + 2, canvas.rows - 1, .label)
      x += action.count + 5
    }
    let legend = "\(glyphs.courseMark) course over ground"
    canvas.write(legend, endingAt: canvas.columns - 1, canvas.rows - 1, .label)
    canvas.put(
      glyphs.courseMark, canvas.columns - 1 - legend.count, canvas.rows - 1, .course)
  }
}
