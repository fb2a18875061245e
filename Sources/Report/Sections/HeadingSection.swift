import Quantities

extension RecordingAnalysis {
  /// The heading with its accuracy, and the course over ground.
  package var headingSection: ReportSection {
    let shown = heading.shown
    let hasCourse = !shown.courses.isEmpty
    guard let range = shown.series.range else {
      guard hasCourse else {
        return .leftOut(
          .heading,
          "no heading was estimated, and there is no course over ground of \(FigureText.fixed(HeadingTrack.leastSpeed, 0)) m/s or more"
        )
      }
      var section = ReportSection(
        .heading,
        "No heading was estimated (\(rows == 0 ? "no samples" : missingForHeading)); the course over ground is the receiver's, from \(FigureText.count(heading.courses, "fix", "fixes")) at \(FigureText.fixed(HeadingTrack.leastSpeed, 0)) m/s or more."
      )
      section.figures = [ReportFigure("courses", Double(heading.courses), 0)]
      section.plots = [headingPlot(shown)]
      return section
    }
    let span = range.upperBound - range.lowerBound
    let north = heading.isTrue ? "true" : "magnetic"
    var sentence = inputSentence + tiltSentence + courseSentence
    sentence +=
      span >= 360
      ? "The \(north) heading went through the whole circle"
      : span < 1
        ? "The \(north) heading stayed at \(FigureText.direction((range.lowerBound + range.upperBound) / 2))"
        : "The \(north) heading stayed between \(FigureText.direction(range.lowerBound)) and \(FigureText.direction(range.upperBound))"
    let accuracy = shown.accuracy
    let known = shown.seconds > 0 ? accuracy.total / shown.seconds : accuracy.total > 0 ? 1 : 0
    if let median = accuracy.median, let worst = accuracy.range?.upperBound {
      sentence +=
        ", with a 95 % accuracy of \(FigureText.fixed(median, 1))° in the median and \(FigureText.fixed(worst, 1))° at worst"
      if known < 0.999_5 {
        sentence += " (not known for \(FigureText.percent(1 - known)) of the time)"
      }
    } else {
      sentence += ", with an accuracy that is not known"
      if calibrationState == .uncalibrated { sentence += ", as the field is not calibrated" }
    }
    sentence += "; " + courseClause(shown)
    var section = ReportSection(.heading, sentence + ".")
    section.figures = [
      ReportFigure("isTrue", heading.isTrue ? 1 : 0, 0),
      ReportFigure("span_deg", span, 2),
      ReportFigure("least_deg", range.lowerBound, 2),
      ReportFigure("greatest_deg", range.upperBound, 2),
      ReportFigure("accuracyMedian_deg", accuracy.median, 2),
      ReportFigure("accuracyWorst_deg", accuracy.range?.upperBound, 2),
      ReportFigure("accuracyKnownShare", known, 4),
      ReportFigure("headingShare", heading.seconds > 0 ? shown.seconds / heading.seconds : nil, 4),
      ReportFigure("compassContradiction_deg", heading.contradiction.median, 1),
      ReportFigure("tiltContradiction_deg", heading.tiltContradiction.median, 1),
      ReportFigure("courses", Double(heading.courses), 0),
      ReportFigure("courseLessHeadingMedian_deg", shown.difference.median, 2),
      ReportFigure("courseLessHeadingLower_deg", shown.difference.quantile(0.1), 2),
      ReportFigure("courseLessHeadingUpper_deg", shown.difference.quantile(0.9), 2),
    ]
    section.plots = [headingPlot(shown)]
    return section
  }

  /// The verdict on axes or a unit that cannot be right, first of all; empty where all may be.
  private var inputSentence: String {
    guard let fault = heading.inputFault else { return "" }
    return "No heading here can be trusted: \(fault); \(fault.remedy). "
  }

  /// The verdict on a tilt that contradicted gravity, first of all; empty where it did not.
  private var tiltSentence: String {
    guard let angle = heading.tiltContradiction.median else { return "" }
    return
      "The tilt contradicted gravity by \(FigureText.fixed(angle, 0))° and was reset: the gyroscope is faulty or has another scale, or an acceleration lasted for long. "
  }

  /// The verdict on a compass that contradicted the course; empty where it did not.
  private var courseSentence: String {
    let found = heading.contradiction
    guard let angle = found.median, heading.seconds > 0 else { return "" }
    return
      "The compass contradicted the course by \(FigureText.fixed(angle, 0))° for \(FigureText.percent(found.total / heading.seconds)) of the time: it is uncalibrated or disturbed, and the heading is that of the course where there is one. "
  }

