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
