/// Overrides of delegate methods that need the Objective-C runtime: in an extension, or of a method
/// in an extension.
struct ExtensionOverrideRule: Rule {
  let name = "extension-override"
  let summary = "an override of a delegate method in, or from, an extension"

  func findings(in sources: SourceSet) -> [Finding] {
    let types = sources.types
    return types.all.indices.flatMap { index -> [Finding] in
      guard types.all[index].kind == .classType else { return [] }
      return types.parts(of: index).flatMap { part in
        types.all[part].functions.compactMap { function in
          guard function.modifiers.contains("override"), function.isDelegateMethod(types.aliases)
          else { return nil }
          return reason(function, index, part, types).map {
            function.file.finding(self, .error, at: function.node.name, $0)
          }
        }
      }
    }
  }

  private func reason(
    _ function: DeclaredFunction, _ index: Int, _ part: Int, _ types: TypeIndex
  ) -> String? {
    if types.all[part].kind == .extensionOfType {
      return
        "\(function.fullName) does not compile: an extension cannot override; move it into the "
        + "class's braces"
    }
    for above in types.superclasses(of: index) {
      let parts = types.parts(of: above)
      guard
        let holder = parts.first(where: { part in
          types.all[part].functions.contains { $0.fullName == function.fullName }
        })
      else { continue }
      guard types.all[holder].kind == .extensionOfType else { return nil }
      return "\(function.fullName) does not compile: \(types.all[above].shortName) has it in an "
        + "extension (\(types.all[holder].file.path):"
        + "\(types.all[holder].file.line(of: types.all[holder].node))), where nothing can be "
        + "overridden; move it there into the class's braces"
    }
    return nil
  }
}
