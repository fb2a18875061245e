/// The layouts from 78 columns and 21 rows: tape above, rose beside figures, a horizon where it fits.
extension CompassScreen {
  private static let panelColumns = 43
  private static let panelRows = 19
  private static let horizonColumns = 31
  // A rose above 41 rows has no more to say.
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
    drawStaleness(readings, on: &canvas, rows - 1)
  }

  private func drawBody(_ readings: Readings, on canvas: inout Canvas, _ row: Int, rows: Int) {
    let gap = canvas.columns >= 100 ? 4 : 2
    // In a roomy body the rose leaves the row under the tape free.
    let widest = (canvas.columns - Self.panelColumns - gap - 1) / 2 + 1
    let roseRows = min(rows - (rows > Self.panelRows - 2 ? 1 : 0), widest, Self.largestRose)
    let roseColumns = CompassRose.columns(rows: roseRows)
    let left = max(1, (canvas.columns - roseColumns - gap - Self.panelColumns) / 2)
    let panel = left + roseColumns + gap
    let beside = canvas.columns - panel - Self.panelColumns
    let below = rows - Self.panelRows - 2
    let hasHorizon = glyphs == .full && readings.estimate?.levelDegrees != nil
    // Half of the room to the right has to be free before the three move left to make a row.
    let isHorizonBeside =
      hasHorizon && below < 8 && beside + left >= Self.horizonColumns + gap + 2
    let shift = isHorizonBeside ? max(0, Self.horizonColumns + gap + 1 - beside) : 0
    let roseTop = row + max(rows - roseRows, 0) / 2 + (rows - roseRows) % 2
    CompassRose(glyphs: glyphs, heading: readings.headingDegrees, course: readings.courseDegrees)
      .draw(on: &canvas, left - shift, roseTop, rows: roseRows)
    let isHorizonBelow = hasHorizon && !isHorizonBeside && below >= 8
    let horizonRows = min(below, 13)
    let contentRows = Self.panelRows + (isHorizonBelow ? horizonRows + 2 : 0)
    let top = row + max(0, rows - contentRows) / 2
    drawPanel(readings, on: &canvas, panel - shift, top, rows: rows)
    guard hasHorizon, let level = readings.estimate?.levelDegrees else { return }
    let horizon = Horizon(roll: level.roll, pitch: level.pitch)
    if isHorizonBelow {
      horizon.draw(
        on: &canvas, panel, top + Self.panelRows + 1, columns: Self.horizonColumns,
        rows: horizonRows)
    } else if isHorizonBeside {
      horizon.draw(
        on: &canvas, panel - shift + Self.panelColumns + gap, row + 3,
        columns: Self.horizonColumns, rows: 13)
    }
  }

  private func drawFooter(on canvas: inout Canvas) {
    let other = north == .true ? "magnetic north" : "true north"
    let keys = [("q", "quit"), ("t", other), ("c", "colours")]
    var x = 1
    for (key, action) in keys where key != "c" || depth != .none {
      canvas.write(key, x, canvas.rows - 1, .strong)
      canvas.write(action, x + 2, canvas.rows - 1, .faint)
      x += action.count + 5
    }
    let legend = "\(glyphs.courseMark) course over ground"
    canvas.write(legend, endingAt: canvas.columns - 1, canvas.rows - 1, .faint)
    canvas.put(
      glyphs.courseMark, canvas.columns - 1 - legend.count, canvas.rows - 1, .course)
  }
}
