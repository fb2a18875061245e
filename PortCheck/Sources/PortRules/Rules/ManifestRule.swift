import SwiftSyntax

/// A package that imports CoreLocation without a dependency that provides it on Linux.
struct ManifestRule: Rule {
  let name = "manifest"
  let summary = "a Package.swift without a dependency that provides CoreLocation"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.manifests.compactMap { manifest in
      guard !manifest.bringsCoreLocation,
        sources.files.contains(where: { file in
          Self.importsPlainly(file) && sources.manifest(of: file)?.folder == manifest.folder
        })
      else { return nil }
      return manifest.file.finding(
        self, .note, at: AbsolutePosition(utf8Offset: 0),
        "nothing here brings the module CoreLocation on Linux: depend on Lodestar's product "
          + "CoreLocation, or build with the flags that Scripts/install-module prints")
    }
  }

  /// Outside `#if canImport(CoreLocation)`: inside it the file works without the module.
  private static func importsPlainly(_ file: SourceFile) -> Bool {
    file.usesCoreLocation
      && file.tree.statements.contains { statement in
        statement.item.as(ImportDeclSyntax.self)?.path.first?.name.text == "CoreLocation"
      }
  }
}
