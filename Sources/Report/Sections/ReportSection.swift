/// The plots of a report by their names on the command line.
package enum PlotName: String, CaseIterable, Sendable {
  case heading
  case turn
  case tilt
  case field
  case sphere
  case position
  case altitude
  case sensors
  case noise
  case calibration
  /// The predicted error by heading, of a calibration file.
  case prediction

  /// The title on the page.
  package var title: String {
    switch self {
    case .heading: "Heading and course"
    case .turn: "Rate of turn"
    case .tilt: "Roll and pitch"
    case .field: "Field and magnetic model"
    case .sphere: "Field before and after calibration"
    case .position: "Way and accuracy of the place"
    case .altitude: "Altitude"
    case .sensors: "Sensor rates and gaps"
    case .noise: "Noise at rest (Allan deviation)"
    case .calibration: "Calibration history"
    case .prediction: "Predicted heading error"
    }
  }
}

/// A figure behind a sentence.
package struct ReportFigure: Equatable, Sendable {
  /// The key in JSON, with its unit.
  package var key: StaticString
  /// The value; nil where it is not known.
  package var value: Double?
  /// The decimals in JSON.
  package var decimals: Int

  /// Makes a figure.
  package init(_ key: StaticString, _ value: Double?, _ decimals: Int = 3) {
    (self.key, self.value, self.decimals) = (key, value, decimals)
  }

  /// True if key and value are equal.
  package static func == (a: Self, b: Self) -> Bool {
    a.key.description == b.key.description && a.value == b.value
  }
}

/// A part of a report: a plot with the sentence that says what it means.
package struct ReportSection: Equatable, Sendable {
  /// Its plot.
  package var name: PlotName
  /// One sentence, computed from the figures; for a plot that is left out, why.
  package var sentence: String
  /// The figures behind the sentence.
  package var figures: [ReportFigure] = []
  /// What is drawn; nothing for a plot that is left out.
  package var plots: [Plot] = []
  /// A table below the plot: the head, then the rows.
  package var table: [[String]] = []

  /// Makes a section.
  package init(_ name: PlotName, _ sentence: String) {
    (self.name, self.sentence) = (name, sentence)
  }

  /// A section without a plot.
  package static func leftOut(_ name: PlotName, _ reason: String) -> ReportSection {
    ReportSection(name, "\(leftOut)\(reason).")
  }
  private static var leftOut: String { "Left out: " }

  /// Why a section is left out.
  package var reason: String {
    sentence.hasPrefix(Self.leftOut) ? String(sentence.dropFirst(Self.leftOut.count)) : sentence
  }

  /// True for a section that shows nothing but its sentence.
  package var isLeftOut: Bool { plots.isEmpty && table.isEmpty }

  /// A figure by its key; nil where it is not known.
  package subscript(_ key: String) -> Double? {
    figures.first { $0.key.description == key }?.value
  }
}
