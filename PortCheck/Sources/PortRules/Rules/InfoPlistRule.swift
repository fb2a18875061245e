import SwiftSyntax

/// Keys of Info.plist for location: programs on Linux have no such file.
struct InfoPlistRule: Rule {
  let name = "info-plist"
  let summary = "a use of Info.plist's keys for location"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter { $0.has("nfoDictionary") }.flatMap { Visitor($0, self).findings(of: $0) }
  }

  private final class Visitor: FindingVisitor {
    let rule: InfoPlistRule

    init(_ file: SourceFile, _ rule: InfoPlistRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
      let text = node.segments.trimmedDescription
      let isKey =
        text.hasPrefix("NSLocation") && text.hasSuffix("UsageDescription")
        || text == "NSLocationTemporaryUsageDescriptionDictionary" || text == "UIBackgroundModes"
      if isKey, isLookup(node) {
        findings.append(
          file.finding(
            rule, .warning, at: node,
            "there is no Info.plist: the key '\(text)' is never found and never needed; do not make "
              + "anything depend on it"))
      }
      return .visitChildren
    }

    /// In `object(forInfoDictionaryKey:)`, or as a key of `infoDictionary`.
    private func isLookup(_ node: StringLiteralExprSyntax) -> Bool {
      guard let argument = node.parent?.as(LabeledExprSyntax.self) else { return false }
      if argument.label?.text == "forInfoDictionaryKey" { return true }
      guard let index = argument.parent?.parent?.as(SubscriptCallExprSyntax.self) else {
        return false
      }
      return index.calledExpression.trimmedDescription.lowercased().contains("infodictionary")
    }
  }
}
