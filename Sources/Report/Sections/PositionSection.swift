import Quantities

extension RecordingAnalysis {
  /// The way over ground and the accuracy of the place.
  package var positionSection: ReportSection {
    guard let ranges = position.ranges else {
      return .leftOut(.position, "the recording has no place")
    }
    var section = ReportSection(.position, sentence)
    let back = position.longestReturn
    section.figures = [
      ReportFigure("way_m", position.metres, 1),
      ReportFigure("fastest_m_s", position.fastest, 2),
      ReportFigure("accuracyMedian_m", position.radius.median, 2),
      ReportFigure("accuracy95_m", position.radius.quantile(0.95), 2),
      ReportFigure("outages", Double(position.reckoned.count), 0),
      ReportFigure("longestOutage_s", back?.seconds, 1),
      ReportFigure("returned_m", back?.metres, 1),
      ReportFigure("stated_m", back?.stated, 1),
    ]
    section.plots = [way(ranges.east, ranges.north)]
    guard let accuracy = position.accuracy.range else { return section }
    var marks = [Plot.Mark(.lines(position.accuracy.lines), .first)]
    if position.reckoned.count > 0 {
      marks.insert(
        Plot.Mark(.spans(position.reckoned.spans), .disturbed, "dead reckoning"), at: 0)
    }
    section.plots.append(
      Plot(
        "Accuracy of the place, metres (68 %)", x: .time(seconds),
        y: .linear(accuracy, least: 4, hasZero: true), marks: marks))
    return section
  }

  private var sentence: String {
    var text = "The way was \(FigureText.length(position.metres)) long"
    if let fastest = position.fastest {
      text += ", at most at \(FigureText.fixed(fastest, 1)) m/s"
    }
    if let median = position.radius.median {
      text +=
        "; the place was known to \(FigureText.fixed(median, 1)) m (radius of 68 %, median)"
    }
    guard let back = position.longestReturn else {
      return text + (position.reckoned.count > 0 ? ", at the end by dead reckoning." : ".")
    }
    text +=
      "; in \(FigureText.count(position.reckoned.count, "outage", "outages")) of the receiver it was dead reckoning, and the first fix after the longest, \(TimeText.text(back.seconds)), was \(FigureText.fixed(back.metres, 1)) m from it"
    if back.stated.isFinite {
      text += " where \(FigureText.fixed(back.stated, 1)) m were stated"
    }
    return text + "."
  }

  /// The way, with the same scale on both axes.
  private func way(_ east: ClosedRange<Double>, _ north: ClosedRange<Double>) -> Plot {
    // The noise of a receiver at rest fills the plot as a way does.
    let width = max(east.upperBound - east.lowerBound, 2)
    let height = max(north.upperBound - north.lowerBound, 2)
    let across = max(width, height)
    let upwards = max(height, 0.4 * across)
    func range(_ values: ClosedRange<Double>, _ length: Double) -> ClosedRange<Double> {
      let middle = (values.lowerBound + values.upperBound) / 2
      return (middle - length / 2)...(middle + length / 2)
    }
    var marks = [Plot.Mark(.lines(position.lines(reckoned: false)), .first, "fixes")]
    let reckoned = position.lines(reckoned: true)
    if !reckoned.isEmpty {
      marks.append(Plot.Mark(.lines(reckoned), .second, "dead reckoning"))
    }
    var x = PlotAxis.linear(range(east, across))
    x.label = "metres east of the begin"
    var plot = Plot(
      "The way, metres north of the begin", x: x, y: .linear(range(north, upwards)), marks: marks)
    plot.aspect = upwards / across
    return plot
  }
}
