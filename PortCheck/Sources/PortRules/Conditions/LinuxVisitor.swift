import SwiftSyntax

/// Walks what may be compiled on Linux: code under other conditions is passed over.
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

/// Walks and collects findings.
class FindingVisitor: LinuxVisitor {
  var findings: [Finding] = []

  func findings(of file: SourceFile) -> [Finding] {
    walk(file.tree)
    return findings
  }
}
