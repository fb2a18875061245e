import SwiftSyntax

/// `delegate?.locationManager?(…)`: it compiles, and every method of the protocol is there, so none
/// is absent.
struct OptionalCallRule: Rule {
  let name = "optional-call"
  let summary = "a delegate method called as an optional one"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter { $0.has("locationManager") }.flatMap {
      Visitor($0, self).findings(of: $0)
    }
  }

  private final class Visitor: FindingVisitor {
    let rule: OptionalCallRule

    init(_ file: SourceFile, _ rule: OptionalCallRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      if let optional = node.calledExpression.as(OptionalChainingExprSyntax.self),
        let member = optional.expression.as(MemberAccessExprSyntax.self),
        isDelegateMethod(member.declName.baseName.text, node)
      {
        findings.append(
          file.finding(
            rule, .warning, at: optional.questionMark,
            "'\(member.declName.baseName.text)?(' is never nil: every delegate has the method, if only "
              + "one that does nothing; do not ask by it what a delegate implements"))
      }
      return .visitChildren
    }

    /// A closure of an own protocol may have the name too.
    private func isDelegateMethod(_ base: String, _ node: FunctionCallExprSyntax) -> Bool {
      let labels = node.arguments.map { ($0.label?.text ?? "_") + ":" }.joined()
      return DelegateMethod.byName["\(base)(\(labels))"] != nil
    }
  }
}
