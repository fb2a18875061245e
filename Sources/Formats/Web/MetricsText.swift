import Quantities
import ReceiverProtocols

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
  ///   - receiver: The receiver's condition; nil without a receiver.
  /// - Returns: Lines of UTF-8.
  public static func text(
    _ estimate: Estimate?, isOpen: Bool, viewers: Int, receiver: ReceiverCondition? = nil
  ) -> [UInt8] {
    var lines: [UInt8] = []
    func add(
      _ metric: PublishedValue.Metric, _ samples: [(label: String, value: Double)],
      type: String = "gauge"
    ) {
      let name = "lodestar_\(metric.name)"
      let known = samples.filter { $0.value.isFinite }
      guard !known.isEmpty else { return }
      lines += Array("# HELP \(name) \(metric.help)\n# TYPE \(name) \(type)\n".utf8)
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
    if let receiver { for (metric, samples) in Self.samples(of: receiver) { add(metric, samples) } }
    if let corrections = receiver?.corrections {
      func count(_ name: String, _ help: String, _ samples: [(label: String, value: Double)]) {
        let metric = PublishedValue.Metric(
          name: "corrections_\(name)_total", help: help, decimals: 0)
        add(metric, samples, type: "counter")
      }
      count("bytes", "Bytes of corrections for the receiver.", [("", Double(corrections.bytes))])
      count(
        "messages", "Messages of corrections by type.",
        corrections.messages.sorted { $0.key < $1.key }.map {
          ("{type=\"\($0.key)\"}", Double($0.value))
        })
      count(
        "interruptions", "How often the source of corrections was lost.",
        [("", Double(corrections.interruptions))])
      add(
        PublishedValue.Metric(
          name: "corrections_age_seconds", help: "Time since the newest correction.", decimals: 1),
        corrections.ageSeconds.map { [("", $0)] } ?? [])
    }
    guard let estimate else { return lines }
    for value in PublishedValue.all {
      if let metric = value.metric { add(metric, samples(of: value, estimate, metric.decimals)) }
    }
    return lines
  }

  /// The gauges of a receiver's condition.
  private static func samples(
    of receiver: ReceiverCondition
  ) -> [(PublishedValue.Metric, [(label: String, value: Double)])] {
    /// One gauge for each word, which is 1 for the word that holds; none where nothing is known.
    func states(_ word: String?, of words: [String]) -> [(label: String, value: Double)] {
      word.map { word in words.map { ("{state=\"\($0)\"}", $0 == word ? 1 : 0) } } ?? []
    }
    func gauge(_ value: Double?) -> [(label: String, value: Double)] {
      value.map { [("", $0)] } ?? []
    }
    let losses = [ReceiverJSON.noLoss] + FixLoss.Cause.allCases.map(\.rawValue)
    return [
      (
        PublishedValue.Metric(
          name: "receiver_antenna", help: "The receiver's antenna by its supervisor.", decimals: 0),
        states(receiver.antenna?.word, of: SignalState.Antenna.allCases.map(\.word))
      ),
      (
        PublishedValue.Metric(
          name: "receiver_interference", help: "Interference as the receiver detects it.",
          decimals: 0),
        states(receiver.interference?.word, of: SignalState.Interference.allCases.map(\.word))
      ),
      (
        PublishedValue.Metric(
          name: "receiver_interference_level",
          help: "Continuous-wave interference, 0 none to 255 strong.", decimals: 0),
        gauge(receiver.interferenceLevel.map(Double.init))
      ),
      (
        PublishedValue.Metric(
          name: "receiver_spoofing", help: "Spoofing as the receiver detects it.", decimals: 0),
        states(receiver.spoofing?.word, of: SignalState.Spoofing.allCases.map(\.word))
      ),
      (
        PublishedValue.Metric(
          name: "receiver_fix_loss", help: "Why the receiver has no fix; none while it has one.",
          decimals: 0), states(receiver.lossWord, of: losses)
      ),
      (
        PublishedValue.Metric(
          name: "receiver_time_to_first_fix_seconds",
          help: "Time from the receiver's start, or from its first byte, to its first fix.",
          decimals: 1), gauge(receiver.firstFix?.seconds)
      ),
      (
        PublishedValue.Metric(
          name: "receiver_first_fix_assisted",
          help: "1 where stored position, time or orbits were given to the receiver before.",
          decimals: 0), gauge(receiver.firstFix.map { $0.isAssisted ? 1 : 0 })
      ),
    ]
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
