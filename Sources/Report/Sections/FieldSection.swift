import Quantities

extension RecordingAnalysis {
  /// The field's strength and dip against the magnetic model's.
  package var fieldSection: ReportSection {
    guard let median = field.strengths.median, let low = field.strengths.quantile(0.05),
      let high = field.strengths.quantile(0.95), let range = field.strength.range
    else { return .leftOut(.field, "the recording has no magnetic field") }
    let model = field.modelStrengths.mean
    var sentence =
      "The field's strength was \(FigureText.fixed(median, 1)) µT in the median (90 % of the time between \(FigureText.fixed(low, 1)) and \(FigureText.fixed(high, 1)))"
    if let dip = field.dips.median { sentence += " and its dip \(FigureText.fixed(dip, 1))°" }
    if let model, let dip = field.modelDips.mean {
      sentence +=
        ", where the World Magnetic Model has \(FigureText.fixed(model, 1)) µT and \(FigureText.fixed(dip, 1))°"
    } else {
      sentence += "; the magnetic model's is not known without a place and a date"
    }
    sentence += "; " + disturbanceClause
    if calibrationState == .uncalibrated {
      sentence += ", and as the field is not calibrated, it includes the iron of the board"
    } else if let first = calibrations.firstAt, first > 0 {
      sentence +=
        ", and up to the first calibration, \(TimeText.after(first)), it includes the iron of the board"
    }
    var section = ReportSection(.field, sentence + ".")
    let span = field.disturbed.longest
    section.figures = [
      ReportFigure("strengthMedian_uT", median, 2), ReportFigure("strength5_uT", low, 2),
      ReportFigure("strength95_uT", high, 2), ReportFigure("dipMedian_deg", field.dips.median, 2),
      ReportFigure("modelStrength_uT", model, 2),
      ReportFigure("modelDip_deg", field.modelDips.mean, 2),
      ReportFigure(
        "disturbedShare", field.judged > 0 ? field.disturbedSeconds / field.judged : nil, 4),
      ReportFigure("disturbedSpans", Double(field.disturbed.count), 0),
      ReportFigure("longestDisturbance_s", span.map { $0.upperBound - $0.lowerBound }, 3),
    ]
    section.plots = fieldPlots(range)
    return section
  }

  private var disturbanceClause: String {
    guard field.judged > 0 else { return "whether it was disturbed is not known" }
    let share = field.disturbedSeconds / field.judged
    guard field.disturbed.count > 0, let longest = field.disturbed.longest else {
      return "the filter never took it as disturbed"
    }
    let text =
      "the filter took it as disturbed for \(FigureText.percent(share)) of the time, in \(FigureText.count(field.disturbed.count, "span"))"
    return text
      + (field.disturbed.count == 1 ? " of " : ", the longest of ")
      + "\(TimeText.text(longest.upperBound - longest.lowerBound)) \(TimeText.after(longest.lowerBound))"
  }

  private func fieldPlots(_ range: ClosedRange<Double>) -> [Plot] {
    let time = PlotAxis.time(seconds)
    var bare = time
    bare.label = ""
    var strength: [Plot.Mark] = []
    var dip: [Plot.Mark] = []
    if !field.disturbed.spans.isEmpty {
      strength.append(Plot.Mark(.spans(field.disturbed.spans), .disturbed, "taken as disturbed"))
      dip.append(Plot.Mark(.spans(field.disturbed.spans), .disturbed))
    }
    strength.append(Plot.Mark(.lines(field.strength.lines), .first, "measured"))
    dip.append(Plot.Mark(.lines(field.dip.lines), .first))
    // A magnet held to the sensor would flatten all else: the peaks are cut then.
    let usual =
      field.strengths.range.map { _ in
        (field.strengths.quantile(0.01) ?? 0)...(field.strengths.quantile(0.99) ?? 0)
      } ?? range
    let span = max(4, usual.upperBound - usual.lowerBound)
    let shown = (usual.lowerBound - span)...(usual.upperBound + span)
    var strengths = range
    if range.upperBound - range.lowerBound > 4 * span {
      strengths =
        max(range.lowerBound, shown.lowerBound)...min(range.upperBound, shown.upperBound)
    }
    let isCut = range.upperBound > strengths.upperBound
    let title =
      isCut
      ? "Strength, µT (peaks to \(FigureText.fixed(range.upperBound, 0)) are cut)" : "Strength, µT"
    var dips = field.dip.range
    if let model = field.modelStrength.range, let modelDip = field.modelDip.range {
      strength.append(
        Plot.Mark(.dashed(field.modelStrength.lines), .reference, "World Magnetic Model"))
      dip.append(Plot.Mark(.dashed(field.modelDip.lines), .reference))
      strengths =
        min(strengths.lowerBound, model.lowerBound)...max(strengths.upperBound, model.upperBound)
      dips = dips.map {
        min($0.lowerBound, modelDip.lowerBound)...max($0.upperBound, modelDip.upperBound)
      }
    }
    var plots = [
      Plot(
        title, x: dips == nil ? time : bare, y: .linear(strengths, least: 4),
        marks: strength)
    ]
    if let dips {
      plots.append(Plot("Dip below level, °", x: time, y: .linear(dips, least: 4), marks: dip))
      for index in plots.indices { plots[index].aspect = 0.38 }
    }
    return plots
  }
}
