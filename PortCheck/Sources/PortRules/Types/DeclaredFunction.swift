import SwiftSyntax

/// A method as a type declares it.
struct DeclaredFunction: Sendable {
  var base: String
  var labels: [String]
  /// Plain types: without `any`, attributes, `inout` and the modules' names.
  var types: [String]
  var result: String
  var modifiers: Set<String>
  var attributes: Set<String>
  var isAsync: Bool
  var isThrowing: Bool
  var isGeneric: Bool
  var node: FunctionDeclSyntax
  var file: SourceFile

  var fullName: String { "\(base)(\(labels.map { $0 + ":" }.joined()))" }
  var firstType: String? {
    types.first.map { $0.filter { $0 != "?" && $0 != "!" } }
  }

  init(_ node: FunctionDeclSyntax, _ file: SourceFile) {
    base = node.name.text
    let signature = node.signature
    labels = signature.parameterClause.parameters.map { $0.firstName.text }
    types = signature.parameterClause.parameters.map { Self.plain($0.type) }
    result = signature.returnClause.map { Self.plain($0.type) } ?? ""
    if result == "Void" || result == "()" { result = "" }
    modifiers = Set(node.modifiers.map(\.name.text))
    attributes = attributeNames(node.attributes)
    isAsync = signature.effectSpecifiers?.asyncSpecifier != nil
    isThrowing = signature.effectSpecifiers?.throwsClause != nil
    isGeneric = node.genericParameterClause != nil
    (self.node, self.file) = (node, file)
  }

  /// True for a method that has a delegate method's name and a parameter of a manager of Core
  /// Location.
  func isDelegateMethod(_ aliases: [String: String]) -> Bool {
    guard let firstType, DelegateMethod.byName[fullName] != nil else { return false }
    return (aliases[firstType] ?? firstType) == "CLLocationManager"
  }

  /// What differs from a method of the same name, so that it is not that one; nil for nothing.
  func difference(from method: DelegateMethod, _ aliases: [String: String]) -> String? {
    if isAsync { return "it is 'async'" }
    if isThrowing { return "it 'throws'" }
    if modifiers.contains("static") || modifiers.contains("class") {
      return "it is no instance method"
    }
    if isGeneric { return nil }
    if result != method.result {
      return result.isEmpty ? "it returns nothing" : "it returns '\(result)'"
    }
    for (own, wanted) in zip(types, ["CLLocationManager"] + method.types) {
      let resolved = aliases[own] ?? own
      // An unknown name may be an alias of the same type.
      guard resolved != wanted, Self.isKnown(resolved) else { continue }
      return "a parameter is '\(own)' in place of '\(wanted)'"
    }
    return nil
  }

  private static func isKnown(_ type: String) -> Bool {
    let names = type.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    return names.allSatisfy {
      CoreLocationNames.contain($0)
        || ["Any", "AnyObject", "NSError", "Error", "NSArray", "Array", "NSObject"].contains($0)
    }
  }

  private static func plain(_ type: TypeSyntax) -> String {
    if let attributed = type.as(AttributedTypeSyntax.self) { return plain(attributed.baseType) }
    if let existential = type.as(SomeOrAnyTypeSyntax.self),
      existential.someOrAnySpecifier.tokenKind == .keyword(.any)
    {
      return plain(existential.constraint)
    }
    if let optional = type.as(OptionalTypeSyntax.self) { return plain(optional.wrappedType) + "?" }
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return plain(unwrapped.wrappedType) + "!"
    }
    if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first
    {
      return plain(only.type)
    }
    if let array = type.as(ArrayTypeSyntax.self) { return "[\(plain(array.element))]" }
    if let member = type.as(MemberTypeSyntax.self),
      ["CoreLocation", "Swift", "Foundation"].contains(member.baseType.trimmedDescription)
    {
      return member.name.text
    }
    if let name = type.as(IdentifierTypeSyntax.self), name.name.text == "Array",
      let element = name.genericArgumentClause?.arguments.first
    {
      let text = element.argument.trimmedDescription
      return "[\(text)]"
    }
    return type.trimmedDescription
  }
}

func attributeNames(_ list: AttributeListSyntax) -> Set<String> {
  Set(list.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription })
}
