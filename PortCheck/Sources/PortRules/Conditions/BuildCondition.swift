import SwiftSyntax

/// Whether a condition of `#if` is true on a platform: nil where that depends on unknown flags.
struct BuildCondition: Sendable {
  /// The platform's name in `os()`.
  let system: String
  /// Whether a module exists; nil for one that neither Apple nor Swift provides.
  let hasModule: @Sendable (String) -> Bool?

  static let linux = BuildCondition(system: "Linux") { name in
    AppleModules.missing.contains(name) ? false : AppleModules.common.contains(name) ? true : nil
  }

  static let iPhone = BuildCondition(system: "iOS") { name in
    ["AppKit", "WatchKit", "Cocoa", "Glibc", "Musl", "FoundationNetworking"].contains(name)
      ? false
      : AppleModules.missing.contains(name) || AppleModules.common.contains(name) ? true : nil
  }

  func holds(_ condition: ExprSyntax?) -> Bool? {
    // `#else` has none.
    guard let condition else { return true }
    if let sequence = condition.as(SequenceExprSyntax.self) {
      return holds(Array(sequence.elements))
    }
    if let infix = condition.as(InfixOperatorExprSyntax.self) {
      return combined(
        holds(infix.leftOperand), infix.operator.trimmedDescription, holds(infix.rightOperand))
    }
    if let tuple = condition.as(TupleExprSyntax.self), let only = tuple.elements.first {
      return holds(only.expression)
    }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self) {
      return holds(prefix.expression).map { !$0 }
    }
    if let literal = condition.as(BooleanLiteralExprSyntax.self) {
      return literal.literal.tokenKind == .keyword(.true)
    }
    if let call = condition.as(FunctionCallExprSyntax.self) { return holds(call) }
    return nil
  }

  private func holds(_ call: FunctionCallExprSyntax) -> Bool? {
    let argument = call.arguments.first?.expression.trimmedDescription ?? ""
    switch call.calledExpression.trimmedDescription {
    case "os": return argument == system
    case "canImport":
      let module = argument.split(separator: ".").first.map(String.init) ?? argument
      return hasModule(module)
    // No board is a simulator or a Mac; an iPhone's sources may be either.
    case "targetEnvironment": return system == "Linux" ? false : nil
    default: return nil
    }
  }

  /// `&&` binds closer than `||`.
  private func holds(_ elements: [ExprSyntax]) -> Bool? {
    let isOr = { (element: ExprSyntax) in element.trimmedDescription == "||" }
    if let index = elements.firstIndex(where: isOr) {
      return combined(
        holds(Array(elements[..<index])), "||", holds(Array(elements[(index + 1)...])))
    }
    var result: Bool? = true
    for element in elements where element.trimmedDescription != "&&" {
      result = combined(result, "&&", holds(element))
    }
    return elements.isEmpty ? nil : result
  }

  private func combined(_ a: Bool?, _ sign: String, _ b: Bool?) -> Bool? {
    switch sign {
    case "&&": a == false || b == false ? false : a == true && b == true ? true : nil
    case "||": a == true || b == true ? true : a == false && b == false ? false : nil
    default: nil
    }
  }

  /// The clauses that may be compiled, up to the first that is certainly true.
  func possible(_ clauses: IfConfigClauseListSyntax) -> [IfConfigClauseSyntax] {
    var found: [IfConfigClauseSyntax] = []
    for clause in clauses {
      let holds = holds(clause.condition)
      if holds != false { found.append(clause) }
      if holds == true { break }
    }
    return found
  }
}
