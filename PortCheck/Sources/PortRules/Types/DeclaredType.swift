import SwiftSyntax

/// A type, a protocol, an alias or an extension as a file declares it.
struct DeclaredType: Sendable {
  enum Kind: Sendable { case classType, otherType, protocolType, alias, extensionOfType }

  var kind: Kind
  /// The name with those of the types around it; for an extension the extended type's, as written.
  var name: String
  /// The scopes around it, outermost first.
  var scopes: [String]
  /// The types after the colon, in the `where` clause for Self, or after an alias's `=`.
  var inherited: [Inherited]
  var functions: [DeclaredFunction] = []
  var modifiers: Set<String>
  var attributes: Set<String>
  var node: Syntax
  var file: SourceFile

  struct Inherited: Sendable {
    /// Without attributes, generic arguments and the module CoreLocation.
    var name: String
    /// `preconcurrency`, `retroactive`, `unchecked`, `MainActor`.
    var attributes: Set<String>
    var node: Syntax
  }

  /// The last part of the name.
  var shortName: String { name.split(separator: ".").last.map(String.init) ?? name }

  func states(_ name: String) -> Bool { inherited.contains { $0.name == name } }
}

extension DeclaredType.Inherited {
  /// One type may be a composition of several.
  static func list(_ type: TypeSyntax, attributes: Set<String> = []) -> [Self] {
    if let attributed = type.as(AttributedTypeSyntax.self) {
      return list(
        attributed.baseType, attributes: attributes.union(attributeNames(attributed.attributes)))
    }
    if let composition = type.as(CompositionTypeSyntax.self) {
      return composition.elements.flatMap { list($0.type, attributes: attributes) }
    }
    if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first
    {
      return list(only.type, attributes: attributes)
    }
    return [Self(name: plainName(type), attributes: attributes, node: Syntax(type))]
  }

  private static func plainName(_ type: TypeSyntax) -> String {
    if let name = type.as(IdentifierTypeSyntax.self) { return name.name.text }
    if let member = type.as(MemberTypeSyntax.self) {
      let outer = plainName(member.baseType)
      return outer == "CoreLocation" ? member.name.text : outer + "." + member.name.text
    }
    return type.trimmedDescription
  }
}
