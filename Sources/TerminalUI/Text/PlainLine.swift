import Quantities

/// One line of text for each estimate, for a pipe, a file or a dumb terminal.
///
/// Every figure has its own column, so that lines of one stream stand under each other; what is not
/// known is a dash.
public struct PlainLine: Sendable {
  private let figures: Figures

  /// Chooses the characters: ASCII where the locale is not UTF-8.
  public init(isASCII: Bool = false) { figures = Figures(isASCII: isASCII) }

  /// The line of `lodestar heading`.
  public func heading(_ estimate: Estimate) -> String {
    let level = estimate.levelDegrees
    let degree = figures.degree
    return join(
      estimate,
      [
        "magnetic " + padded(figures.direction(estimate.magneticHeading?.angle), 5, degree),
        "true " + padded(figures.direction(estimate.trueHeading?.angle), 5, degree),
        accuracyColumn(figures.accuracy(estimate.headingAccuracy), width: 4, unit: degree),
        "roll " + padded(figures.signed(level?.roll, decimals: 1), 5, degree),
        "pitch " + padded(figures.signed(level?.pitch, decimals: 1), 5, degree),
        "turn "
          + padded(
            figures.signed(estimate.rateOfTurn?.degreesPerSecond, decimals: 1), 5, degree + "/s"),
        "alt " + padded(figures.number(estimate.altitudeMetres, decimals: 1), 6, " m"),
        place(estimate),
        figures.words(estimate.fixKind).trailing(Self.fixWidth),
        (estimate.disturbance?.rawValue ?? figures.unknown).trailing(Self.disturbanceWidth),
        figures.words(estimate.calibration),
      ])
  }

  /// The line of `lodestar location`.
  public func location(_ estimate: Estimate) -> String {
    let speed = estimate.speedMetresPerSecond
    let satellites = estimate.satellitesUsed.map { String($0) }
    return join(
      estimate,
      [
        place(estimate),
        "alt " + padded(figures.number(estimate.altitudeMetres, decimals: 1), 6, " m") + " "
          + accuracyColumn(
            figures.accuracy(metres: estimate.verticalAccuracyMetres), width: 4, unit: " m"),
        "climb "
          + padded(figures.signed(estimate.verticalSpeedMetresPerSecond, decimals: 1), 5, " m/s"),
        "speed " + padded(figures.number(speed, decimals: 1), 5, " m/s") + " "
          + padded(figures.number(Figures.knots(speed), decimals: 1), 5, " kn"),
        "course " + padded(figures.direction(estimate.course), 5, figures.degree),
        "heading "
          + padded(figures.direction(estimate.trueHeading?.angle), 5, figures.degree + " true"),
        figures.words(estimate.fixKind).trailing(Self.fixWidth),
        (satellites ?? figures.unknown).leading(2) + " satellites",
      ])
  }

  // The longest words of FixKind and DisturbanceState.
  private static let fixWidth = 14
  private static let disturbanceWidth = 10

  private func join(_ estimate: Estimate, _ columns: [String]) -> String {
    // A stream without civil time still has an order: seconds on the recording's or machine's clock.
    let clock =
      figures.timeOfDay(estimate.utc)
      ?? figures.number(estimate.timestamp.seconds, decimals: 1).map { $0.leading(8) + " s" }
    let line = ([clock ?? figures.unknown] + columns).joined(separator: "  ")
    return (estimate.isSimulated ? "SIMULATED  " : "") + line
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
