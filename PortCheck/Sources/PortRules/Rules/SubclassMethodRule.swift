/// Delegate methods that only a subclass of the conforming class has.
///
/// On an iPhone the Objective-C runtime finds them. Here the methods of a conformance are fixed
/// when the conforming class is compiled: a missing one is the empty default for its subclasses
/// too.
struct SubclassMethodRule: Rule {
  let name = "subclass-delegate-method"
  let summary = "a delegate method that only a subclass of the conforming class has"

  func findings(in sources: SourceSet) -> [Finding] {
    let types = sources.types
    var findings: [Finding] = []
    for index in types.all.indices where types.all[index].kind == .classType {
      let above = types.superclasses(of: index)
      // The class nearest to the root decides: a subclass cannot declare the conformance again.
      guard let conforming = above.last(where: { types.statement(of: $0) != nil }) else { continue }
      let holders = [conforming] + types.superclasses(of: conforming)
      let known = Set(above.flatMap { types.functions(of: $0) }.map(\.fullName))
      for function in types.functions(of: index) where !known.contains(function.fullName) {
        guard isRight(function, types),
          !function.modifiers.contains("override"), !function.modifiers.contains("static")
        else { continue }
        findings.append(
          function.file.finding(
            self, .error, at: function.node.name,
            "\(function.fullName) is never called: \(place(conforming, types)) states the conformance "
              + "and does not have it; put an empty one there and write 'override' here"))
      }
      findings += protocolFindings(index, conforming, holders, types)
    }
    return findings
  }

  /// `NearMissRule` reports a method with different types.
  private func isRight(_ function: DeclaredFunction, _ types: TypeIndex) -> Bool {
    guard let method = DelegateMethod.byName[function.fullName] else { return false }
    return function.isDelegateMethod(types.aliases)
      && function.difference(from: method, types.aliases) == nil
  }

  /// Methods that a subclass gets from a protocol that the conforming class does not know.
  private func protocolFindings(
    _ index: Int, _ conforming: Int, _ holders: [Int], _ types: TypeIndex
  ) -> [Finding] {
    let known = Set(holders.flatMap { types.functions(of: $0) }.map(\.fullName))
    var findings: [Finding] = []
    for part in types.parts(of: index) {
      for entry in types.all[part].inherited {
        guard let adopted = types.resolved(entry.name, from: part),
          types.all[adopted].kind == .protocolType,
          !holders.contains(where: { adopts($0, adopted, types) })
        else { continue }
        let methods = types.functions(of: adopted).filter {
          $0.node.body != nil && isRight($0, types)
            && !known.contains($0.fullName)
        }
        guard let first = methods.first else { continue }
        findings.append(
          types.all[part].file.finding(
            self, .error, at: entry.node,
            "\(first.fullName) of \(entry.name)'s extension is never called for this class: "
              + "\(place(conforming, types)) states the conformance; let it adopt \(entry.name), or put "
              + "an empty method there and override it here"))
      }
    }
    return findings
  }

  private func adopts(_ index: Int, _ wanted: Int, _ types: TypeIndex) -> Bool {
    types.parts(of: index).contains { part in
      types.all[part].inherited.contains { types.resolved($0.name, from: part) == wanted }
    }
  }

  private func place(_ index: Int, _ types: TypeIndex) -> String {
    let type = types.all[types.statement(of: index) ?? index]
    return "\(types.all[index].shortName) (\(type.file.path):\(type.file.line(of: type.node)))"
  }
}
