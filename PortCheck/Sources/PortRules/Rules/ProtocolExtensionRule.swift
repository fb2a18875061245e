/// Delegate methods in an extension of a protocol: called here, never on an iPhone, whose runtime
/// does not find them.
struct ProtocolExtensionRule: Rule {
  let name = "protocol-extension-method"
  let summary = "a delegate method in a protocol's extension, which an iPhone never calls"

  func findings(in sources: SourceSet) -> [Finding] {
    let types = sources.types
    return types.all.indices.flatMap { index -> [Finding] in
      let type = types.all[index]
      guard type.kind == .extensionOfType, extendsDelegate(index, types) else { return [] }
      return type.functions.compactMap { function in
        guard function.isDelegateMethod(types.aliases) else { return nil }
        return function.file.finding(
          self, .warning, at: function.node.name,
          "\(function.fullName) in an extension of the protocol \(type.name) is called on Linux and "
            + "never on an iPhone; put it into the conforming class if it is wanted, else remove it"
        )
      }
    }
  }

  private func extendsDelegate(_ index: Int, _ types: TypeIndex) -> Bool {
    let type = types.all[index]
    if types.leadsToDelegate(type.name, from: index, seen: []) { return true }
    // `extension Tracking where Self: CLLocationManagerDelegate`.
    guard let extended = types.resolved(type.name, from: index),
      types.all[extended].kind == .protocolType
    else { return false }
    return type.inherited.contains { types.leadsToDelegate($0.name, from: index, seen: []) }
  }
}
