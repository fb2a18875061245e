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
        "there \(gaps == 1 ? "was 1 gap" : "were \(gaps) gaps") longer than \(factor) usual intervals, \(gaps == 1 ? "" : "the longest ")of \(TimeText.text(longest.seconds)) in the samples of the \(worst.sensor.name) after \(TimeText.text(longest.from))"
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
    section.table = [["Sensor", "per second", "interval", "jitter", "gaps", "longest"]]
    section.table += entries.map { entry in
      [
        entry.sensor.name, FigureText.significant(entry.rate), Self.milliseconds(entry.median),
        Self.milliseconds(entry.jitter), "\(entry.intervals.gaps.count)",
        entry.intervals.longest.map { TimeText.text($0.seconds) } ?? "",
      ]
    }
    section.plots = [plot(entries)]
    return section
  }

  private static func milliseconds(_ seconds: Double) -> String {
    seconds == 0 ? "0 ms" : FigureText.significant(seconds * 1e3, 3) + " ms"
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

  private func plot(_ entries: [Entry]) -> Plot {
    let colours: [Plot.Colour] = [.first, .second, .third, .fourth, .fifth]
    var (low, high) = (Double.infinity, -Double.infinity)
    let marks = entries.map { entry in
      if let range = entry.intervals.series.range {
        (low, high) = (min(low, range.lowerBound), max(high, range.upperBound))
      }
      // In milliseconds.
      let lines = entry.intervals.series.lines.map { line in
        line.map { PlotPoint(x: $0.x, y: $0.y + 3) }
      }
      return Plot.Mark(.lines(lines), colours[entry.sensor.rawValue], entry.sensor.name)
    }
    let range = low <= high ? (low + 3)...(high + 3) : 0...1
    return Plot(
      "Interval between samples, ms (logarithmic)", x: .time(seconds), y: .logarithmic(range),
      marks: marks)
  }
}
