import Quantities

extension RecordingAnalysis {
  /// The fused altitude against the receiver's.
  package var altitudeSection: ReportSection {
    guard let range = altitude.fused.range else { return pressureSection }
    var sentence =
      "The altitude above the sea was between \(FigureText.fixed(range.lowerBound, 1)) and \(FigureText.fixed(range.upperBound, 1)) m"
    if let sigma = altitude.sigma.median {
      sentence += ", known to \(FigureText.fixed(sigma, 1)) m (one sigma, median)"
    }
    let difference = altitude.difference
    if let median = difference.median, let low = difference.quantile(0.05),
      let high = difference.quantile(0.95)
    {
      sentence +=
        "; the receiver's differs from it by \(FigureText.fixed(median, 1)) m in the median and by \(FigureText.fixed(low, 1)) to \(FigureText.fixed(high, 1)) m for 90 % of \(FigureText.count(Int(bounded: difference.total), "fix", "fixes")), which is no independent check, as the altitude follows the receiver"
      if altitude.pressure.intervals.isEmpty { sentence += " alone, without a barometer" }
    } else {
      sentence +=
        hasFixes
        ? "; there is no receiver's altitude to compare it with"
        : "; the receiver's own is not known from the daemon"
    }
    var section = ReportSection(.altitude, sentence + ".")
    section.figures = [
      ReportFigure("least_m", range.lowerBound, 2),
      ReportFigure("greatest_m", range.upperBound, 2),
      ReportFigure("sigmaMedian_m", altitude.sigma.median, 2),
      ReportFigure("differenceMedian_m", difference.median, 2),
      ReportFigure("difference5_m", difference.quantile(0.05), 2),
      ReportFigure("difference95_m", difference.quantile(0.95), 2),
      ReportFigure("fixes", difference.total, 0),
    ]
    let sigma = altitude.sigma.median ?? 0
    var all = (range.lowerBound - sigma)...(range.upperBound + sigma)
    var marks = [
      Plot.Mark(.bands(Self.bands(altitude.lower, altitude.upper)), .first, "± one sigma")
    ]
    if let fixes = altitude.receiver.range {
      all = min(all.lowerBound, fixes.lowerBound)...max(all.upperBound, fixes.upperBound)
      let points = altitude.receiver.lines.flatMap { $0 }
      marks.append(Plot.Mark(.dots(points, radius: 1.2), .second, "receiver"))
    }
    marks.append(Plot.Mark(.lines(altitude.fused.lines), .first, "altitude"))
    section.plots = [
      Plot("Metres above the sea", x: .time(seconds), y: .linear(all, least: 4), marks: marks)
    ]
    return section
  }

  private var pressureSection: ReportSection {
    guard let range = altitude.pressure.range else {
      return .leftOut(.altitude, "the recording has neither a barometer nor a receiver's altitude")
    }
    var section = ReportSection(
      .altitude,
      "By the pressure the height moved between \(FigureText.fixed(range.lowerBound, 1)) and \(FigureText.fixed(range.upperBound, 1)) m from that of the begin, weather included; the altitude above the sea is not known, as there is no receiver's altitude and no --qnh."
    )
    section.figures = [
      ReportFigure("pressureLeast_m", range.lowerBound, 2),
      ReportFigure("pressureGreatest_m", range.upperBound, 2),
    ]
    section.plots = [
      Plot(
        "Metres from the begin, by pressure", x: .time(seconds), y: .linear(range, least: 2),
        marks: [Plot.Mark(.lines(altitude.pressure.lines), .first)])
    ]
    return section
  }
}
