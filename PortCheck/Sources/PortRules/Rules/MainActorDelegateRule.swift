/// Delegates on the main actor in the Swift 6 language mode.
struct MainActorDelegateRule: Rule {
  let name = "main-actor-delegate"
  let summary = "a delegate on the main actor, which the Swift 6 mode refuses"

  func findings(in sources: SourceSet) -> [Finding] {
    let types = sources.types
    return types.all.indices.compactMap { index in
      let type = types.all[index]
      guard type.kind == .classType, sources.manifest(of: type.file)?.usesSwift6Mode == true,
        let part = types.statement(of: index), isIsolated(index, types)
      else { return nil }
      let entry = types.all[part].inherited.first {
        types.leadsToDelegate($0.name, from: part, seen: [])
      }
      // `@MainActor CLLocationManagerDelegate` is an isolated conformance of Swift 6.2.
      guard let entry, entry.attributes.isDisjoint(with: ["preconcurrency", "MainActor"]) else {
        return nil
      }
      let methods = types.functions(of: index).filter {
        DelegateMethod.byName[$0.fullName] != nil && !$0.modifiers.contains("nonisolated")
      }
      guard !methods.isEmpty else { return nil }
      return types.all[part].file.finding(
        self, .error, at: entry.node,
        "\(type.shortName) is on the main actor and the delegate's methods are not: write "
          + "'@preconcurrency \(entry.name)', which is right for a manager made on the main queue, or "
          + "'nonisolated' methods")
    }
  }

  private func isIsolated(_ index: Int, _ types: TypeIndex) -> Bool {
    ([index] + types.superclasses(of: index)).contains {
      types.all[$0].attributes.contains("MainActor")
    }
  }
}
