import SwiftSyntax

/// `import CoreLocation.CLLocation`: a submodule of Apple's Clang module.
struct SubmoduleImportRule: Rule {
  let name = "submodule-import"
  let summary = "an import of a submodule of CoreLocation"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.filter(\.usesCoreLocation).flatMap { Visitor($0, self).findings(of: $0) }
  }

  private final class Visitor: FindingVisitor {
    let rule: SubmoduleImportRule

    init(_ file: SourceFile, _ rule: SubmoduleImportRule) {
      self.rule = rule
      super.init(file)
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      if node.importKindSpecifier == nil, node.path.count > 1,
        node.path.first?.name.text == "CoreLocation"
      {
        findings.append(
          file.finding(
            rule, .note, at: node,
            "'\(node.path.trimmedDescription)' is found only with the module map that "
              + "Scripts/install-module installs; 'import CoreLocation' is found always"))
      }
      return .skipChildren
    }
  }
}
