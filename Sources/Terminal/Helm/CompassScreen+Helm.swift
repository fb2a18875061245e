import Quantities

/// The helm view: the heading as large as the window permits, its state as plainly as the number,
/// and the turn to the course to steer.
extension CompassScreen {
  /// The turn at the ends of the bar, degrees.
  private static let steerReach = 30.0
  /// Half a tenth: a smaller difference is shown as zero, without a side.
  private static let onCourse = 0.05
  /// Rows from which the last one shows the keys.
  private static let fewestRowsWithKeys = 10

  func drawHelm(_ readings: Readings, on canvas: inout Canvas) {
    drawHeader(readings, on: &canvas)
    let state = HelmState(readings)
    let hasKeys = canvas.rows >= Self.fewestRowsWithKeys
    if hasKeys { drawHelmKeys(on: &canvas) }
    let words = canvas.rows - (hasKeys ? 2 : 1)
    drawHelmWords(readings, state, on: &canvas, words)
    // From row 2, with a free row above the words.
    var (top, end) = (2, words - (canvas.rows >= 16 ? 1 : 0))
    let room = end - top
    if course != nil {
      let rows = max(3, min(room / 3, 9))
      drawSteering(readings, state, on: &canvas, end - rows, rows: rows)
      end -= rows + (room >= 12 ? 1 : 0)
    }
    let blocks = BlockFigures(glyphs: glyphs)
    let width = canvas.columns - 2
    if state == .none {
      let isDrawn =
        end - top >= 3
        && blocks.draw(
          word: state.rawValue, on: &canvas, 0, top, columns: canvas.columns, rows: end - top,
          state.role)
      if !isDrawn {
        canvas.write(state.rawValue, around: canvas.columns / 2, min(top, canvas.rows - 1), .alarm)
      }
      return
    }
    if state != .live {
      let most = max(4, room / 4)
      if end - top >= 9,
        let rows = blocks.rows(ofWord: state.rawValue, columns: canvas.columns, rows: most)
      {
        blocks.draw(
          word: state.rawValue, on: &canvas, 0, end - rows, columns: canvas.columns, rows: rows,
          state.role)
        end -= rows + 1
      } else if state != .simulated {
        canvas.write(state.rawValue, around: canvas.columns / 2, 1, .alarm)
      }
    }
    let number = readings.figures.direction(readings.heading, padded: true) ?? ""
    if !blocks.draw(
      number, on: &canvas, 1, top, columns: width, rows: max(0, end - top), state.role)
    {
      top = min(top, canvas.rows - 1)
      canvas.write(number + readings.figures.degree, around: canvas.columns / 2, top, state.role)
    }
  }

  /// The north and the accuracy, or why there is no heading.
  private func drawHelmWords(
    _ readings: Readings, _ state: HelmState, on canvas: inout Canvas, _ row: Int
  ) {
    guard row > 0 else { return }
    var items: [(text: String, role: Role)] = []
    switch state {
    case .none: items = [(readings.missingHeading, .alarm)]
    case .contradicted:
      let reason = readings.contradiction ?? readings.estimate?.headingTrouble ?? ""
      items = [("do not steer by it: " + reason, .alarm)]
    case .late: items = [(readings.estimate?.headingTrouble ?? "", .caution)]
    case .inaccurate, .simulated, .live: break
    }
    if state != .none {
      items.append((readings.northWord, .strong))
      items.append((readings.accuracyWords, state == .inaccurate ? .caution : .plain))
    }
    canvas.write(items: items, 1, row, until: canvas.columns)
  }

  private func drawHelmKeys(on canvas: inout Canvas) {
    let other = north == .true ? "magnetic" : "true"
    let keys: [(key: String, action: String)]
    if typedCourse.isEmpty {
      keys = [
        ("q", "quit"), ("h", "compass"), ("t", other), ("s", "steer this"), ("000-359", "steer"),
        ("+ -", "1°"), ("x", "none"), ("c", "colours"),
      ]
    } else {
      let open = String(repeating: "_", count: 3 - typedCourse.count)
      keys = [("steer", typedCourse + open), ("x", "cancel")]
    }
    var x = 1
    for (key, action) in keys {
      let text = glyphs == .ascii ? action.replacing("°", with: "d") : action
      guard x + key.count + 1 + text.count < canvas.columns else { continue }
      canvas.write(key, x, canvas.rows - 1, .strong)
      canvas.write(text, x + key.count + 1, canvas.rows - 1, .label)
      x += key.count + text.count + 3
    }
  }

