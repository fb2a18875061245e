import SwiftSyntax

/// Visits code that may be compiled on Linux and skips code under false conditions.
class LinuxVisitor: SyntaxVisitor {
  let file: SourceFile

  init(_ file: SourceFile) {
    self.file = file
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    for clause in BuildCondition.linux.possible(node.clauses) {
      if let elements = clause.elements { walk(Syntax(elements)) }
    }
    return .skipChildren
  }
}

/// Visits code and collects findings.
class FindingVisitor: LinuxVisitor {
  var findings: [Finding] = []

  func findings(of file: SourceFile) -> [Finding] {
    walk(file.tree)
    return findings
  }
}

/// Visits code and collects words that do not compile: the first place of each, and how often.
class WordVisitor: LinuxVisitor {
  private var found: [(word: String, first: AbsolutePosition, count: Int)] = []

  func add(_ word: String, _ node: some SyntaxProtocol) {
    if let index = found.firstIndex(where: { $0.word == word }) {
      found[index].count += 1
    } else {
      found.append((word, node.positionAfterSkippingLeadingTrivia, 1))
    }
  }

  /// One error for each word; `text` is what is said of it, after the number of its places.
  func findings(of rule: some Rule, _ text: (String) -> String) -> [Finding] {
    walk(file.tree)
    return found.map { word, first, count in
      let others = count > 1 ? " (\(count) places in this file)" : ""
      return file.finding(
        rule, .error, at: first, "'\(word)' does not compile\(others): \(text(word))")
    }
  }
}
