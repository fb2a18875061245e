/// The types of all files: superclasses, conformances and declared methods.
struct TypeIndex: Sendable {
  static let delegate = "CLLocationManagerDelegate"

  /// Every declaration and extension, in the order of the files.
  let all: [DeclaredType]
  /// The types of plain aliases, by their short names.
  let aliases: [String: String]
  private let declarations: [String: [Int]]
  private let extensions: [Int: [Int]]

  init(_ files: [SourceFile]) {
    var all: [DeclaredType] = []
    for file in files {
      let collector = TypeCollector(file)
      collector.walk(file.tree)
      all += collector.types
    }
    var declarations: [String: [Int]] = [:]
    for (index, type) in all.enumerated() where type.kind != .extensionOfType {
      declarations[type.name, default: []].append(index)
    }
    var extensions: [Int: [Int]] = [:]
    for (index, type) in all.enumerated() where type.kind == .extensionOfType {
      if let base = Self.resolve(type.name, from: type, all, declarations) {
        extensions[base, default: []].append(index)
      }
    }
    (self.all, self.declarations, self.extensions) = (all, declarations, extensions)
    aliases = Dictionary(
      all.filter { $0.kind == .alias && $0.inherited.count == 1 }.map {
        ($0.shortName, $0.inherited[0].name)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The places of a type's declaration and extensions.
  func parts(of index: Int) -> [Int] { [index] + (extensions[index] ?? []) }

  /// The classes and protocols that a declaration names, by their places.
  func resolved(_ name: String, from index: Int) -> Int? {
    Self.resolve(name, from: all[index], all, declarations)
  }

  /// The class above a class; nil where there is none, or none in these sources.
  func superclass(of index: Int) -> Int? { superclass(of: index, seen: [index]) }

  /// An alias may name a class, or a class with protocols.
  private func superclass(of index: Int, seen: Set<Int>) -> Int? {
    for entry in all[index].inherited {
      guard let found = resolved(entry.name, from: index), !seen.contains(found) else { continue }
      if all[found].kind == .classType { return found }
      if all[found].kind == .alias,
        let aliased = superclass(of: found, seen: seen.union([found]))
      {
        return aliased
      }
    }
    return nil
  }

  /// The classes above a class, nearest first.
  func superclasses(of index: Int) -> [Int] {
    var found: [Int] = []
    var next = superclass(of: index)
    // A class that inherits from itself is the compiler's to refuse.
    while let current = next, !found.contains(current), current != index {
      found.append(current)
      next = superclass(of: current)
    }
    return found
  }

  /// The part of a type that states the conformance, itself or by a protocol or an alias.
  func statement(of index: Int) -> Int? {
    parts(of: index).first { part in
      all[part].inherited.contains { leadsToDelegate($0.name, from: part, seen: []) }
    }
  }

  /// Whether a name is the delegate's protocol, or a protocol or alias that includes it.
  func leadsToDelegate(_ name: String, from index: Int, seen: Set<Int>) -> Bool {
    if name == Self.delegate { return true }
    guard let found = resolved(name, from: index), !seen.contains(found) else { return false }
    guard all[found].kind == .protocolType || all[found].kind == .alias else { return false }
    return all[found].inherited.contains {
      leadsToDelegate($0.name, from: found, seen: seen.union([found]))
    }
  }

  /// The methods of a type, in its declaration and extensions.
  func functions(of index: Int) -> [DeclaredFunction] {
    parts(of: index).flatMap { all[$0].functions }
  }

  /// Looks a name up as Swift does, from the inside out; of several types of one name the nearest
  /// in the folders is taken, since it is likely of the same module.
  private static func resolve(
    _ name: String, from user: DeclaredType, _ all: [DeclaredType], _ declarations: [String: [Int]]
  ) -> Int? {
    var scopes = user.scopes
    if user.kind != .extensionOfType { scopes = user.name.split(separator: ".").map(String.init) }
    while true {
      let full = (scopes + [name]).joined(separator: ".")
      if let found = declarations[full] { return nearest(found, to: user.file, all) }
      guard !scopes.isEmpty else { break }
      scopes.removeLast()
    }
    // `Module.Type` of a module of these sources.
    guard let dot = name.firstIndex(of: "."),
      let found = declarations[String(name[name.index(after: dot)...])]
    else { return nil }
    return nearest(found, to: user.file, all)
  }

  private static func nearest(
    _ found: [Int], to file: SourceFile, _ all: [DeclaredType]
  ) -> Int? {
    found.max { closeness(all[$0].file, file) < closeness(all[$1].file, file) }
  }

  private static func closeness(_ a: SourceFile, _ b: SourceFile) -> Int {
    if a.path == b.path { return .max }
    return zip(a.absoluteFolder.split(separator: "/"), b.absoluteFolder.split(separator: "/"))
      .prefix { $0 == $1 }.count
  }
}
