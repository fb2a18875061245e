import Quantities
import RealModule

extension RecordingAnalysis {
  /// The shortest rest with a plot, s.
  private static let shortestRest = 5.0
  /// The fewest differences of a point that a sentence is based on: its error is then below 25 %.
  private static let fewestForWords = 9

  /// The Allan deviation of gyroscope and accelerometer where the board lay still.
  package var noiseSection: ReportSection {
    guard hasGyroscope || hasAccelerometer else {
      return .leftOut(.noise, "the recording has no inertial unit")
    }
    if let usual = intervals(of: .inertialUnit)?.median, usual > StillNoise.longestStep {
      return .leftOut(
        .noise,
        "the samples of the inertial unit are \(TimeText.text(usual)) apart, too far to tell rest from motion"
      )
    }
    let rate = noise.rate.points
    let force = noise.force.points
    let rest = max(noise.rate.duration, noise.force.duration)
    guard rest >= Self.shortestRest, rate.count + force.count > 3 else {
      return .leftOut(
        .noise,
        "the board did not lie still for \(FigureText.fixed(Self.shortestRest, 0)) s, not counting the first 3 s and the last second of each rest (\(rest > 0 ? "only for " + TimeText.text(rest) : "at no time"))"
      )
    }
    var clauses: [String] = []
    var section = ReportSection(.noise, "")
    section.figures = [
      ReportFigure("rest_s", rest, 3), ReportFigure("rests", Double(noise.rests), 0),
    ]
    if hasGyroscope, let summary = Summary(rate) {
      clauses.append(
        "of the gyroscope (axis \(summary.axis), the noisiest) \(summary.text("°/s"))")
      section.figures += [
        ReportFigure("rateAtOneSecond_deg_s", summary.atOneSecond, 7),
        ReportFigure("rateLeast_deg_s", summary.least.deviation, 7),
        ReportFigure("rateLeastAt_s", summary.least.seconds, 4),
      ]
      section.plots.append(Self.plot("Gyroscope, °/s", rate))
    }
    if hasAccelerometer, let summary = Summary(force) {
      clauses.append(
        "of the accelerometer (axis \(summary.axis), the noisiest) \(summary.text("m/s²"))")
      section.figures += [
        ReportFigure("forceAtOneSecond_m_s2", summary.atOneSecond, 7),
        ReportFigure("forceLeast_m_s2", summary.least.deviation, 7),
        ReportFigure("forceLeastAt_s", summary.least.seconds, 4),
      ]
      section.plots.append(Self.plot("Accelerometer, m/s²", force))
    }
    section.sentence =
      "Over \(TimeText.text(rest)) at rest the Allan deviation "
      + clauses.joined(separator: ", and ") + "."
    if section.plots.count == 2 { section.plots[0].x.label = "" }
    for index in section.plots.indices { section.plots[index].aspect = 0.42 }
    return section
  }

  /// What a sentence says of a deviation.
  private struct Summary {
    let axis: String
    /// Nil where the rests are too short for it.
    let atOneSecond: Double?
    let least: (deviation: Double, seconds: Double)
    private let isFalling: Bool

    init?(_ points: [AllanDeviation.Point]) {
      let sure = points.filter { $0.count >= RecordingAnalysis.fewestForWords }
      guard let first = sure.first else { return nil }
      let d = first.deviation
      let index = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2
      axis = ["x", "y", "z"][index]
      guard let best = sure.min(by: { $0.deviation[index] < $1.deviation[index] }) else {
        return nil
      }
      least = (best.deviation[index], best.seconds)
      isFalling = best.seconds == sure.last?.seconds
      // Between two points of the plot, along the line that is drawn.
      atOneSecond = zip(sure, sure.dropFirst()).first { $0.seconds <= 1 && $1.seconds >= 1 }.map {
        let part = -Double.log($0.seconds) / (Double.log($1.seconds) - Double.log($0.seconds))
        let (a, b) = ($0.deviation[index], $1.deviation[index])
        return a > 0 && b > 0 ? Double.exp(Double.log(a) * (1 - part) + Double.log(b) * part) : 0
      }
    }

    func text(_ unit: String) -> String {
      let second =
        atOneSecond.map { "\(FigureText.significant($0, 2)) \(unit) over 1 s and " } ?? ""
      let lowest =
        "\(FigureText.significant(least.deviation, 2)) \(unit) over \(TimeText.text(least.seconds))"
      return isFalling
        ? "is \(second)\(lowest), the longest time with a sure figure, where it still falls"
        : "is \(second)lowest with \(lowest)"
    }
  }

  private static func plot(_ title: String, _ points: [AllanDeviation.Point]) -> Plot {
    let colours: [Plot.Colour] = [.first, .second, .third]
    var marks: [Plot.Mark] = []
    var (low, high) = (Double.infinity, -Double.infinity)
    for (axis, name) in ["x", "y", "z"].enumerated() {
      let line = points.filter { $0.deviation[axis] > 0 }.map {
        PlotPoint(x: Double.log10($0.seconds), y: Double.log10($0.deviation[axis]))
      }
      guard !line.isEmpty else { continue }
      low = line.reduce(low) { min($0, $1.y) }
      high = line.reduce(high) { max($0, $1.y) }
      marks.append(Plot.Mark(.lines([line]), colours[axis], name))
      marks.append(Plot.Mark(.dots(line, radius: 1.8), colours[axis]))
    }
    let times = points.map { Double.log10($0.seconds) }
    var x = PlotAxis.logarithmic((times.min() ?? 0)...(times.max() ?? 1))
    x.label = "averaging time, s"
    return Plot(title, x: x, y: .logarithmic(low <= high ? low...high : 0...1), marks: marks)
  }
}
