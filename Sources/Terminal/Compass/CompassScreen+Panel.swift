/// The figures beside the rose.
extension CompassScreen {
  private static let valueColumn = 12
  private static let scaleColumns = 15
  /// Rate at the ends of the turn's bar, degrees a second: fast for a hand-held compass.
  private static let turnReach = 60.0
  /// Degrees at the ends of a level.
  private static let levelReach = 30.0

  /// Draws nineteen rows, or down to sixteen without the free rows between the groups.
  func drawPanel(
    _ readings: Readings, on canvas: inout Canvas, _ column: Int, _ row: Int, rows: Int
  ) {
    let spare = max(0, min(3, rows - 16))
    BigDigits(glyphs: glyphs).draw(
      readings.bigHeading, rows: 5, on: &canvas, column, row,
      readings.staleness == nil ? .accent : .label)
    drawHeadingFigures(readings, on: &canvas, column, row + 5 + (spare > 0 ? 1 : 0))
    drawMotion(readings, on: &canvas, column, row + 9 + min(2, spare))
    drawPlace(readings, on: &canvas, column, row + 12 + spare)
  }

  private func drawHeadingFigures(
    _ readings: Readings, on canvas: inout Canvas, _ column: Int, _ row: Int
  ) {
    let estimate = readings.estimate
    let wind = Figures.wind(readings.heading) ?? readings.figures.unknown
    label(readings.northWord, on: &canvas, column, row)
    canvas.write(wind, column + Self.valueColumn, row, .strong)
    let other = readings.otherHeading
    canvas.write(other.name, column + 20, row, .label)
    canvas.write(other.text, column + 20 + other.name.count + 2, row, .strong)
    label("accuracy", on: &canvas, column, row + 1)
    // The label already has the first word.
    let words = readings.accuracyWords
    let isKnown = !words.hasPrefix("accuracy ")
    canvas.write(
      isKnown ? words : String(words.dropFirst("accuracy ".count)), column + Self.valueColumn,
      row + 1, isKnown ? .plain : .caution)
    label("calibration", on: &canvas, column, row + 2)
    canvas.write(
      readings.figures.words(estimate?.calibration), column + Self.valueColumn, row + 2,
      readings.calibrationRole)
    label("field", on: &canvas, column, row + 3)
    canvas.write(
      readings.field ?? readings.figures.unknown, column + Self.valueColumn,
      row + 3, readings.fieldRole)
  }

  private func drawMotion(
    _ readings: Readings, on canvas: inout Canvas, _ column: Int, _ row: Int
  ) {
    let (figures, degree) = (readings.figures, readings.figures.degree)
    let turn = readings.estimate?.rateOfTurn?.degreesPerSecond
    let level = readings.estimate?.levelDegrees
    let (scale, text) = (column + 6, column + 6 + Self.scaleColumns + 1)
    label("turn", on: &canvas, column, row)
    Scale(glyphs: glyphs, reach: Self.turnReach)
      .drawBar(turn, on: &canvas, scale, row, width: Self.scaleColumns)
    canvas.write(
      readings.signed(turn, unit: degree + "/s", side: figures.turnSide(turn)), text, row)
    let levels = [
      ("roll", level?.roll, figures.rollSide(level?.roll)),
      ("pitch", level?.pitch, figures.pitchSide(level?.pitch)),
    ]
    for (index, (name, value, side)) in levels.enumerated() {
      label(name, on: &canvas, column, row + 1 + index)
      Scale(glyphs: glyphs, reach: Self.levelReach)
        .drawBall(value, on: &canvas, scale, row + 1 + index, width: Self.scaleColumns)
      canvas.write(
        readings.signed(value, unit: degree, side: side), text, row + 1 + index)
    }
  }

  private func drawPlace(
    _ readings: Readings, on canvas: inout Canvas, _ column: Int, _ row: Int
  ) {
    let value = column + Self.valueColumn
    label("position", on: &canvas, column, row)
    canvas.write(readings.position, value, row, .strong)
    label("fix", on: &canvas, column, row + 1)
    let parts = readings.fixParts.enumerated()
      .map { (text: $1, role: $0 == 0 ? readings.fixRole : Role.plain) }
    canvas.write(items: parts, value, row + 1, until: canvas.columns)
    label("altitude", on: &canvas, column, row + 2)
    canvas.write(readings.altitude(glyphs), value, row + 2)
    label("speed", on: &canvas, column, row + 3)
    canvas.write(readings.speed, value, row + 3)
    let course = value + max(17, readings.speed.count + 1)
    label("course", on: &canvas, course, row + 3)
    canvas.write(readings.direction(readings.estimate?.course), course + 7, row + 3)
  }

  private func label(_ text: String, on canvas: inout Canvas, _ column: Int, _ row: Int) {
    canvas.write(text, column, row, .label)
  }
}
