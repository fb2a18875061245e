import SwiftSyntax

/// A package that imports CoreLocation and says nowhere where it comes from on Linux.
struct ManifestRule: Rule {
  let name = "manifest"
  let summary = "a Package.swift without anything that brings CoreLocation"

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

  /// Outside `#if canImport(CoreLocation)`: with it the file is content to do without.
  private static func importsPlainly(_ file: SourceFile) -> Bool {
    file.usesCoreLocation
      && file.tree.statements.contains { statement in
        statement.item.as(ImportDeclSyntax.self)?.path.first?.name.text == "CoreLocation"
      }
  }
}