  // MARK: Steering

  /// Draws the course to steer at the left, the turn to it at the right, and a bar of it below.
  private func drawSteering(
    _ readings: Readings, _ state: HelmState, on canvas: inout Canvas, _ row: Int, rows: Int
  ) {
    guard let course else { return }
    let turn = state == .none ? nil : readings.turn(to: course)
    let shown = readings.shown(course)
    let barRows = rows >= 6 ? 2 : 1
    let figureRows = rows - barRows - 1
    let (figures, blocks) = (readings.figures, BlockFigures(glyphs: glyphs))
    let half = max(0, (canvas.columns - 3) / 2)
    let name =
      shown.north == north ? "steer" : "steer \(shown.north == .true ? "true" : "magnetic")"
    let text = figures.bearing(shown.degrees)
    let side = turn.map { abs($0) < Self.onCourse ? 0 : $0 } ?? 0
    let amount = turn.flatMap { figures.number(abs($0), decimals: abs($0) < 100 ? 1 : 0) }
    let words = side < 0 ? "turn left" : side > 0 ? "turn right" : turn == nil ? "" : "on course"
    let mark = side < 0 ? "<" : side > 0 ? ">" : ""
    let right = canvas.columns - 1 - half
    let isLarge = blocks.width(text, columns: half, rows: figureRows) != nil
    canvas.write(isLarge ? name : "\(name) \(text)", 1, row, .label)
    let small = amount.map { isLarge ? words : "\(words) \($0)" } ?? figures.unknown
    canvas.write(small, right, row, isLarge ? .label : .strong)
    if isLarge {
      blocks.draw(text, on: &canvas, 1, row + 1, columns: half, rows: figureRows, .plain)
      let turnText = mark == "<" ? mark + (amount ?? "---") : (amount ?? "---") + mark
      blocks.draw(
        turnText, on: &canvas, right, row + 1, columns: half, rows: figureRows, .strong)
    }
    for y in 0..<barRows { drawSteeringBar(side, on: &canvas, row + rows - barRows + y) }
  }

  /// A bar from the middle to the side of the turn, in proportion up to its end.
  private func drawSteeringBar(_ turn: Double, on canvas: inout Canvas, _ row: Int) {
    let half = max(0, (canvas.columns - 3) / 2)
    let middle = canvas.columns / 2
    canvas.fill(glyphs.horizontal, middle - half..<middle + half + 1, row, .faint)
    let share = min(1, abs(turn) / Self.steerReach)
    let length = turn == 0 ? 0 : max(1, Int(bounded: (share * Double(half)).rounded()))
    let block: Unicode.Scalar = glyphs == .ascii ? "#" : "█"
    let range = turn < 0 ? middle - length..<middle : middle + 1..<middle + 1 + length
    canvas.fill(block, range, row, .accent)
    canvas.put(glyphs.vertical, middle, row, .strong)
  }
}

extension Readings {
  /// The turn to a course, -180 up to 180 degrees, right positive; nil without the heading of the
  /// course's north.
  func turn(to course: CourseToSteer) -> Double? {
    let heading = course.north == .true ? trueHeading : magneticHeading
    guard let heading, heading.radians.isFinite else { return nil }
    return HeadingTape.difference(course.degrees, heading.degrees)
  }

  /// A course relative to the shown north, where both headings are known; else as it was set.
  func shown(_ course: CourseToSteer) -> CourseToSteer {
    guard course.north != north, let heading = headingDegrees, let turn = turn(to: course),
      let shown = CourseToSteer(degrees: heading + turn, north: north)
    else { return course }
    return shown
  }

  /// Why there is no heading.
  var missingHeading: String {
    if let staleness { return staleness }
    if north == .true, magneticHeading != nil {
      return "true north needs a position and a date; t shows magnetic north"
    }
    return estimate?.headingTrouble ?? "no compass has given a heading"
  }
}

extension Figures {
  /// A bearing in three figures.
  func bearing(_ degrees: Double) -> String {
    FixedPoint.zeroPadded(Int64(Int(bounded: degrees.rounded()) % 360), width: 3)
  }
}
