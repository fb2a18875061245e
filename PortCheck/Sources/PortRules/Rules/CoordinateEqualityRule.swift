/// A conformance of the coordinate to `Equatable` or `Hashable` in the program.
struct CoordinateEqualityRule: Rule {
  let name = "coordinate-equality"
  let summary = "a conformance of CLLocationCoordinate2D without '@retroactive'"

  private static let coordinate = "CLLocationCoordinate2D"

  func findings(in sources: SourceSet) -> [Finding] {
    let types = sources.types.all
    // A package that declares the coordinate itself on Linux means that one.
    guard !types.contains(where: { $0.kind != .extensionOfType && $0.name == Self.coordinate })
    else { return [] }
    return types.flatMap { type -> [Finding] in
      guard type.kind == .extensionOfType, type.name == Self.coordinate else { return [] }
      return type.inherited.compactMap { entry in
        guard ["Equatable", "Hashable", "Codable", "Encodable", "Decodable"].contains(entry.name),
          !entry.attributes.contains("retroactive")
        else { return nil }
        return type.file.finding(
          self, .note, at: entry.node,
          "works, with a warning of the compiler: \(Self.coordinate) is not \(entry.name) itself; "
            + "write '@retroactive \(entry.name)'")
      }
    }
  }
}
