import Quantities
import RealModule

extension RecordingAnalysis {
  /// The field in the sensor's axes before and after calibration, with the directions that
  /// occurred.
  package var sphereSection: ReportSection {
    guard let raw = Spread(sphere.raw) else {
      return .leftOut(.sphere, "the recording has no magnetic field")
    }
    let after = Spread(sphere.calibrated)
    var section: ReportSection
    if isAssumed {
      section = ReportSection(
        .sphere,
        "The field was taken as calibrated, as given: its strength is \(raw.text), where a calibrated and undisturbed one has one strength; \(coverageClause)."
      )
    } else if let after {
      section = ReportSection(
        .sphere,
        "As measured the strength is \(raw.text), and after the calibration in use \(after.text), where a calibrated and undisturbed field has one strength; \(coverageClause)."
      )
    } else {
      section = ReportSection(
        .sphere,
        "\(isCalibrationKnown ? "No calibration was in use" : "The calibration in use is not known here"): as measured the strength is \(raw.text), where a calibrated and undisturbed field has one strength."
      )
    }
    section.figures = [
      ReportFigure("rawMedian_uT", raw.median, 2), ReportFigure("raw5_uT", raw.low, 2),
      ReportFigure("raw95_uT", raw.high, 2),
      ReportFigure("calibratedMedian_uT", after?.median, 2),
      ReportFigure("calibrated5_uT", after?.low, 2),
      ReportFigure("calibrated95_uT", after?.high, 2),
      ReportFigure("coverage", sphere.coverage, 4),
    ]
    section.plots = spherePlots(raw, after)
    return section
  }

  /// The spread of the field's strength.
  private struct Spread {
    let median, low, high: Double

    init?(_ strengths: WeightedHistogram) {
      guard let median = strengths.median, let low = strengths.quantile(0.05),
        let high = strengths.quantile(0.95)
      else { return nil }
      (self.median, self.low, self.high) = (median, low, high)
    }

    var text: String {
      "between \(FigureText.fixed(low, 1)) and \(FigureText.fixed(high, 1)) µT for 90 % of the samples"
    }
  }

  private var coverageClause: String {
    guard let coverage = sphere.coverage else {
      return "the directions that occurred are not known"
    }
    return
      "of \(sphere.cells.count) equal parts of the sphere its direction was in \(sphere.cells.count { $0 > 0 }) (\(FigureText.percent(coverage)))"
  }

  private func spherePlots(_ raw: Spread, _ after: Spread?) -> [Plot] {
    var plots: [Plot] = []
    let hasBefore = !isAssumed
    // The sphere of an undistorted field, as far as it is known.
    let radius = field.modelStrengths.mean ?? after?.median ?? raw.median
    for (first, second, name) in [(0, 1, "x, y"), (0, 2, "x, z")] {
      if hasBefore {
        plots.append(
          SphereDrawing.plot(
            "Before, \(name), µT", sphere.samples.map(\.raw), first, second, radius: radius,
            colour: .second))
      }
      if after != nil {
        plots.append(
          SphereDrawing.plot(
            "\(hasBefore ? "After" : "As given"), \(name), µT",
            sphere.samples.compactMap(\.calibrated), first, second, radius: radius, colour: .first))
      }
    }
    for index in plots.indices { plots[index].columns = 2 }
    if sphere.coverage != nil { plots.append(SphereDrawing.coverage(sphere.cells)) }
    return plots
  }
}

/// Drawings of a field on its sphere.
enum SphereDrawing {
  /// Points seen along the third axis, with the circle of a strength.
  static func plot(
    _ title: String, _ points: [SIMD3<Double>], _ first: Int, _ second: Int, radius: Double,
    colour: Plot.Colour
  ) -> Plot {
    // The plots before and after the calibration show the offset: zero is always in the middle.
    let most = points.lazy.map { max(abs($0[first]), abs($0[second])) }.max() ?? radius
    let end = max(most, radius) * 1.05
    var axis = PlotAxis.linear(-end...end, count: 6)
    axis.range = -end...end
    // Beside another plot there is room for three labels.
    let last = axis.ticks.last?.value
    axis.ticks.removeAll { $0.value != 0 && abs($0.value) != last }
    var plot = Plot(
      title, x: axis, y: axis,
      marks: [
        Plot.Mark(
          .dots(points.map { PlotPoint(x: $0[first], y: $0[second]) }, radius: 0.9), colour),
        Plot.Mark(
          .dashed([circle(radius)]), .reference, "strength \(FigureText.fixed(radius, 1)) µT"),
      ])
    plot.aspect = 1
    return plot
  }

  /// A circle about zero.
  static func circle(_ radius: Double) -> [PlotPoint] {
    (0...72).map { step in
      let angle = Double(step) / 36 * .pi
      return PlotPoint(x: radius * Double.cos(angle), y: radius * Double.sin(angle))
    }
  }

  /// The directions that occurred: a map of equal areas, darker where there were more samples.
  static func coverage(_ cells: [Int]) -> Plot {
    let (columns, rows) = (RecordedSphere.columns, RecordedSphere.rows)
    let most = Double(max(1, cells.max() ?? 1))
    var seen: [Plot.Cell] = []
    for row in 0..<rows {
      for column in 0..<columns where cells[row * columns + column] > 0 {
        let left = -180 + 360 * Double(column) / Double(columns)
        let low = -1 + 2 * Double(row) / Double(rows)
        let count = Double(cells[row * columns + column])
        seen.append(
          Plot.Cell(
            x: left...(left + 360 / Double(columns)), y: low...(low + 2 / Double(rows)),
            opacity: 0.3 + 0.6 * Double.log(1 + count) / Double.log(1 + most)))
      }
    }
    var x = PlotAxis.bare(-180...180)
    x.ticks = stride(from: -180.0, through: 180, by: 90).map {
      PlotAxis.Tick(value: $0, label: String($0, decimals: 0))
    }
    x.label = "degrees about the sensor's z axis"
    var y = PlotAxis.bare(-1...1)
    y.ticks = [(-1, "-z"), (0, "0"), (1, "+z")].map { PlotAxis.Tick(value: $0.0, label: $0.1) }
    var plot = Plot(
      "Directions that occurred, by equal areas", x: x, y: y,
      marks: [Plot.Mark(.cells(seen), .third)])
    plot.aspect = 0.4
    return plot
  }
}
