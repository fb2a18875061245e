import CalibrationFit
import Quantities
import RealModule
import Storage

/// The report of a calibration file: what its figures say. A file has no samples.
package enum CalibrationFileReport {
  /// The sections.
  /// - Parameters:
  ///   - file: The calibration with its uncertainty.
  ///   - profile: The profile with its origin; nil for a plain file.
  ///   - history: The stored generations of the same sensor and board, the oldest first; empty
  ///     where none are known.
  /// - Returns: The sections in the page's order.
  package static func sections(
    _ file: CalibrationFile, profile: CalibrationProfile? = nil, history: [CalibrationProfile] = []
  ) -> [ReportSection] {
    [sphere(file), prediction(file), generations(profile, history)]
  }

  // MARK: The sphere

  private static func sphere(_ file: CalibrationFile) -> ReportSection {
    let result = file.result
    guard let shape = result.softIron.inverse else {
      return .leftOut(.sphere, "the soft iron of the file has no inverse")
    }
    let offset = result.hardIronMicrotesla.length
    let strength = file.fit.earthField?.total
    let lengths = unitLengths(shape)
    var sentence =
      "The calibration removes an offset of \(FigureText.fixed(offset, 1)) µT and a distortion that makes the field up to \(FigureText.fixed((lengths.upperBound / lengths.lowerBound - 1) * 100, 1)) % stronger in one direction than in another"
    sentence +=
      result.coverage.map { "; \(FigureText.percent($0)) of the attitudes were covered" }
      ?? "; the coverage is not known"
    sentence +=
      result.residualMicrotesla.map {
        ", and \(FigureText.fixed($0, 2)) µT remain (root mean square)"
      } ?? ", and what remains is not known"
    var section = ReportSection(.sphere, sentence + ".")
    section.figures = [
      ReportFigure("offset_uT", offset, 3),
      ReportFigure("leastScale", lengths.lowerBound, 5),
      ReportFigure("greatestScale", lengths.upperBound, 5),
      ReportFigure("coverage", result.coverage, 4),
      ReportFigure("residual_uT", result.residualMicrotesla, 3),
      ReportFigure("fieldStrength_uT", strength, 3),
    ]
    // Without the fit's field the usual one: the drawing shows proportions.
    let radius = strength ?? 50
    for (first, second, name) in [(0, 1, "x, y"), (0, 2, "x, z")] {
      let outline = outline(shape, first, second).map { $0 * radius + result.hardIronMicrotesla }
      section.plots.append(drawing("Before, \(name), µT", outline, first, second, radius, .second))
      section.plots.append(
        drawing(
          "After, \(name), µT", outline.map { result.softIron * ($0 - result.hardIronMicrotesla) },
          first, second, radius, .first))
    }
    return section
  }

  /// The outline of the ellipsoid of all directions of a unit field, seen along the third axis: the
  /// points whose normal has no part along it.
  private static func outline(
    _ shape: Matrix3, _ first: Int, _ second: Int
  ) -> [SIMD3<Double>] {
    (0...72).map { step in
      let angle = Double(step) / 36 * .pi
      var normal = SIMD3<Double>.zero
      normal[first] = Double.cos(angle)
      normal[second] = Double.sin(angle)
      let support = shape.transposed * normal
      return shape * (support.normalized ?? normal)
    }
  }

  /// The least and the greatest length of the distorted unit field, over a grid of directions of 3
  /// degrees.
  private static func unitLengths(_ shape: Matrix3) -> ClosedRange<Double> {
    var (low, high) = (Double.infinity, 0.0)
    for row in 0...60 {
      let latitude = (Double(row) / 60 - 0.5) * .pi
      for column in 0..<120 {
        let longitude = Double(column) / 60 * .pi
        let length =
          (shape
          * SIMD3(
            Double.cos(latitude) * Double.cos(longitude),
            Double.cos(latitude) * Double.sin(longitude), Double.sin(latitude))).length
        (low, high) = (min(low, length), max(high, length))
      }
    }
    return low...max(low, high)
  }

  private static func drawing(
    _ title: String, _ outline: [SIMD3<Double>], _ first: Int, _ second: Int, _ radius: Double,
    _ colour: Plot.Colour
  ) -> Plot {
    var plot = SphereDrawing.plot(title, outline, first, second, radius: radius, colour: colour)
    plot.marks[0].shape = .lines([outline.map { PlotPoint(x: $0[first], y: $0[second]) }])
    plot.columns = 2
    return plot
  }

  // MARK: The prediction

  /// The quality and the predicted errors; for level use that of the level board first.
  private static func words(_ result: CalibrationResult) -> String {
    func text(_ degrees: Double?) -> String {
      degrees.map { FigureText.fixed($0, 1) + "°" } ?? "unknown size"
    }
    let worst = text(result.predictedHeadingErrorDegrees)
    return switch result.use {
    case .anyAttitude:
      "quality \(result.quality.rawValue), with a predicted heading error of \(worst) (one sigma, at the worst attitude tilted less than 45°)"
    case .level:
      "quality \(result.quality.rawValue) for level use, with a predicted heading error of \(text(result.predictedLevelErrorDegrees)) while level and \(worst) tilted by 45° (one sigma)"
    }
  }

  private static func prediction(_ file: CalibrationFile) -> ReportSection {
    let result = file.result
    let stated = result.predictedHeadingErrorDegrees
    let words = words(result)
    guard let estimate = file.estimate, let prediction = HeadingErrorPrediction(estimate) else {
      return .leftOut(
        .prediction,
        "the file has no covariance, so the error by heading is not known; the file states \(words)"
      )
    }
    // The sensor's z axis up, as most boards lie.
    let down = SIMD3(0.0, 0, -1)
    var level: [PlotPoint] = []
    var tilted: [PlotPoint] = []
    for step in stride(from: 0.0, through: 360, by: 5) {
      level.append(PlotPoint(x: step, y: degrees(prediction, down, step)))
      let worst = (0..<8).map { side -> Double in
        let angle = Double(side) / 4 * .pi
        let tilt = Double.pi / 6
        let lean = SIMD3(
          Double.sin(tilt) * Double.cos(angle), Double.sin(tilt) * Double.sin(angle),
          -Double.cos(tilt))
        return degrees(prediction, lean, step)
      }
      tilted.append(PlotPoint(x: step, y: worst.max() ?? 0))
    }
    let least = level.map(\.y).min() ?? 0
    let most = level.map(\.y).max() ?? 0
    let leaning = tilted.map(\.y).max() ?? 0
    var section = ReportSection(
      .prediction,
      "The calibration has \(words); with the sensor's z axis up the prediction is \(FigureText.fixed(least, 1))° to \(FigureText.fixed(most, 1))° by heading, and at most \(FigureText.fixed(leaning, 1))° tilted by 30° to any of eight sides."
    )
    section.figures = [
      ReportFigure("predictedError_deg", stated, 3), ReportFigure("levelLeast_deg", least, 3),
      ReportFigure("levelGreatest_deg", most, 3),
      ReportFigure("tilted30Greatest_deg", leaning, 3),
    ]
    var x = PlotAxis.bare(0...360)
    x.ticks = stride(from: 0.0, through: 360, by: 90).map {
      PlotAxis.Tick(value: $0, label: String($0, decimals: 0))
    }
    x.label = "direction of the sensor's x axis from magnetic north, °"
    section.plots = [
      Plot(
        "Predicted heading error, °, one sigma", x: x,
        y: .linear(0...max(leaning, most), hasZero: true),
        marks: [
          Plot.Mark(.lines([level]), .first, "level"),
          Plot.Mark(.lines([tilted]), .second, "tilted by 30°, the worst side"),
        ])
    ]
    return section
  }

  private static func degrees(
    _ prediction: HeadingErrorPrediction, _ down: SIMD3<Double>, _ heading: Double
  ) -> Double {
    let angle = heading * .pi / 180
    // North lies to the left of x by the heading: in axes with z up, x turned clockwise from north.
    let level = SIMD3(Double.cos(angle), Double.sin(angle), 0)
    let north = (level - down * level.dot(down)).normalized ?? level
    return prediction.sigma(down: down, north: north) * 180 / .pi
  }

  // MARK: The history

  private static func generations(
    _ profile: CalibrationProfile?, _ history: [CalibrationProfile]
  ) -> ReportSection {
    guard let profile else {
      return .leftOut(
        .calibration,
        "a plain calibration file has no history; that of a board's calibrations is in 'lodestar calibrate history'"
      )
    }
    let all = history.isEmpty ? [profile] : history
    var sentence =
      "This is number \(profile.generation) of the calibrations of its board, made at \(profile.made.recordText) from \(origin(profile))"
    if let source = profile.restoredFrom { sentence += ", as a copy of number \(source)" }
    sentence +=
      history.isEmpty
      ? "; no other of them is stored on this machine"
      : "; \(FigureText.count(all.count, "calibration")) of the board \(all.count == 1 ? "is" : "are") stored on this machine"
    var section = ReportSection(.calibration, sentence + ".")
    section.figures = [
      ReportFigure("generation", Double(profile.generation), 0),
      ReportFigure("stored", Double(history.count), 0),
    ]
    section.table = [["No.", "made", "from", "quality", "error"]]
    section.table += all.suffix(20).map { one in
      [
        "\(one.generation)", String(one.made.recordText.prefix(10)), one.conditions.origin.rawValue,
        one.result.quality.rawValue,
        one.result.predictedErrorDegrees.map {
          FigureText.fixed($0, 1) + "°" + (one.result.use == .level ? " level" : "")
        } ?? "",
      ]
    }
    let points = all.compactMap { one in
      one.result.predictedErrorDegrees.map {
        PlotPoint(x: Double(one.generation), y: $0)
      }
    }
    guard points.count > 1, let most = points.map(\.y).max(), let first = points.first,
      let last = points.last
    else { return section }
    var x = PlotAxis.linear(first.x...last.x, least: 1)
    x.label = "number"
    x.ticks = x.ticks.filter { $0.value == $0.value.rounded() }.map {
      PlotAxis.Tick(value: $0.value, label: String($0.value, decimals: 0))
    }
    section.plots = [
      Plot(
        "Predicted heading error, °, one sigma", x: x, y: .linear(0...most, hasZero: true),
        marks: [
          Plot.Mark(.lines([points]), .first), Plot.Mark(.dots(points, radius: 2.5), .first),
        ])
    ]
    return section
  }

  private static func origin(_ profile: CalibrationProfile) -> String {
    switch profile.conditions.origin {
    case .guided: "a guided session"
    case .online: "use of the board"
    case .recording: "a recording"
    case .imported: "an imported file"
    }
  }
}
