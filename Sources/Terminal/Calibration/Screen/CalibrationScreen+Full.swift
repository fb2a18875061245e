import CalibrationFit

/// The layout from 78 columns and 24 rows: sphere and ring side by side, figures below.
extension CalibrationScreen {
  // Before the sphere: the longest label and a space on each side.
  private static let labelColumns = 13
  // Above: header, a free row, the advice.
  private static let mapRow = 3
  // Below: legend, a free row, three of figures, two of findings, keys.
  private static let belowRows = 8

  func drawFull(_ view: View, on canvas: inout Canvas) {
    drawHeader(view, on: &canvas)
    drawPrompt(view, on: &canvas, 2, 2, rows: 1)
    let room = canvas.rows - Self.mapRow - Self.belowRows
    let map = sphereMap(view, columns: canvas.columns, rows: room)
    let below = canvas.rows - Self.belowRows
    let mapRows = map.rows + 3
    let top = Self.mapRow + 1 + max(0, room - 1 - mapRows) / 2
    let right = Self.labelColumns + map.columns
    canvas.write("points down:", endingAt: Self.labelColumns - 1, top, .label)
    map.drawSides(on: &canvas, Self.labelColumns, top)
    map.drawTilts(
      ("upright", "on edge", "upside down"), on: &canvas, endingAt: Self.labelColumns - 1, top + 1)
    map.draw(on: &canvas, Self.labelColumns, top + 1)
    drawLegend(on: &canvas, 2, below - 1)
    drawDial(view, on: &canvas, right + 2, until: canvas.columns - 1, rows: room)
    drawFigures(view, on: &canvas, below + 2)
    drawFindings(view, on: &canvas, 2, canvas.rows - 3, rows: 2)
    drawKeys(view, on: &canvas)
  }

  /// The largest cells that leave room for the ring.
  private func sphereMap(_ view: View, columns: Int, rows: Int) -> SphereMap {
    let cellRows = max(1, min(3, (rows - 4) / TiltSphere.rows))
    let ring = RingDial.columns(rows: RingDial.leastRows) + 3
    let widest = (columns - Self.labelColumns - ring) / TiltSphere.columns
    return SphereMap(
      glyphs: glyphs, sphere: view.progress.sphere, now: view.progress.tiltNow,
      goal: view.target.cell, cellColumns: max(2, min(cellRows * 2, widest)), cellRows: cellRows)
  }

  private func drawDial(
    _ view: View, on canvas: inout Canvas, _ column: Int, until end: Int, rows: Int
  ) {
    let most = min(rows, (end - column - 1) / 2 + 1, 25)
    let ringRows = most % 2 == 0 ? most - 1 : most
    let left = column + (end - column - RingDial.columns(rows: ringRows)) / 2
    let top = Self.mapRow + (rows - ringRows) / 2
    RingDial(
      glyphs: glyphs, ring: view.progress.ring, now: view.progress.bearingNow, goal: view.target.bin
    ).draw(on: &canvas, left, top, rows: ringRows)
    let centre = (x: left + ringRows - 1, y: top + (ringRows - 1) / 2)
    canvas.write("turned level", around: centre.x, centre.y - 2, .label)
    canvas.write(
      view.words.wholeDegrees(view.progress.ring.visitedTurn), around: centre.x, centre.y - 1,
      .strong)
    canvas.write("level error", around: centre.x, centre.y + 1, .label)
    canvas.write(
      view.words.error(view.progress.levelError), around: centre.x, centre.y + 2,
      ErrorClass(oneSigma: view.progress.levelError).wordRole)
  }

  /// The legend of the glyphs.
  private func drawLegend(on canvas: inout Canvas, _ column: Int, _ row: Int) {
    var x = column
    for quality in ErrorClass.allCases {
      let sample = String(repeating: Character(glyphs.filling(quality)), count: 2)
      canvas.write(sample, x, row, quality.role)
      let name = quality == .unknown ? "not known" : quality.rawValue
      canvas.write(name, x + 3, row, .label)
      x += name.count + 6
    }
    let half = "\(glyphs.filling(.good)) "
    canvas.write(half, column, row + 1, ErrorClass.good.role)
    canvas.write("half: not been there", column + 3, row + 1, .label)
    canvas.write("[]", column + 26, row + 1, .accent)
    canvas.write("now", column + 29, row + 1, .label)
    canvas.write("><", column + 35, row + 1, .strong)
    canvas.write("go there", column + 38, row + 1, .label)
  }

  private func drawFigures(_ view: View, on canvas: inout Canvas, _ row: Int) {
    let (words, quality) = (view.words, view.quality)
    let progress = view.progress
    let isKnown = ErrorClass(oneSigma: progress.error) != .unknown
    let error = isKnown ? words.digits(progress.error) : "---"
    let digits = BigDigits(glyphs: glyphs)
    digits.draw(error, rows: 3, on: &canvas, 2, row, quality.role)
    let column = 2 + max(16, digits.width(error, rows: 3) + 3)
    let label =
      switch progress.use {
      case .anyAttitude: "worst error predicted up to 45\(words.degree) of tilt:"
      case .level: "level use, error predicted while level:"
      }
    canvas.write(
      items: [(label, .label), (words.name(quality), quality.wordRole)], column, row,
      until: canvas.columns)
    canvas.write(words.meaning(quality, for: progress.use), column, row + 1)
    let last: [(String, Role)] =
      switch progress.use {
      case .anyAttitude:
        [
          ("seen", .label), (words.percent(progress.sphere.visitedShare), .plain),
          ("of all tilts", .label),
        ]
      case .level:
        [
          ("tilted by 45\(words.degree):", .label),
          (words.error(progress.worstError), ErrorClass(oneSigma: progress.worstError).wordRole),
        ]
      }
    canvas.write(items: last, column, row + 2, until: canvas.columns, gap: 1)
  }
}
