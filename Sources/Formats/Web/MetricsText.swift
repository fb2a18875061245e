import Quantities

/// An estimate in the text format of Prometheus, version 0.0.4: one gauge for each known value.
/// - Source: Prometheus documentation, "Exposition formats", text-based format.
public enum MetricsText {
  /// The Content-Type.
  public static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// Writes the metrics of an estimate.
  /// - Parameters:
  ///   - estimate: The newest estimate; nil before the first.
  ///   - isOpen: Whether a board, a recording or a simulation delivers data.
  ///   - viewers: The number of open WebSockets.
  /// - Returns: Lines of UTF-8.
  public static func text(_ estimate: Estimate?, isOpen: Bool, viewers: Int) -> [UInt8] {
    var lines: [UInt8] = []
    func add(_ metric: PublishedValue.Metric, _ samples: [(label: String, value: Double)]) {
      let name = "lodestar_\(metric.name)"
      let known = samples.filter { $0.value.isFinite }
      guard !known.isEmpty else { return }
      lines += Array("# HELP \(name) \(metric.help)\n# TYPE \(name) gauge\n".utf8)
      for sample in known {
        lines += Array("\(name)\(sample.label) ".utf8)
        lines.append(sample.value, decimals: metric.decimals)
        lines.append(UInt8(ascii: "\n"))
      }
    }
    add(
      PublishedValue.Metric(
        name: "source_open", help: "1 while a board, a recording or a simulation delivers data.",
        decimals: 0), [("", isOpen ? 1 : 0)])
    add(
      PublishedValue.Metric(name: "web_viewers", help: "Open WebSockets.", decimals: 0),
      [("", Double(viewers))])
    guard let estimate else { return lines }
    for value in PublishedValue.all {
      if let metric = value.metric { add(metric, samples(of: value, estimate, metric.decimals)) }
    }
    return lines
  }

  /// The gauges of a value: one, or one for each word, which is 1 for the word that holds.
  private static func samples(
    of published: PublishedValue, _ estimate: Estimate, _ decimals: Int
  ) -> [(label: String, value: Double)] {
    let number: Double? =
      switch published.content {
      case .number(let value): value(estimate)
      case .direction(let value): value(estimate)?.degreesBelowTurn(decimals: decimals)
      case .count(let value): value(estimate).map(Double.init)
      case .flag(let value): value(estimate) ? 1 : 0
      case .instant, .pressure, .word: nil
      }
    if let number { return [("", number)] }
    guard case .word(let words, let value) = published.content, let word = value(estimate) else {
      return []
    }
    return words.map { ("{state=\"\($0)\"}", $0 == word ? 1 : 0) }
  }
}
