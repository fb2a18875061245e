/// Methods of a delegate that resemble the protocol's but differ, so that the empty default is
/// called.
struct NearMissRule: Rule {
  let name = "near-miss"
  let summary = "a method that is nearly one of the delegate's, which is then never called"

  func findings(in sources: SourceSet) -> [Finding] {
    let types = sources.types
    var findings: [Finding] = []
    for index in types.all.indices {
      guard types.all[index].kind == .classType || types.all[index].kind == .otherType else {
        continue
      }
      let family = [index] + types.superclasses(of: index)
      guard family.contains(where: { types.statement(of: $0) != nil }) else { continue }
      let right = Set(
        family.flatMap { types.functions(of: $0) }.filter { isRight($0, types) }.map(\.fullName))
      for function in types.functions(of: index) where !function.modifiers.contains("override") {
        guard let (method, reason) = miss(function, types), !right.contains(method.fullName) else {
          continue
        }
        findings.append(
          function.file.finding(
            self, .error, at: function.node.name,
            "\(function.fullName) is never called: \(reason); the delegate's method is "
              + "'\(method.signature)'"))
      }
    }
    return findings
  }

  private func isRight(_ function: DeclaredFunction, _ types: TypeIndex) -> Bool {
    guard let method = DelegateMethod.byName[function.fullName] else { return false }
    return function.difference(from: method, types.aliases) == nil
  }

  private func miss(
    _ function: DeclaredFunction, _ types: TypeIndex
  ) -> (DelegateMethod, String)? {
    guard DelegateMethod.bases.contains(function.base) else { return nil }
    if let method = DelegateMethod.byName[function.fullName] {
      guard function.isDelegateMethod(types.aliases) else { return nil }
      return function.difference(from: method, types.aliases).map { (method, $0) }
    }
    return DelegateMethod.meant(by: function).map { ($0, "its name differs") }
  }
}
