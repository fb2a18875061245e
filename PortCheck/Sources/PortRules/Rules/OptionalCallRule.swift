import SwiftSyntax

/// The value of `delegate?.locationManager?(…)`: it compiles, and every method of the protocol is
/// there, so that nil never says that the delegate lacks the method. A call as a statement does
/// here what it does on an iPhone.
struct OptionalCallRule: Rule {
  let name = "optional-call"
  let summary = "the value of a delegate method that is called as an optional one"

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
        isDelegateMethod(member.declName.baseName.text, node), isUsed(node)
      {
        findings.append(
          file.finding(
            rule, .warning, at: optional.questionMark,
            "'\(member.declName.baseName.text)?(' is never nil: every delegate has the method, if only "
              + "one that does nothing; do not ask by it what a delegate implements"))
      }
      return .visitChildren
    }

    /// False for a statement, and for `_ = …`.
    private func isUsed(_ node: FunctionCallExprSyntax) -> Bool {
      var expression = Syntax(node)
      while let parent = expression.parent,
        parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self)
      {
        expression = parent
      }
      guard let parent = expression.parent else { return false }
      if parent.is(CodeBlockItemSyntax.self) { return false }
      guard let list = parent.as(ExprListSyntax.self) else { return true }
      return list.first?.is(DiscardAssignmentExprSyntax.self) != true || list.count != 3
    }

    /// A closure of an own protocol may have the name too.
    private func isDelegateMethod(_ base: String, _ node: FunctionCallExprSyntax) -> Bool {
      let labels = node.arguments.map { ($0.label?.text ?? "_") + ":" }.joined()
      return DelegateMethod.byName["\(base)(\(labels))"] != nil
    }
  }
}
