/// The result of the acceptance of a board.
package struct CheckOutcome: Equatable, Sendable {
  /// A measured figure.
  package struct Figure: Equatable, Sendable {
    /// What was measured.
    package var name: String
    /// The value.
    package var value: Double
    /// Decimals to show.
    package var decimals: Int
    /// Its unit; empty for a number of things.
    package var unit: String

    /// The value with its unit.
    package var text: String {
      CheckFigures.fixed(value, decimals) + (unit.isEmpty ? "" : " \(unit)")
    }
  }

  /// How a step ended.
  package struct Step: Equatable, Sendable {
    /// The step.
    package var step: CheckStep
    /// True if it was completed.
    package var isDone: Bool
    /// Why it was left out, or is not shown by a recording; nil if it was not.
    package var reason: String?
    /// Its duration, seconds.
    package var seconds: Double
    /// True for a step that was sought in a recording.
    package var isRecorded = false
  }

  /// What is wrong, the cause before its consequences; empty for a good board.
  package var findings: [CheckFinding] = []
  /// What was left out and why, and what is worth knowing.
  package var notes: [String] = []
  /// The figures.
  package var figures: [Figure] = []
  /// The steps in their order.
  package var steps: [Step] = []
  /// The chips and the receiver, with rates as measured.
  package var devices: [String] = []
  /// True for the simulated board.
  package var isSimulated = false

  /// True for a judgement of a recording, which may not show everything.
  package var isRecording = false

  /// True where nothing is wrong.
  package var isPassed: Bool { findings.isEmpty }

  package init() {}

  mutating func add(_ name: String, _ value: Double, _ decimals: Int, _ unit: String) {
    figures.append(Figure(name: name, value: value, decimals: decimals, unit: unit))
  }
}

/// Numbers in sentences.
package enum CheckFigures {
  /// A number with fixed decimals.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    var text: [UInt8] = []
    return text.append(value, decimals: decimals)
      ? String(decoding: text, as: UTF8.self) : "unknown"
  }

  /// A share as a percentage.
  static func percent(_ share: Double) -> String { fixed(share * 100, share < 0.1 ? 1 : 0) + " %" }
}
