import Quantities
import RealModule

extension RecordingAnalysis {
  private struct Entry {
    let sensor: Sensor
    let intervals: SensorIntervals
    let median, rate, jitter: Double
  }

  /// The rates of the sensors, their gaps and jitter.
  package var sensorsSection: ReportSection {
    let entries = Sensor.allCases.compactMap { sensor -> Entry? in
      guard let found = intervals(of: sensor), let median = found.median, let rate = found.rate,
        let jitter = found.jitter
      else { return nil }
      return Entry(sensor: sensor, intervals: found, median: median, rate: rate, jitter: jitter)
    }
    guard !entries.isEmpty else {
      return .leftOut(.sensors, "no sensor has two samples at different times")
    }
    let rates = entries.map { "\(FigureText.significant($0.rate)) (\($0.sensor.name))" }
    var sentence = "Samples came at " + rates.joined(separator: ", ") + " a second on average; "
    let factor = FigureText.fixed(SensorIntervals.gapFactor, 1)
    let worst = entries.filter { $0.intervals.gaps.count > 0 }
      .max { ($0.intervals.longest?.seconds ?? 0) < ($1.intervals.longest?.seconds ?? 0) }
    let gaps = entries.reduce(0) { $0 + $1.intervals.gaps.count }
    if let worst, let longest = worst.intervals.longest {
      sentence +=
        "there \(gaps == 1 ? "was 1 gap" : "were \(gaps) gaps") longer than \(factor) usual intervals, \(gaps == 1 ? "" : "the longest ")of \(TimeText.text(longest.seconds)) in the samples of the \(worst.sensor.name) \(TimeText.after(longest.from))"
    } else {
      sentence += "no interval was longer than \(factor) usual ones"
    }
    let disordered = entries.reduce(0) { $0 + $1.intervals.disordered }
    if disordered > 0 {
      sentence +=
        ", and \(FigureText.count(disordered, "sample")) had the time of an earlier one or a time before it"
    }
    var section = ReportSection(.sensors, sentence + ".")
    section.figures = entries.flatMap { entry -> [ReportFigure] in
      let keys = Self.keys(entry.sensor)
      return [
        ReportFigure(keys.rate, entry.rate, 3), ReportFigure(keys.jitter, entry.jitter * 1e3, 4),
        ReportFigure(keys.gaps, Double(entry.intervals.gaps.count), 0),
        ReportFigure(keys.longest, entry.intervals.longest?.seconds, 4),
      ]
    }
    section.table = [["Sensor", "1/s", "usual ms", "jitter ms", "gaps"]]
    section.table += entries.map { entry in
      [
        entry.sensor.name, FigureText.significant(entry.rate), Self.milliseconds(entry.median),
        Self.milliseconds(entry.jitter), "\(entry.intervals.gaps.count)",
      ]
    }
    section.plots = plots(entries)
    return section
  }

  private static func milliseconds(_ seconds: Double) -> String {
    seconds < 1e-6 ? "< 0.001" : FigureText.significant(seconds * 1e3, seconds < 1e-3 ? 2 : 3)
  }

  private static func keys(
    _ sensor: Sensor
  ) -> (rate: StaticString, jitter: StaticString, gaps: StaticString, longest: StaticString) {
    switch sensor {
    case .inertialUnit:
      ("inertialRate_Hz", "inertialJitter_ms", "inertialGaps", "inertialLongest_s")
    case .magnetometer: ("fieldRate_Hz", "fieldJitter_ms", "fieldGaps", "fieldLongest_s")
    case .barometer:
      ("pressureRate_Hz", "pressureJitter_ms", "pressureGaps", "pressureLongest_s")
    case .receiver: ("receiverRate_Hz", "receiverJitter_ms", "receiverGaps", "receiverLongest_s")
    case .compass: ("compassRate_Hz", "compassJitter_ms", "compassGaps", "compassLongest_s")
    }
  }

  /// One plot for each sensor, below each other.
  private func plots(_ entries: [Entry]) -> [Plot] {
    let colours: [Plot.Colour] = [.first, .second, .third, .fourth, .fifth]
    return entries.enumerated().map { index, entry in
      // Logarithms of milliseconds.
      let lines = entry.intervals.series.lines.map { line in
        line.map { PlotPoint(x: $0.x, y: $0.y + 3) }
      }
      let range = entry.intervals.series.range ?? 0...1
      var plot = Plot(
        "Interval, ms: \(entry.sensor.name)", x: .time(seconds),
        y: .logarithmic((range.lowerBound + 3)...(range.upperBound + 3)),
        marks: [Plot.Mark(.lines(lines), colours[entry.sensor.rawValue])])
      plot.aspect = 0.22
      if index + 1 < entries.count { plot.x.label = "" }
      return plot
    }
  }
}
