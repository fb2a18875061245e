import SwiftSyntax

/// Names of Foundation that Linux does not have, or has in another module.
struct FoundationRule: Rule {
  let name = "foundation"
  let summary = "a name of Foundation that Linux does not have, or has in another module"

  func findings(in sources: SourceSet) -> [Finding] {
    let own = Set(sources.types.all.filter { $0.kind != .extensionOfType }.map(\.shortName))
    let exported = sources.files.reduce(into: Set<String>()) { $0.formUnion($1.exportedModules) }
    return sources.portedFiles.flatMap { file in
      let elsewhere = LinuxFoundation.moved.filter { module, _ in
        !file.importedModules.contains(module) && !exported.contains(module)
      }
      return Visitor(file, own, elsewhere).findings(of: self) { word in
        for (module, names) in elsewhere where names.contains(word) {
          return "it is in the module \(module) here; write '#if canImport(\(module))', 'import "
            + "\(module)', '#endif'"
        }
        return Self.remedy(of: word)
      }
    }
  }

  private static func remedy(of word: String) -> String {
    if let text = LinuxFoundation.absent[word] { return text }
    for (type, labels) in LinuxFoundation.absentInitializers {
      for (label, text) in labels where word == initializer(type, label) { return text }
    }
    return "Linux does not have it; leave it out"
  }

  private static func initializer(_ type: String, _ label: String) -> String {
    label.isEmpty ? "\(type)()" : "\(type)(\(label):)"
  }

  private final class Visitor: WordVisitor {
    private let own: Set<String>
    private let words: Set<String>

    init(_ file: SourceFile, _ own: Set<String>, _ elsewhere: [String: Set<String>]) {
      self.own = own
      words = elsewhere.values.reduce(Set(LinuxFoundation.absent.keys)) { $0.union($1) }
        .subtracting(own)
      super.init(file)
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
      if words.contains(node.name.text) { add(node.name.text, node) }
      return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      if words.contains(node.baseName.text), !isMember(node) { add(node.baseName.text, node) }
      return .visitChildren
    }

    /// `Foundation.URLSession` is the type, `service.URLSession` is something else.
    private func isMember(_ node: DeclReferenceExprSyntax) -> Bool {
      guard let access = node.parent?.as(MemberAccessExprSyntax.self),
        access.declName.id == node.id
      else { return false }
      return access.base?.trimmedDescription != "Foundation"
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
      let name = node.declName.baseName.text
      if LinuxFoundation.absentOfProcess.contains(name),
        node.base?.trimmedDescription.hasSuffix("ProcessInfo.processInfo") == true
      {
        add(name, node.declName)
      }
      return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let type = node.calledExpression.trimmedDescription
      if let labels = LinuxFoundation.absentInitializers[type], !own.contains(type),
        node.trailingClosure == nil
      {
        let label = node.arguments.isEmpty ? "" : node.arguments.first?.label?.text
        if let label, labels[label] != nil { add(FoundationRule.initializer(type, label), node) }
      }
      return .visitChildren
    }
  }
}
