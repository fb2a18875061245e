import SwiftParserDiagnostics

/// Files that do not parse: the other rules check only a part of them.
struct SyntaxRule: Rule {
  let name = "syntax"
  let summary = "a file that does not parse"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.files.compactMap { file in
      guard file.tree.hasError,
        let first = ParseDiagnosticsGenerator.diagnostics(for: file.tree).first
      else { return nil }
      return file.finding(
        self, .error, at: first.position, "does not parse: \(first.message)")
    }
  }
}
