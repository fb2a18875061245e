import SwiftSyntax

/// `NSError` with Core Location's domain, which does not cast to `CLError` here.
struct NSErrorRule: Rule {
  let name = "nserror"
  let summary = "an NSError made with kCLErrorDomain, or cast to CLError"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter(\.usesCoreLocation).flatMap { Visitor($0, self).findings(of: $0) }
  }

  private static let domains: Set<String> = [
    "kCLErrorDomain", "\"kCLErrorDomain\"", "CLError.errorDomain",
  ]

  private final class Visitor: FindingVisitor {
    let rule: NSErrorRule

    init(_ file: SourceFile, _ rule: NSErrorRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let called = node.calledExpression.trimmedDescription
      if called == "NSError" || called == "NSError.init",
        let domain = node.arguments.first(where: { $0.label?.text == "domain" }),
        NSErrorRule.domains.contains(domain.expression.trimmedDescription)
      {
        findings.append(
          file.finding(
            rule, .warning, at: node,
            "this NSError is no CLError on Linux: 'as? CLError' and 'catch CLError.denied' miss it; "
              + "make a 'CLError(.denied)'"))
      }
      return .visitChildren
    }

    // `(error as NSError) as? CLError`: unfolded, a sequence of the parts.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
      let parts = Array(node.elements)
      for (part, type) in zip(parts, parts.dropFirst()) {
        guard let cast = part.as(UnresolvedAsExprSyntax.self),
          cast.questionOrExclamationMark != nil,
          type.trimmedDescription == "CLError", let first = parts.first, isNSError(first)
        else { continue }
        findings.append(
          file.finding(
            rule, .warning, at: node,
            "an NSError does not cast to CLError on Linux; cast the Error that was there before"))
      }
      return .visitChildren
    }

    private func isNSError(_ expression: ExprSyntax) -> Bool {
      guard let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
        let inner = tuple.elements.first?.expression.as(SequenceExprSyntax.self)
      else { return false }
      return inner.elements.last?.trimmedDescription == "NSError"
    }
  }
}
