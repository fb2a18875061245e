import Quantities

extension RecordingAnalysis {
  /// The rate of turn.
  package var turnSection: ReportSection {
    guard let fastest = turn.fastest, let range = turn.series.range else {
      return .leftOut(
        .turn,
        hasGyroscope
          ? "no rate of turn was estimated"
          : "the recording has no gyroscope, so no rate of turn is known")
    }
    let slow = turn.magnitude.share(below: 1)
    let usual = turn.magnitude.quantile(0.95)
    let side =
      abs(fastest.rate) < 0.05 ? "" : fastest.rate > 0 ? " to the right" : " to the left"
    var section = ReportSection(
      .turn,
      "The fastest turn was \(FigureText.fixed(abs(fastest.rate), 1))°/s\(side), \(TimeText.after(fastest.time)); for 95 % of the time it was slower than \(FigureText.fixed(usual, 1))°/s, and for \(FigureText.percent(slow)) slower than 1°/s."
    )
    section.figures = [
      ReportFigure("fastest_deg_s", fastest.rate, 3),
      ReportFigure("fastestAt_s", fastest.time, 3),
      ReportFigure("magnitude95_deg_s", usual, 3),
      ReportFigure("shareBelow1_deg_s", slow, 4),
    ]
    section.plots = [
      Plot(
        "Rate of turn, °/s, clockwise", x: .time(seconds),
        y: .linear(range, least: 2, hasZero: true),
        marks: [Plot.Mark(.lines(turn.series.lines), .first)])
    ]
    return section
  }

  /// Roll and pitch.
  package var tiltSection: ReportSection {
    guard let greatest = tilt.greatest, let rolls = tilt.roll.range, let pitches = tilt.pitch.range
    else {
      return .leftOut(
        .tilt,
        hasAccelerometer
          ? "the level was not known at any time"
          : "the recording has no accelerometer, so the level is not known")
    }
    let usual = tilt.tilt.quantile(0.95)
    var section = ReportSection(
      .tilt,
      "The tilt from level was at most \(FigureText.fixed(greatest.degrees, 1))°, \(TimeText.after(greatest.time)), and below \(FigureText.fixed(usual, 1))° for 95 % of the time; in the median the roll was \(FigureText.fixed(tilt.rolls.median, 1))° (positive with the right side down) and the pitch \(FigureText.fixed(tilt.pitches.median, 1))° (positive with the front up)."
    )
    section.figures = [
      ReportFigure("tiltGreatest_deg", greatest.degrees, 2),
      ReportFigure("tiltGreatestAt_s", greatest.time, 3),
      ReportFigure("tilt95_deg", usual, 2),
      ReportFigure("rollMedian_deg", tilt.rolls.median, 2),
      ReportFigure("pitchMedian_deg", tilt.pitches.median, 2),
    ]
    let all = min(rolls.lowerBound, pitches.lowerBound)...max(rolls.upperBound, pitches.upperBound)
    section.plots = [
      Self.angles(
        "Degrees",
        [
          Plot.Mark(.lines(tilt.roll.lines), .first, "roll"),
          Plot.Mark(.lines(tilt.pitch.lines), .second, "pitch"),
        ], all, margin: 0, circle: -180...180, seconds: seconds)
    ]
    return section
  }
}
