#if hasFeature(Embedded)
  /// Embedded Swift has no `Codable`: there the values conform to nothing instead, and are not
  /// stored.
  typealias Codable = Any
#endif