  private var missingForHeading: String {
    intervals(of: .magnetometer) == nil ? "no magnetometer" : "the samples do not determine one"
  }

  private func courseClause(_ shown: HeadingTrack.North) -> String {
    let speed = FigureText.fixed(HeadingTrack.leastSpeed, 0) + " m/s"
    guard heading.fixes > 0 else { return "there is no receiver's course to compare it with" }
    guard heading.courses > 0 else {
      return "no fix has a course at \(speed) or more to compare it with"
    }
    guard let median = shown.difference.median, let lower = shown.difference.quantile(0.1),
      let upper = shown.difference.quantile(0.9)
    else { return "no fix with a course at \(speed) or more has a heading beside it" }
    guard heading.isTrue else {
      return
        "the course over ground, which is true, cannot be compared with it, as the declination is not known"
    }
    return
      "the course over ground is \(FigureText.side(median, 1)) of it in the median, and from \(FigureText.side(lower, 0)) to \(FigureText.side(upper, 0)) for 80 % of \(FigureText.count(Int(bounded: shown.difference.total), "fix", "fixes")) at \(speed) or more"
  }

  private func headingPlot(_ shown: HeadingTrack.North) -> Plot {
    var marks: [Plot.Mark] = []
    let bands = Self.bands(shown.lower, shown.upper)
    if !bands.isEmpty { marks.append(Plot.Mark(.bands(bands), .first, "95 % accuracy")) }
    if !shown.courses.isEmpty {
      marks.append(Plot.Mark(.dots(shown.courses, radius: 1.3), .second, "course over ground"))
    }
    if !shown.series.intervals.isEmpty {
      marks.append(Plot.Mark(.lines(shown.series.lines), .first, "heading"))
    }
    let title =
      "Degrees from \(heading.isTrue || shown.series.intervals.isEmpty ? "true" : "magnetic") north"
    var range = shown.series.range
    // A course is drawn within half a turn of the heading.
    if let low = shown.courses.map(\.y).min(), let high = shown.courses.map(\.y).max() {
      range = range.map { min($0.lowerBound, low)...max($0.upperBound, high) } ?? low...high
    }
    return Self.angles(
      title, marks, range, margin: min(20, shown.accuracy.median ?? 0),
      circle: 0...360, seconds: seconds)
  }

  /// Turns up to which an angle is drawn without jumps; above them it is folded into one circle.
  private static let mostTurns = 3.0

  /// A plot of an angle over time: its range, or a circle where it has many turns.
  static func angles(
    _ title: String, _ marks: [Plot.Mark], _ range: ClosedRange<Double>?, margin: Double,
    circle: ClosedRange<Double>, seconds: Double
  ) -> Plot {
    var plot = Plot(title, x: .time(seconds), y: .bare(circle), marks: marks)
    let span = range.map { $0.upperBound - $0.lowerBound + 2 * margin } ?? 360
    if let range, span < 360 * mostTurns {
      plot.y = .degrees(
        (range.lowerBound - margin)...(range.upperBound + margin),
        label: { value in
          let turns = ((value - circle.lowerBound) / 360).rounded(.down)
          return value - 360 * turns
        })
    } else {
      plot.y = .degrees(circle)
      plot.y.range = circle
      plot.y.ticks = stride(from: circle.lowerBound, through: circle.upperBound, by: 90).map {
        PlotAxis.Tick(value: $0, label: String($0, decimals: 0))
      }
    }
    plot.period = 360
    return plot
  }

  /// Areas between two series that were added to at the same instants.
  static func bands(
    _ lower: DecimatedSeries, _ upper: DecimatedSeries
  ) -> [(lower: [PlotPoint], upper: [PlotPoint])] {
    var bands: [(lower: [PlotPoint], upper: [PlotPoint])] = []
    for (below, above) in zip(lower.intervals, upper.intervals) {
      if bands.isEmpty || below.startsLine { bands.append(([], [])) }
      bands[bands.count - 1].lower.append(PlotPoint(x: below.first, y: below.low))
      bands[bands.count - 1].upper.append(PlotPoint(x: above.first, y: above.high))
      guard below.last > below.first else { continue }
      bands[bands.count - 1].lower.append(PlotPoint(x: below.last, y: below.low))
      bands[bands.count - 1].upper.append(PlotPoint(x: above.last, y: above.high))
    }
    return bands
  }
}
