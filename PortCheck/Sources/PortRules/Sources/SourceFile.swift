import SwiftParser
import SwiftSyntax

/// A parsed file.
public struct SourceFile: Sendable {
  /// The file, as it was named or found.
  public let path: String
  /// The folder that it is in, absolute.
  let absoluteFolder: String
  /// Its syntax.
  let tree: SourceFileSyntax
  /// True where it names something of Core Location.
  let usesCoreLocation: Bool
  /// The modules that it imports, under any condition.
  let importedModules: Set<String>
  /// Those of them that it imports for its whole module, by `@_exported`.
  let exportedModules: Set<String>

  private let text: String
  private let converter: SourceLocationConverter

  /// Parses a text; `SyntaxRule` reports errors.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
    absoluteFolder = SourceSet.absoluteFolder(of: path)
    tree = Parser.parse(source: text)
    converter = SourceLocationConverter(fileName: path, tree: tree)
    usesCoreLocation = CoreLocationNames.mayBeUsed(in: text) && CoreLocationNames.isUsed(in: tree)
    let imports = ImportCollector(viewMode: .sourceAccurate)
    imports.walk(tree)
    (importedModules, exportedModules) = (imports.all, imports.exported)
  }

  /// True where it is written for Core Location or Core Motion.
  var isOfPhone: Bool { usesCoreLocation || importedModules.contains("CoreMotion") }

  private final class ImportCollector: SyntaxVisitor {
    var all: Set<String> = []
    var exported: Set<String> = []

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      guard let module = node.path.first?.name.text else { return .skipChildren }
      all.insert(module)
      if attributeNames(node.attributes).contains("_exported") { exported.insert(module) }
      return .skipChildren
    }
  }

  /// True where the text contains a word: a fast check before a walk.
  func has(_ word: String) -> Bool { text.contains(word) }

  /// Makes a finding at a node.
  func finding(
    _ rule: some Rule, _ severity: Severity, at node: some SyntaxProtocol, _ message: String
  ) -> Finding {
    finding(rule, severity, at: node.positionAfterSkippingLeadingTrivia, message)
  }

  /// Makes a finding at a place.
  func finding(
    _ rule: some Rule, _ severity: Severity, at position: AbsolutePosition, _ message: String
  ) -> Finding {
    let location = converter.location(for: position)
    return Finding(
      file: path, line: location.line, column: location.column, severity: severity,
      rule: rule.name, message: message)
  }

  /// The line of a node, from 1.
  func line(of node: some SyntaxProtocol) -> Int {
    converter.location(for: node.positionAfterSkippingLeadingTrivia).line
  }
}
