import Quantities

/// The layouts below 78 columns or 20 rows: a phone, a pane, a small display.
extension CompassScreen {
  func drawNarrow(_ readings: Readings, on canvas: inout Canvas) {
    let width = canvas.columns
    drawHeader(readings, on: &canvas)
    HeadingTape(glyphs: glyphs, heading: readings.headingDegrees, course: readings.courseDegrees)
      .draw(on: &canvas, 0, 1, width: width)
    let digits = BigDigits(glyphs: glyphs)
    digits.draw(
      readings.bigHeading, rows: 3, on: &canvas, 1, 4,
      readings.staleness == nil ? .accent : .label)
    let beside = 1 + digits.width(readings.bigHeading, rows: 3) + 2
    let wind = Figures.wind(readings.heading) ?? readings.figures.unknown
    let other = readings.otherHeading
    let isAccurate = !readings.accuracyShort.hasSuffix("known")
    canvas.write(
      items: [(wind, .strong), (north == .true ? "true" : "mag", .label)], beside, 4,
      until: width, gap: 1)
    canvas.write(
      items: [(readings.accuracyShort, isAccurate ? .plain : .caution)], beside, 5,
      until: width)
    canvas.write(
      items: [(other.name == "magnetic" ? "mag" : other.name, .label), (other.text, .plain)],
      beside, 6, until: width, gap: 1)
    let figures = narrowFigures(readings)
    for (index, items) in figures.enumerated() where 7 + index < canvas.rows {
      canvas.write(items: items, 1, 7 + index, until: width)
    }
    let used = 7 + figures.count
    drawStaleness(readings, on: &canvas, insteadOf: min(canvas.rows - 1, used))
    // A tall window has room for a rose below; it is readable from nine rows.
    let rows = min(canvas.rows - used - 1, width / 2)
    guard rows >= 9 else { return }
    CompassRose(glyphs: glyphs, heading: readings.headingDegrees, course: readings.courseDegrees)
      .draw(
        on: &canvas, (width - CompassRose.columns(rows: rows)) / 2, used + 1, rows: rows)
  }

  private func narrowFigures(_ readings: Readings) -> [[(text: String, role: Role)]] {
    let (figures, estimate) = (readings.figures, readings.estimate)
    let level = estimate?.levelDegrees
    func angle(_ name: String, _ value: Double?, _ unit: String) -> String {
      let text = figures.signed(value, decimals: 1).map { $0 + unit } ?? figures.unknown
      return name + " " + text
    }
    let calibration =
      switch estimate?.calibration {
      case .uncalibrated: figures.words(estimate?.calibration)
      case nil, .assumed, .poor, .fair, .good:
        "calibration " + figures.words(estimate?.calibration)
      }
    let fix = readings.fixParts
    let accuracy = figures.accuracy(metres: estimate?.horizontalAccuracyMetres)
    return [
      [
        (calibration, readings.calibrationRole),
        ("field " + (readings.field ?? figures.unknown), readings.fieldRole),
      ],
      [
        (angle("roll", level?.roll, figures.degree), .plain),
        (angle("pitch", level?.pitch, figures.degree), .plain),
        (
          angle("turn", estimate?.rateOfTurn?.degreesPerSecond, figures.degree + "/s"), .plain
        ),
      ],
      [
        (estimate?.position == nil ? "position " + figures.unknown : readings.position, .strong),
        (accuracy ?? "", .plain),
      ],
      [
        ("speed " + readings.speed, .plain),
        ("course " + readings.direction(estimate?.course), .plain),
      ],
      [("alt " + readings.altitude(glyphs), .plain), (fix[0], readings.fixRole)],
    ]
  }

  /// Draws what fits completely, most important first, wrapped like text.
  func drawTiny(_ readings: Readings, on canvas: inout Canvas) {
    let width = canvas.columns
    var (x, row) = (0, 0)
    func place(_ choices: [String], _ role: Role) {
      guard
        let text = choices.first(where: { $0.count <= width - (x == 0 ? 0 : x + 1) })
          ?? choices.first(where: { $0.count <= width })
      else { return }
      if x > 0, x + 1 + text.count > width { (x, row) = (0, row + 1) }
      guard row < canvas.rows else { return }
      canvas.write(text, x == 0 ? 0 : x + 1, row, role)
      x += text.count + (x == 0 ? 0 : 1)
    }
    if readings.isSimulated {
      // In one row the heading is shown beside the shortest warning.
      let words = canvas.rows > 1 || width >= 17 ? ["SIMULATED", "SIM", "S"] : ["SIM", "S"]
      place(words, .banner)
      if canvas.rows > 1 {
        canvas.fill(" ", x..<width, 0, .banner)
        (x, row) = (0, 1)
      }
    }
    let (figures, estimate) = (readings.figures, readings.estimate)
    let whole = figures.direction(readings.heading, padded: true)
    if let whole {
      place([whole + figures.degree, whole, Figures.wind(readings.heading) ?? ""], .accent)
      place([north == .true ? "true" : "mag"], .label)
      if let wind = Figures.wind(readings.heading) { place([wind], .strong) }
    } else {
      place(["heading " + figures.unknown, figures.unknown], .caution)
    }
    if let words = readings.staleness { place([words, "old"], .alarm) }
    place([readings.accuracyShort], .plain)
    let other = readings.otherHeading
    place([(other.name == "magnetic" ? "mag " : "true ") + other.text], .plain)
    place([readings.field ?? ""], readings.fieldRole)
    if let latitude = figures.latitude(estimate?.position?.latitude),
      let longitude = figures.longitude(estimate?.position?.longitude)
    {
      place([latitude], .plain)
      place([longitude], .plain)
    }
  }
}
