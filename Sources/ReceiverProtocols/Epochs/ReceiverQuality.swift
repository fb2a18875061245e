/// A receiver's estimate of its own state, each from 0, bad, to 10, good; nil where it does not
/// report it.
/// - Source: Septentrio mosaic-X5 reference guide 4.14, QualityInd.
public struct ReceiverQuality: Equatable, Sendable {
  /// All of it.
  public var overall: Int?
  /// The satellites' signals from the main antenna.
  public var signals: Int?
  /// The power that the main antenna delivers.
  public var antennaPower: Int?
  /// The processor's free time.
  public var processor: Int?

  /// Makes an estimate of nothing.
  public init() {}

  /// True where nothing is known.
  public var isEmpty: Bool { self == ReceiverQuality() }

  /// In few words: `quality 9 of 10 (signals 8, antenna power 10, processor 6)`; nil for nothing.
  public var text: String? {
    var parts: [String] = []
    if let signals { parts.append("signals \(signals)") }
    if let antennaPower { parts.append("antenna power \(antennaPower)") }
    if let processor { parts.append("processor \(processor)") }
    let rest = parts.joined(separator: ", ")
    guard let overall else { return parts.isEmpty ? nil : "quality of 10: \(rest)" }
    return "quality \(overall) of 10" + (parts.isEmpty ? "" : " (\(rest))")
  }
}

#if !hasFeature(Embedded)
  // Embedded Swift has no Codable.
  extension ReceiverQuality: Codable {}
#endif
