import SwiftSyntax

/// A package that imports CoreLocation, CoreMotion or Contacts without a dependency that provides
/// it on Linux.
struct ManifestRule: Rule {
  let name = "manifest"
  let summary = "a Package.swift without a dependency that provides CoreLocation"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.manifests.compactMap { manifest in
      let modules = sources.files.filter { sources.manifest(of: $0)?.folder == manifest.folder }
        .reduce(into: Set<String>()) { $0.formUnion(Self.plainImports($1)) }
        .filter { !manifest.brings($0) }.sorted()
      guard !modules.isEmpty else { return nil }
      return manifest.file.finding(
        self, .note, at: AbsolutePosition(utf8Offset: 0),
        "nothing here brings \(modules.joined(separator: ", ")) on Linux: depend on Lodestar's "
          + "product\(modules.count > 1 ? "s of these names" : " of this name"), or build with the "
          + "flags that Scripts/install-module prints")
    }
  }

  /// Lodestar's modules, imported outside `#if canImport(CoreLocation)`: inside it the file works
  /// without the module.
  private static func plainImports(_ file: SourceFile) -> [String] {
    file.tree.statements.compactMap { statement in
      statement.item.as(ImportDeclSyntax.self)?.path.first?.name.text
    }.filter(AppleModules.lodestars.contains)
  }
}
