import SwiftSyntax

/// Objective-C in packages that use Core Location: there is no such runtime.
struct ObjectiveCRule: Rule {
  let name = "objective-c"
  let summary = "'@objc', '#selector' and their kind"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.portedFiles.flatMap { file in
      Visitor(file).findings(of: self) { Self.remedies[$0] ?? "" }
    }
  }

  private static let remedies: [String: String] = [
    "@objc": "take the attribute away; of a protocol with optional methods make one with defaults",
    "@objcMembers": "take the attribute away",
    "@IBAction": "there are no views here; keep it in '#if canImport(UIKit)'",
    "@IBOutlet": "there are no views here; keep it in '#if canImport(UIKit)'",
    "#selector": "call with a closure",
    "#keyPath": "write a key path '\\Type.property'",
    "forwardingTarget(for:)":
      "no message is forwarded; write every delegate method that is to be passed on",
    "responds(to:)": "every delegate method is always there",
    "addObserver(forKeyPath:)":
      "there is no key-value observing; take the delegate's methods or didSet",
    "observe(_:)": "there is no key-value observing; take the delegate's methods or didSet",
    "Selector": "call with a closure; every delegate method is always there",
    "class_getName": "write String(describing:)",
    "method_exchangeImplementations": "there is no runtime to change",
    "objc_getAssociatedObject": "keep the value in a property or a dictionary",
    "objc_setAssociatedObject": "keep the value in a property or a dictionary",
    "objc_sync_enter": "use Mutex of Synchronization, or NSLock",
    "objc_sync_exit": "use Mutex of Synchronization, or NSLock",
    "object_getClass": "write type(of:)",
  ]

  /// Functions of the runtime.
  private static let functions: Set<String> = [
    "class_getName", "method_exchangeImplementations", "objc_getAssociatedObject",
    "objc_setAssociatedObject", "objc_sync_enter", "objc_sync_exit", "object_getClass",
  ]

  private final class Visitor: WordVisitor {
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
      let word = "@" + node.attributeName.trimmedDescription
      if ObjectiveCRule.remedies[word] != nil { add(word, node) }
      return .visitChildren
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
      let word = "#" + node.macroName.text
      if ObjectiveCRule.remedies[word] != nil { add(word, node) }
      return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      let labels = node.signature.parameterClause.parameters.map { $0.firstName.text + ":" }
      let word = "\(node.name.text)(\(labels.joined()))"
      let isOverride = node.modifiers.contains { $0.name.text == "override" }
      if isOverride, ObjectiveCRule.remedies[word] != nil { add(word, node.name) }
      return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let called =
        node.calledExpression.as(MemberAccessExprSyntax.self)?.declName
        ?? node.calledExpression.as(DeclReferenceExprSyntax.self)
      if called?.baseName.text == "addObserver",
        node.arguments.contains(where: { $0.label?.text == "forKeyPath" })
      {
        add("addObserver(forKeyPath:)", node)
      }
      if let member = node.calledExpression.as(MemberAccessExprSyntax.self),
        member.declName.baseName.text == "observe", isOfManager(member),
        node.arguments.first?.expression.is(KeyPathExprSyntax.self) == true
      {
        add("observe(_:)", node)
      }
      if called?.baseName.text == "Selector" || called?.baseName.text == "NSSelectorFromString" {
        add("Selector", node)
      }
      if let called, ObjectiveCRule.functions.contains(called.baseName.text) {
        add(called.baseName.text, node)
      }
      return .visitChildren
    }

    /// Others have an `observe` of their own.
    private func isOfManager(_ member: MemberAccessExprSyntax) -> Bool {
      let base = member.base?.trimmedDescription.lowercased() ?? ""
      return base.contains("manager") || base.contains("location")
    }
  }
}
