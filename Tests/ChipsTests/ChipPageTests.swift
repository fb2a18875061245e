import Chips
import Foundation
import Testing

/// `Documentation/Chips.md` has the table of facts, and is written by this test:
/// `LODESTAR_WRITE_PAGES=1 swift test --filter ChipPage`.
@Suite("The page of the chips", .timeLimit(.minutes(15))) struct ChipPageTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/Chips.md")
  private static let begin =
    "<!-- made from Sources/Chips/Facts by Tests/ChipsTests/ChipPageTests.swift -->\n"
  private static let end = "<!-- end -->\n"

  @Test("has the facts as the table has them")
  func facts() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let begin = try #require(text.range(of: Self.begin)).upperBound
    let end = try #require(text.range(of: Self.end)).lowerBound
    let made = Self.text()
    if ProcessInfo.processInfo.environment["LODESTAR_WRITE_PAGES"] != nil {
      let whole = text.replacingCharacters(in: begin..<end, with: made)
      try whole.write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(text[begin..<end] == made, "write it anew with LODESTAR_WRITE_PAGES=1")
    }
  }

  private static func text() -> String {
    var lines = ["| chip | about | fact | sources |", "|---|---|---|---|"]
    for (model, facts) in ChipFact.table {
      for fact in facts {
        let sources = fact.witnesses.joined(separator: "; ")
        lines.append(
          "| \(cell(model.rawValue)) | \(fact.subject.rawValue) | \(cell(fact.text)) | \(cell(sources)) |"
        )
      }
    }
    lines += [
      "", "## Not proven", "", "What fewer than two sources say, or sources disagree about.", "",
    ]
    for (model, _) in ChipFact.table {
      for caution in model.facts.compactMap(\.caution) { lines.append("- \(model): \(caution)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func cell(_ text: String) -> String {
    text.replacingOccurrences(of: "|", with: "\\|")
  }
}
