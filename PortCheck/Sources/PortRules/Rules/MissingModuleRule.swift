import SwiftSyntax

/// Modules that Linux does not have, in packages that use Core Location.
struct MissingModuleRule: Rule {
  let name = "missing-module"
  let summary = "an import of a module of Apple's platforms"

  func findings(in sources: SourceSet) -> [Finding] {
    Self.imports(in: sources).map { entry in
      entry.file.finding(
        self, .error, at: entry.node,
        "there is no module \(entry.module) on Linux: \(AppleModules.advice(for: entry.module)); "
          + "keep what needs it in '#if canImport(\(entry.module))'")
    }
  }

  /// The missing modules, the most imported first.
  static func modules(in sources: SourceSet) -> [MissingModule] {
    let files = imports(in: sources).reduce(into: [String: Set<String>]()) {
      $0[$1.module, default: []].insert($1.file.path)
    }
    return files.map {
      MissingModule(
        module: $0.key, files: $0.value.count, replacement: AppleModules.advice(for: $0.key))
    }.sorted { ($1.files, $0.module) < ($0.files, $1.module) }
  }

  private typealias Entry = (file: SourceFile, node: ImportDeclSyntax, module: String)

  private static func imports(in sources: SourceSet) -> [Entry] {
    sources.portedFiles.flatMap { file -> [Entry] in
      let visitor = Visitor(file)
      visitor.walk(file.tree)
      return visitor.found.compactMap { node in
        guard let module = node.path.first?.name.text, AppleModules.missing.contains(module),
          sources.manifest(of: file)?.names.contains(module) != true
        else { return nil }
        return (file, node, module)
      }
    }
  }

  private final class Visitor: LinuxVisitor {
    var found: [ImportDeclSyntax] = []

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      found.append(node)
      return .skipChildren
    }
  }
}
