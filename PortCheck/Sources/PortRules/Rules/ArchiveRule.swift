import SwiftSyntax

/// Keyed archives of Core Location's values.
struct ArchiveRule: Rule {
  let name = "archive"
  let summary = "an archive of Core Location's values, which an iPhone writes with other names"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter(\.usesCoreLocation).flatMap { Visitor($0, self).findings(of: $0) }
  }

  private final class Visitor: FindingVisitor {
    let rule: ArchiveRule

    init(_ file: SourceFile, _ rule: ArchiveRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
        member.base?.trimmedDescription == "NSKeyedUnarchiver",
        member.declName.baseName.text.hasPrefix("unarchive")
      else { return .visitChildren }
      // The class is among the arguments, or after `as?` in the old form.
      let place: any SyntaxProtocol = enclosingCast(of: node) ?? node
      if let name = coreLocationName(in: place) {
        findings.append(
          file.finding(
            rule, .warning, at: node,
            "an archive of \(name) that an iPhone wrote is not read on Linux: names and keys differ; "
              + "archives that this program writes here are; carry data over as JSON"))
      }
      return .visitChildren
    }

    private func enclosingCast(of node: FunctionCallExprSyntax) -> SequenceExprSyntax? {
      var next = node.parent
      for _ in 0..<4 {
        if let sequence = next?.as(SequenceExprSyntax.self),
          sequence.elements.contains(where: { $0.is(UnresolvedAsExprSyntax.self) })
        {
          return sequence
        }
        next = next?.parent
      }
      return nil
    }

    private func coreLocationName(in node: any SyntaxProtocol) -> String? {
      node.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
        guard case .identifier(let name) = token.tokenKind, CoreLocationNames.contain(name)
        else { return nil }
        return name
      }.first
    }
  }
}
