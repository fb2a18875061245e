/// A conformance of the coordinate to `Equatable` or `Hashable` in the program.
struct CoordinateEqualityRule: Rule {
  let name = "coordinate-equality"
  let summary = "a conformance of CLLocationCoordinate2D without '@retroactive'"

  func findings(in sources: SourceSet) -> [Finding] {
    sources.types.all.flatMap { type -> [Finding] in
      guard type.kind == .extensionOfType, type.name == "CLLocationCoordinate2D" else { return [] }
      return type.inherited.compactMap { entry in
        guard ["Equatable", "Hashable", "Codable", "Encodable", "Decodable"].contains(entry.name),
          !entry.attributes.contains("retroactive")
        else { return nil }
        return type.file.finding(
          self, .note, at: entry.node,
          "works, with a warning of the compiler: CLLocationCoordinate2D is not \(entry.name) itself; "
            + "write '@retroactive \(entry.name)'")
      }
    }
  }
}
