import SwiftSyntax

/// Managers that are created on a worker of a dispatch queue, which has no run loop.
struct BackgroundManagerRule: Rule {
  let name = "background-manager"
  let summary = "a CLLocationManager created on a queue's worker, which receives no events"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter(\.usesCoreLocation).flatMap { Visitor($0, self).findings(of: $0) }
  }

  private final class Visitor: FindingVisitor {
    let rule: BackgroundManagerRule

    init(_ file: SourceFile, _ rule: BackgroundManagerRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      if node.calledExpression.trimmedDescription == "CLLocationManager", node.arguments.isEmpty,
        let queue = queue(around: node)
      {
        findings.append(
          file.finding(
            rule, .warning, at: node,
            "a manager created on \(queue) has no run loop and receives no events; create it on the "
              + "main queue, or with CLLocationManager(queue:)"))
      }
      return .visitChildren
    }

    /// The queue of the nearest closure; nil for the main one, and where it is not known.
    private func queue(around node: some SyntaxProtocol) -> String? {
      var next = node.parent
      while let current = next {
        if current.is(FunctionDeclSyntax.self) || current.is(MemberBlockSyntax.self) { return nil }
        if current.is(ClosureExprSyntax.self) {
          let call =
            current.parent?.as(FunctionCallExprSyntax.self)
            ?? current.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
          return call.flatMap(queue(of:))
        }
        next = current.parent
      }
      return nil
    }

    private func queue(of call: FunctionCallExprSyntax) -> String? {
      guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        ["async", "asyncAfter", "sync"].contains(member.declName.baseName.text),
        let base = member.base?.trimmedDescription
      else { return nil }
      return base.hasPrefix("DispatchQueue.global(") || base.hasPrefix("DispatchQueue(label:")
        ? "'\(base)'" : nil
    }
  }
}
