/// Delegate methods that the protocol cannot reach.
struct PrivateMethodRule: Rule {
  let name = "private-delegate-method"
  let summary = "a delegate method that is private"

  func findings(in sources: SourceSet) -> [Finding] {
    let types = sources.types
    return types.all.indices.flatMap { index -> [Finding] in
      let type = types.all[index]
      guard type.kind == .classType || type.kind == .otherType, types.statement(of: index) != nil
      else { return [] }
      let isHidden = !type.modifiers.isDisjoint(with: ["private", "fileprivate"])
      return types.functions(of: index).compactMap { function in
        guard function.isDelegateMethod(types.aliases) else { return nil }
        let isTooHidden =
          function.modifiers.contains("private")
          || function.modifiers.contains("fileprivate") && !isHidden
        guard isTooHidden else { return nil }
        return function.file.finding(
          self, .error, at: function.node.name,
          "\(function.fullName) is as private as no method of a protocol may be: it does not "
            + "compile; take the modifier away")
      }
    }
  }
}
