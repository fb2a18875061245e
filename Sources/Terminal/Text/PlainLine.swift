import Quantities

/// One line of text for each estimate, for a pipe, a file or a terminal without cursor control.
///
/// Every figure has its own column, so that lines of one stream stand under each other; what is not
/// known is a dash. With a width, the least important columns are left out until the line fits.
public struct PlainLine: Sendable {
  private let figures: Figures
  private let width: Int?

  /// A column of a line: the larger its rank, the earlier it is left out.
  private struct Column {
    var text: String
    var rank: Int
  }

  /// Makes a writer of lines.
  /// - Parameters:
  ///   - isASCII: True where the locale is not UTF-8.
  ///   - width: Columns of the terminal that shows the lines; nil for lines of any length.
  public init(isASCII: Bool = false, width: Int? = nil) {
    figures = Figures(isASCII: isASCII)
    self.width = width
  }

  /// The line of `lodestar heading`.
  public func heading(_ estimate: Estimate) -> String {
    let level = estimate.levelDegrees
    let degree = figures.degree
    let turn = figures.signed(estimate.rateOfTurn?.degreesPerSecond, decimals: 1)
    let altitude = figures.number(estimate.altitudeMetres, decimals: 1)
    let disturbance = estimate.disturbance?.rawValue ?? figures.unknown
    return join(
      estimate,
      [
        Column(
          text: "magnetic " + padded(figures.direction(estimate.magneticHeading?.angle), 5, degree),
          rank: 0),
        Column(
          text: "true " + padded(figures.direction(estimate.trueHeading?.angle), 5, degree), rank: 1
        ),
        Column(
          text: accuracyColumn(figures.accuracy(estimate.headingAccuracy), width: 4, unit: degree),
          rank: 2),
        Column(
          text: "roll " + padded(figures.signed(level?.roll, decimals: 1), 5, degree), rank: 6),
        Column(
          text: "pitch " + padded(figures.signed(level?.pitch, decimals: 1), 5, degree), rank: 7),
        Column(text: "turn " + padded(turn, 5, degree + "/s"), rank: 8),
        Column(text: "alt " + padded(altitude, 6, " m"), rank: 10),
        Column(text: place(estimate), rank: 9),
        Column(text: figures.words(estimate.fixKind).trailing(Self.fixWidth), rank: 11),
        Column(text: disturbance.trailing(Self.disturbanceWidth), rank: 4),
        Column(text: figures.words(estimate.calibration), rank: 5),
      ])
  }

  /// The line of `lodestar location`.
  public func location(_ estimate: Estimate) -> String {
    let speed = estimate.speedMetresPerSecond
    let satellites = estimate.satellitesUsed.map { String($0) } ?? figures.unknown
    let altitude = padded(figures.number(estimate.altitudeMetres, decimals: 1), 6, " m")
    let altitudeAccuracy = accuracyColumn(
      figures.accuracy(metres: estimate.verticalAccuracyMetres), width: 4, unit: " m")
    let climb = figures.signed(estimate.verticalSpeedMetresPerSecond, decimals: 1)
    let knots = padded(figures.number(Figures.knots(speed), decimals: 1), 5, " kn")
    let heading = figures.direction(estimate.trueHeading?.angle)
    return join(
      estimate,
      [
        Column(text: place(estimate), rank: 0),
        Column(text: "alt " + altitude + " " + altitudeAccuracy, rank: 5),
        Column(text: "climb " + padded(climb, 5, " m/s"), rank: 8),
        Column(
          text: "speed " + padded(figures.number(speed, decimals: 1), 5, " m/s") + " " + knots,
          rank: 4),
        Column(
          text: "course " + padded(figures.direction(estimate.course), 5, figures.degree), rank: 6),
        Column(text: "heading " + padded(heading, 5, figures.degree + " true"), rank: 9),
        Column(text: figures.words(estimate.fixKind).trailing(Self.fixWidth), rank: 2),
        Column(text: satellites.leading(2) + " satellites", rank: 7),
      ])
  }

  // The longest words of FixKind and DisturbanceState.
  private static let fixWidth = 14
  private static let disturbanceWidth = 10
  private static let gap = "  "
  /// The date is left out after the figures that a command is about.
  private static let dateRank = 3

  private func join(_ estimate: Estimate, _ columns: [Column]) -> String {
    var all: [Column] = []
    if estimate.isSimulated { all.append(Column(text: "SIMULATED", rank: -1)) }
    if let date = figures.date(estimate.utc), let time = figures.timeOfDay(estimate.utc) {
      all.append(Column(text: date, rank: Self.dateRank))
      all.append(Column(text: time + " UTC", rank: -1))
    } else {
      // A stream without civil time still has an order: seconds on the recording's or machine's
      // clock.
      let seconds = figures.number(estimate.timestamp.seconds, decimals: 1)
      all.append(Column(text: seconds.map { $0.leading(8) + " s" } ?? figures.unknown, rank: -1))
    }
    all += columns
    if let width { Self.shorten(&all, to: width) }
    return all.map(\.text).joined(separator: Self.gap)
  }

  /// Leaves columns out, the largest rank first, until the line fits.
  private static func shorten(_ columns: inout [Column], to width: Int) {
    func length() -> Int {
      columns.reduce(-gap.count) { $0 + gap.count + $1.text.count }
    }
    while length() > width {
      let least = columns.indices.max { columns[$0].rank < columns[$1].rank }
      guard let least, columns[least].rank > 0 else { return }
      columns.remove(at: least)
    }
  }

  /// The figure to the right of its column with its unit; a lone dash keeps the column's width.
  private func padded(_ text: String?, _ width: Int, _ unit: String) -> String {
    guard let text else { return figures.unknown.leading(width).trailing(width + unit.count) }
    return text.leading(width) + unit
  }

  private func accuracyColumn(_ text: String?, width: Int, unit: String) -> String {
    let full = figures.plusMinus.count + width + unit.count
    return (text ?? figures.plusMinus + " " + figures.unknown).trailing(full)
  }

  private func place(_ estimate: Estimate) -> String {
    let latitude = figures.decimalLatitude(estimate.position?.latitude)
    let longitude = figures.decimalLongitude(estimate.position?.longitude)
    let accuracy = accuracyColumn(
      figures.accuracy(metres: estimate.horizontalAccuracyMetres), width: 4, unit: " m")
    guard let latitude, let longitude else {
      return "position \(figures.unknown)".trailing(22) + " " + accuracy
    }
    return latitude + " " + longitude + " " + accuracy
  }
}
