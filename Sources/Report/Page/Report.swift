import JSON
import Quantities

/// A report: sections with what stands above them.
package struct Report: Equatable, Sendable {
  /// The input's name, without its folders.
  package var title: String
  /// What it is, in some words each.
  package var facts: [String] = []
  /// What a reader must know first, such as a part that does not measure.
  package var notes: [String] = []
  /// The program with its version.
  package var program: String
  /// The time of the input's begin; nil if it is not known.
  package var time: UTCTime?
  package var isSimulated = false
  /// Whether heading and position can be trusted; none for the report of a calibration file.
  package var verdicts: [SubjectVerdict] = []
  /// The plots with their sentences.
  package var sections: [ReportSection]

  /// Makes a report of sections.
  package init(title: String, program: String, sections: [ReportSection]) {
    (self.title, self.program, self.sections) = (title, program, sections)
  }

  /// Makes the report of a recording.
  package init(title: String, program: String, _ analysis: RecordingAnalysis) {
    self.init(
      title: title, program: program,
      sections: [
        analysis.headingSection, analysis.turnSection, analysis.tiltSection, analysis.fieldSection,
        analysis.sphereSection, analysis.positionSection, analysis.altitudeSection,
        analysis.sensorsSection, analysis.noiseSection, analysis.calibrationSection,
      ])
    verdicts = [
      SubjectVerdict(subject: .heading, verdict: analysis.headingVerdict),
      SubjectVerdict(subject: .position, verdict: analysis.positionVerdict),
    ]
    time = analysis.utc
    isSimulated = analysis.isSimulated
    if let utc = analysis.utc { facts.append("begins \(utc.recordText)") }
    facts.append(TimeText.text(analysis.seconds))
    facts.append(FigureText.count(analysis.rows, "row") + " of samples")
    if let state = analysis.calibrationState { facts.append("calibration: \(state.rawValue)") }
  }

  /// The section of a plot; nil where the report has none.
  package func section(_ name: PlotName) -> ReportSection? { sections.first { $0.name == name } }

  /// The figures behind each sentence, as a JSON record.
  package var json: [UInt8] {
    JSONWriter.record(at: time) { json in
      json.add("input", title)
      json.add("program", program)
      if isSimulated { json.add("simulated", true) }
      json.add("verdicts", verdicts) { found, json in
        json.add("subject", found.subject.rawValue)
        json.add("verdict", found.verdict.answer.rawValue)
        json.add("sentence", found.verdict.sentence)
      }
      json.add("facts", facts)
      json.add("notes", notes)
      json.add("plots", sections) { section, json in
        json.add("name", section.name.rawValue)
        json.add("drawn", !section.plots.isEmpty)
        json.add("sentence", section.sentence)
        json.add(
          "figures",
          object: JSONWriter.object { json in
            for figure in section.figures {
              json.add(figure.key, figure.value, decimals: figure.decimals)
            }
          })
      }
    }
  }
}
