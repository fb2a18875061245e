import CalibrationFit
import JSON
import LinuxIO
import Pipeline
import Quantities
import Servers

/// A deviation table in the form that is usual on ships, with its curve beside the figures.
struct DeviationText {
  private let table: DeviationTable
  private let yaw: BoardYaw?
  private let card: DeviationCard?
  /// The card that the table would replace, which may be none; nil for a table that replaces none.
  private let replaced: DeviationCard??

  /// The text of a new table.
  init(_ table: DeviationTable, _ yaw: BoardYaw? = nil, replaces old: DeviationCard?? = nil) {
    (self.table, self.yaw, card, replaced) = (table, yaw, nil, old)
  }

  /// The text of a stored one.
  init(_ card: DeviationCard) {
    (table, yaw, self.card, replaced) = (card.table, nil, card, nil)
  }

  private var old: DeviationTable? { replaced??.table }
  private var changes: [Angle] { table.changes(from: old) }

  // MARK: Lines

  /// The lines for people.
  var lines: [String] {
    var lines = card.map { [Self.origin(of: $0) + "."] } ?? []
    let reach = curveReach
    var head = "compass  deviation  left  sigma"
    if replaced != nil { head += "  stored  change" }
    lines.append(head + "   " + Self.scale(reach))
    for (row, change) in zip(table.rows, changes) {
      var line =
        Self.cell("\(Int(bounded: row.compassHeading.degrees.rounded()))", 7)
        + Self.cell(Self.signed(row.before), 11)
        + Self.cell(row.after.map { Self.signed($0) } ?? "-", 6)
        + Self.cell(row.sigma.map { OutcomeText.rounded($0.degrees, 1) } ?? "-", 7)
      let stored = old?.deviation(forCompassHeading: row.compassHeading)
      if replaced != nil {
        line +=
          Self.cell(stored.map { Self.signed($0) } ?? "-", 8) + Self.cell(Self.signed(change), 8)
      }
      lines.append(line + "   " + Self.curve(row, stored, reach))
    }
    lines.append(
      "degrees, east positive; * deviation, - within one sigma" + (old == nil ? "" : ", o stored"))
    let c = table.coefficients
    let named = [("A", c.a), ("B", c.b), ("C", c.c), ("D", c.d), ("E", c.e)]
    lines.append(
      "coefficients  " + named.map { "\($0.0) \(Self.signed($0.1))" }.joined(separator: "  "))
    if let yaw {
      lines.append(
        "the board is turned \(Self.signed(yaw.angle)) degrees against the bow by course, sigma "
          + OutcomeText.rounded(yaw.sigma.degrees, 1))
    }
    return lines + replacement
  }

  /// What is replaced, and the largest change.
  private var replacement: [String] {
    guard let replaced else { return [] }
    let before = replaced.map { "stored is \(Self.origin(of: $0))" } ?? "no deviation is stored"
    let largest = zip(table.rows, changes).max { abs($0.1.radians) < abs($1.1.radians) }
    guard let (row, change) = largest else { return [before] }
    let heading = Int(bounded: row.compassHeading.degrees.rounded())
    return [
      before, "largest change \(Self.signed(change)) degrees, on compass heading \(heading)",
    ]
  }

  private static func origin(of card: DeviationCard) -> String {
    var parts = [card.origin == .course ? "a deviation from course over ground" : "a compass swing"]
    parts.append(
      "made \(card.made.rounded(toNanoseconds: 1_000_000_000).text())"
        + (age(of: card).map { ", \($0) ago" } ?? ""))
    if let legs = card.legs { parts.append("straight legs on \(legs) of 24 headings") }
    if card.origin == .course {
      parts.append("covering \(OutcomeText.rounded(card.coverage.degrees, 0)) degrees")
    }
    if let sigma = card.sigma {
      parts.append("sigma up to \(OutcomeText.rounded(sigma.degrees, 1)) degrees")
    }
    return parts.joined(separator: ", ")
  }

  private static func age(of card: DeviationCard) -> String? {
    guard let now = SystemClock.civilTime else { return nil }
    let seconds = now.seconds(since: card.made)
    guard seconds >= 0 else { return nil }
    if seconds < 7200 { return "\(Int(bounded: seconds / 60)) min" }
    let hours = Int(bounded: seconds / 3600)
    return hours < 48 ? "\(hours) h" : "\(hours / 24) days"
  }

  // MARK: The curve

  /// Columns to each side of zero.
  private static let curveHalf = 12

  /// The deviation at the ends of the curve, whole degrees.
  private var curveReach: Double {
    let all =
      table.rows.map { abs($0.before.degrees) } + (old?.rows ?? []).map { abs($0.before.degrees) }
    return max(5, (all.max() ?? 0).rounded(.up))
  }

  private static func scale(_ reach: Double) -> String {
    let end = "\(Int(bounded: reach))"
    let left = "-" + end
    let right = "+" + end
    return left + String(repeating: " ", count: curveHalf - left.count) + "0"
      + String(repeating: " ", count: curveHalf - right.count) + right
  }

  private static func curve(
    _ row: DeviationTable.Row, _ stored: Angle?, _ reach: Double
  ) -> String {
    var cells = [Character](repeating: " ", count: 2 * curveHalf + 1)
    func column(_ angle: Angle) -> Int {
      let offset = Int(bounded: (angle.degrees / reach * Double(curveHalf)).rounded())
      return min(2 * curveHalf, max(0, curveHalf + offset))
    }
    if let sigma = row.sigma {
      for x in column(row.before - sigma)...column(row.before + sigma) { cells[x] = "-" }
    }
    cells[curveHalf] = "|"
    if let stored { cells[column(stored)] = "o" }
    cells[column(row.before)] = "*"
    while cells.last == " " { cells.removeLast() }
    return String(cells)
  }

  // MARK: JSON

  /// Each row as one JSON object.
  func objects(made: UTCTime?) -> [[UInt8]] {
    zip(table.rows, changes).map { row, change in
      JSONWriter.record(at: made) { json in
        DeviationJSON.add(row, to: &json)
        guard replaced != nil else { return }
        json.add(
          "stored", old?.deviation(forCompassHeading: row.compassHeading).degrees, decimals: 2)
        json.add("change", change.degrees, decimals: 2)
      }
    }
  }

  private static func signed(_ angle: Angle) -> String {
    (angle.degrees > 0 ? "+" : "") + OutcomeText.rounded(angle.degrees, 1)
  }

  private static func cell(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
