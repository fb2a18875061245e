import SwiftSyntax

/// Code for an iPhone that uses Core Location and is not compiled here, without a replacement.
struct VanishingCodeRule: Rule {
  let name = "vanishing-code"
  let summary = "Core Location under a condition that does not hold on Linux"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter(\.usesCoreLocation).flatMap { Visitor($0, self).findings(of: $0) }
  }

  private final class Visitor: FindingVisitor {
    let rule: VanishingCodeRule

    init(_ file: SourceFile, _ rule: VanishingCodeRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
      let here = BuildCondition.linux.possible(node.clauses)
      let there = BuildCondition.iPhone.possible(node.clauses)
      // Accepted where another clause is compiled in its place.
      if here.isEmpty {
        for clause in there where CoreLocationNames.isUsedOrCalled(in: clause) {
          let condition = clause.condition?.trimmedDescription ?? "else"
          findings.append(
            file.finding(
              rule, .warning, at: clause,
              "what stands under '#if \(condition)' uses Core Location and is not compiled on Linux; "
                + "write 'canImport(CoreLocation)' where it needs nothing else, or add '|| os(Linux)'"
            ))
        }
      }
      return super.visit(node)
    }
  }
}
