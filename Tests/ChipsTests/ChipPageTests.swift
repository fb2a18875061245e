import Chips
import Foundation
import Testing

/// `Documentation/Chips.md` lists what is not proven, and is written by this test:
/// `LODESTAR_WRITE_PAGES=1 swift test --filter ChipPage`.
@Suite("The page of the chips", .timeLimit(.minutes(30))) struct ChipPageTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/Chips.md")
  private static let begin =
    "<!-- made from Sources/Chips/Facts by Tests/ChipsTests/ChipPageTests.swift -->\n"
  private static let end = "<!-- end -->\n"

  @Test("has what is not proven as the facts have it")
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
    let lines =
      ["### By one source only", ""] + items(singleSource)
      + ["", "### Sources disagree", ""] + items(dispute)
    return lines.joined(separator: "\n") + "\n"
  }

  /// A fact that has one source; nil for others.
  private static func singleSource(_ fact: ChipFact) -> String? {
    guard fact.dispute == nil, fact.witnesses.count == 1 else { return nil }
    return "\(fact.text) (\(fact.witnesses[0]))"
  }

  private static func dispute(_ fact: ChipFact) -> String? {
    fact.dispute.map { "\(fact.text); against it: \($0)" }
  }

  /// One list item for each text, with all chips that share it, in the order of the table.
  private static func items(_ text: (ChipFact) -> String?) -> [String] {
    var order: [String] = []
    var models: [String: [String]] = [:]
    for (model, facts) in ChipFact.table {
      for fact in facts {
        guard let text = text(fact) else { continue }
        let decides = fact.proof.map { "; to decide: \($0)" } ?? ""
        let item = "\(fact.subject.rawValue): \(text)\(decides)"
        if models[item] == nil { order.append(item) }
        models[item, default: []].append(model.rawValue)
      }
    }
    return order.map { "- \(models[$0, default: []].joined(separator: ", ")): \($0)" }
  }
}
