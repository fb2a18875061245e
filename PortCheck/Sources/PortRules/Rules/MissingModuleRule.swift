import SwiftSyntax

/// Modules that Linux does not have, in files that use Core Location.
struct MissingModuleRule: Rule {
  let name = "missing-module"
  let summary = "an import of a module of Apple's platforms"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter(\.usesCoreLocation).flatMap { Visitor($0, self).findings(of: $0) }
  }

  private final class Visitor: FindingVisitor {
    let rule: MissingModuleRule

    init(_ file: SourceFile, _ rule: MissingModuleRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      if let module = node.path.first?.name.text, AppleModules.isMissingOnLinux(module) {
        findings.append(
          file.finding(
            rule, .note, at: node,
            "there is no module \(module) on Linux: \(AppleModules.advice(for: module))"))
      }
      return .skipChildren
    }
  }
}
