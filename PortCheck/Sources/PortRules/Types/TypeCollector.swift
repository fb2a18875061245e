import SwiftSyntax

/// Collects the types of a file.
final class TypeCollector: LinuxVisitor {
  private(set) var types: [DeclaredType] = []
  private var scopes: [Scope] = []

  private enum Scope {
    /// A type, by its place among those collected.
    case type(Int, String)
    /// A function's body: types in it are its own.
    case body(String)

    var name: String {
      switch self {
      case .type(_, let name), .body(let name): name
      }
    }
  }

  private func enter(
    _ kind: DeclaredType.Kind, _ name: String, _ inherited: [DeclaredType.Inherited],
    _ modifiers: DeclModifierListSyntax, _ attributes: AttributeListSyntax,
    _ node: some SyntaxProtocol
  ) {
    let outer = scopes.map(\.name)
    let full = kind == .extensionOfType ? name : (outer + [name]).joined(separator: ".")
    types.append(
      DeclaredType(
        kind: kind, name: full, scopes: outer, inherited: inherited,
        modifiers: Set(modifiers.map(\.name.text)), attributes: attributeNames(attributes),
        node: Syntax(node), file: file))
    scopes.append(.type(types.count - 1, name))
  }

  private func inherited(
    _ clause: InheritanceClauseSyntax?, _ conditions: GenericWhereClauseSyntax? = nil
  ) -> [DeclaredType.Inherited] {
    var found =
      (clause?.inheritedTypes).map { $0.flatMap { DeclaredType.Inherited.list($0.type) } }
      ?? []
    for requirement in conditions?.requirements ?? [] {
      // `where Self: CLLocationManagerDelegate` is equivalent to a conformance after the colon.
      guard case .conformanceRequirement(let condition) = requirement.requirement,
        condition.leftType.trimmedDescription == "Self"
      else { continue }
      found += DeclaredType.Inherited.list(condition.rightType)
    }
    return found
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .classType, node.name.text, inherited(node.inheritanceClause), node.modifiers,
      node.attributes, node)
    return .visitChildren
  }
  override func visitPost(_ node: ClassDeclSyntax) { leave() }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .otherType, node.name.text, inherited(node.inheritanceClause), node.modifiers,
      node.attributes, node)
    return .visitChildren
  }
  override func visitPost(_ node: StructDeclSyntax) { leave() }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .otherType, node.name.text, inherited(node.inheritanceClause), node.modifiers,
      node.attributes, node)
    return .visitChildren
  }
  override func visitPost(_ node: EnumDeclSyntax) { leave() }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .otherType, node.name.text, inherited(node.inheritanceClause), node.modifiers,
      node.attributes, node)
    return .visitChildren
  }
  override func visitPost(_ node: ActorDeclSyntax) { leave() }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .protocolType, node.name.text,
      inherited(node.inheritanceClause, node.genericWhereClause), node.modifiers,
      node.attributes, node)
    return .visitChildren
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let extended = DeclaredType.Inherited.list(node.extendedType).first?.name ?? ""
    enter(
      .extensionOfType, extended, inherited(node.inheritanceClause, node.genericWhereClause),
      node.modifiers, node.attributes, node)
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { leave() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .alias, node.name.text, DeclaredType.Inherited.list(node.initializer.value), node.modifiers,
      node.attributes, node)
    leave()
    return .skipChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if case .type(let index, _)? = scopes.last {
      types[index].functions.append(DeclaredFunction(node, file))
    }
    return .visitChildren
  }

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind {
    scopes.append(.body("#\(node.position.utf8Offset)"))
    return .visitChildren
  }
  override func visitPost(_ node: CodeBlockSyntax) { leave() }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    scopes.append(.body("#\(node.position.utf8Offset)"))
    return .visitChildren
  }
  override func visitPost(_ node: ClosureExprSyntax) { leave() }

  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind {
    scopes.append(.body("#\(node.position.utf8Offset)"))
    return .visitChildren
  }
  override func visitPost(_ node: AccessorBlockSyntax) { leave() }

  private func leave() { scopes.removeLast() }
}
