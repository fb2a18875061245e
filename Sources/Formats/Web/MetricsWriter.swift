/// Writes metrics in the text format of Prometheus, version 0.0.4.
/// - Source: Prometheus documentation, "Exposition formats", text-based format.
struct MetricsWriter {
  /// Kinds of metrics.
  enum Kind: String, Sendable { case gauge, counter }

  /// A value with its labels, by name.
  struct Sample {
    var labels: KeyValuePairs<String, String> = [:]
    var value: Double
  }

  private(set) var lines: [UInt8] = []

  /// Adds a metric with its finite samples; without any nothing is added.
  mutating func add(
    _ metric: PublishedValue.Metric, _ samples: [Sample], type: Kind = .gauge
  ) {
    let name = "lodestar_\(metric.name)"
    let known = samples.filter { $0.value.isFinite }
    guard !known.isEmpty else { return }
    lines += Array("# HELP \(name) \(metric.help)\n# TYPE \(name) \(type.rawValue)\n".utf8)
    for sample in known {
      lines += Array("\(name)\(Self.text(sample.labels)) ".utf8)
      lines.append(sample.value, decimals: metric.decimals)
      lines.append(UInt8(ascii: "\n"))
    }
  }

  /// Adds a metric with one sample, or none for nil.
  mutating func add(_ metric: PublishedValue.Metric, _ value: Double?, type: Kind = .gauge) {
    add(metric, value.map { [Sample(value: $0)] } ?? [], type: type)
  }

  /// A sample for each word, which is 1 for the word that holds; none where nothing is known.
  static func states(_ word: String?, of words: [String], label: String = "state") -> [Sample] {
    word.map { word in
      words.map { Sample(labels: [label: $0], value: $0 == word ? 1 : 0) }
    } ?? []
  }

  private static func text(_ labels: KeyValuePairs<String, String>) -> String {
    guard !labels.isEmpty else { return "" }
    let pairs = labels.map { "\($0.key)=\"\(escaped($0.value))\"" }
    return "{\(pairs.joined(separator: ","))}"
  }

  /// A label's value: a device's name may have any character.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
