import SwiftSyntax

/// The launch option of an iOS program that was started by a location event.
struct LaunchOptionRule: Rule {
  let name = "launch-option"
  let summary = "UIApplication's launch option for location"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter { $0.has("aunchOptions") }.flatMap { Visitor($0, self).findings(of: $0) }
  }

  private final class Visitor: FindingVisitor {
    let rule: LaunchOptionRule

    init(_ file: SourceFile, _ rule: LaunchOptionRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
      let text = node.trimmedDescription
      if node.declName.baseName.text == "location",
        text.hasSuffix("LaunchOptionsKey.location")
          || node.base == nil && isKeyOfLaunchOptions(node)
      {
        add(node)
        return .skipChildren
      }
      return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      if node.baseName.text == "UIApplicationLaunchOptionsLocationKey" { add(node) }
      return .visitChildren
    }

    /// `launchOptions?[.location]`.
    private func isKeyOfLaunchOptions(_ node: MemberAccessExprSyntax) -> Bool {
      var next = node.parent
      for _ in 0..<3 {
        if let index = next?.as(SubscriptCallExprSyntax.self) {
          return index.calledExpression.trimmedDescription.lowercased().contains("launchoptions")
        }
        next = next?.parent
      }
      return false
    }

    private func add(_ node: some SyntaxProtocol) {
      findings.append(
        file.finding(
          rule, .warning, at: node,
          "there are no launch options: a program that an event of location started has "
            + "CL_LAUNCHED_FOR_LOCATION=1 in its environment"))
    }
  }
}
