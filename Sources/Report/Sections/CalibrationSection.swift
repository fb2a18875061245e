import Quantities

extension RecordingAnalysis {
  /// The changes of the calibration with its predicted error.
  package var calibrationSection: ReportSection {
    guard isCalibrationKnown else {
      return .leftOut(.calibration, "the changes of the calibration are not known from this source")
    }
    guard intervals(of: .magnetometer) != nil else {
      return .leftOut(.calibration, "the recording has no magnetometer")
    }
    let entries = calibrations.entries
    guard calibrations.count > 0 else {
      let now = entries.last?.change
      let state =
        isAssumed
        ? "the field was taken as calibrated"
        : now?.calibration == nil
          ? "there was no calibration"
          : "one calibration was in use throughout, with a predicted heading error of \(now?.errorDegrees.map { FigureText.fixed($0, 1) + "°" } ?? FigureText.unknown)"
      return .leftOut(
        .calibration,
        "\(state), and \(isOnline.map { "the online calibration \($0 ? "found none" : "was off")" } ?? "it did not change")"
      )
    }
    let known = entries.filter { $0.change.errorDegrees != nil }
    var kinds: [String] = []
    for kind in [
      CalibrationLog.Change.Kind.committed, .stepped, .rolledBack, .refuted, .given,
    ] {
      let count = entries.count { $0.change.kind == kind }
      if count > 0 { kinds.append("\(count) \(kind.rawValue)") }
    }
    var sentence =
      "The calibration changed \(FigureText.count(calibrations.count, "time")) (\(kinds.joined(separator: ", ")))"
    if let first = known.first, let last = known.last, let begin = first.change.errorDegrees,
      let end = last.change.errorDegrees
    {
      sentence +=
        "; the predicted heading error, one sigma, was \(FigureText.fixed(begin, 1))° \(first.time > 0 ? "with the first, \(TimeText.after(first.time))," : "at the start") and \(FigureText.fixed(end, 1))° with the last known one, \(TimeText.after(last.time))"
    } else {
      sentence += "; its predicted heading error is not known"
    }
    if entries.last?.change.errorDegrees == nil {
      sentence += ", and not known at the end"
    }
    var section = ReportSection(.calibration, sentence + ".")
    section.figures = [
      ReportFigure("changes", Double(calibrations.count), 0),
      ReportFigure("firstAt_s", known.first?.time, 2),
      ReportFigure("firstError_deg", known.first?.change.errorDegrees, 2),
      ReportFigure("lastAt_s", known.last?.time, 2),
      ReportFigure("lastError_deg", known.last?.change.errorDegrees, 2),
    ]
    if let plot = Self.plot(calibrations, seconds) { section.plots = [plot] }
    return section
  }

  private static func plot(_ history: CalibrationHistory, _ seconds: Double) -> Plot? {
    var lines: [[PlotPoint]] = []
    var dots: [PlotPoint] = []
    var refuted: [ClosedRange<Double>] = []
    for (index, entry) in history.entries.enumerated() {
      let isNext = index + 1 < history.entries.count
      let end = isNext ? history.entries[index + 1].time : seconds
      if entry.change.kind == .refuted { refuted.append(entry.time...max(entry.time, end)) }
      guard let error = entry.change.errorDegrees else {
        lines.append([])
        continue
      }
      if lines.isEmpty { lines.append([]) }
      lines[lines.count - 1].append(PlotPoint(x: entry.time, y: error))
      lines[lines.count - 1].append(PlotPoint(x: max(entry.time, end), y: error))
      if entry.change.kind != .start { dots.append(PlotPoint(x: entry.time, y: error)) }
    }
    guard let most = lines.joined().map(\.y).max() else { return nil }
    let good = [PlotPoint(x: 0, y: 3), PlotPoint(x: seconds, y: 3)]
    var marks = [
      Plot.Mark(.dashed([good]), .reference, "limit of good"),
      Plot.Mark(.lines(lines), .first, "predicted error"),
      Plot.Mark(.dots(dots, radius: 2.5), .first, "change"),
    ]
    if !refuted.isEmpty { marks.insert(Plot.Mark(.spans(refuted), .disturbed, "refuted"), at: 0) }
    return Plot(
      "Predicted heading error, °, one sigma", x: .time(seconds),
      y: .linear(0...max(most, 3.5), hasZero: true), marks: marks)
  }
}
