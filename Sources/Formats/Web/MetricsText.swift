import Quantities
import ReceiverProtocols

/// An estimate and a board's health in the text format of Prometheus: one metric for each known
/// value.
public enum MetricsText {
  /// The Content-Type.
  public static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// Writes the metrics.
  /// - Parameters:
  ///   - estimate: The newest estimate; nil before the first.
  ///   - isOpen: Whether a board, a recording or a simulation delivers data.
  ///   - viewers: The number of open WebSockets.
  ///   - receiver: The receiver's condition; nil without a receiver.
  ///   - health: The health of the board; nil where it is not known.
  ///   - outputs: What the outputs without connections have sent.
  ///   - nmea2000: The device of NMEA 2000; nil without one.
  /// - Returns: Lines of UTF-8.
  package static func text(
    _ estimate: Estimate?, isOpen: Bool, viewers: Int, receiver: ReceiverCondition? = nil,
    health: BoardHealth? = nil, outputs: [OutputCount] = [],
    nmea2000: NMEA2000Counts? = nil
  ) -> [UInt8] {
    var writer = MetricsWriter()
    writer.add(
      PublishedValue.Metric(
        name: "source_open", help: "1 while a board, a recording or a simulation delivers data.",
        decimals: 0), isOpen ? 1 : 0)
    writer.add(
      PublishedValue.Metric(name: "web_viewers", help: "Open WebSockets.", decimals: 0),
      Double(viewers))
    for (result, count) in [("sent", \OutputCount.sent), ("failed", \OutputCount.failed)] {
      writer.add(
        PublishedValue.Metric(
          name: "output_\(result)_packets_total",
          help: "Packets of an output without connections, or directions of a pointing protocol, "
            + "that were \(result == "sent" ? "" : "not ")sent.", decimals: 0),
        outputs.map {
          MetricsWriter.Sample(labels: ["output": $0.name], value: Double($0[keyPath: count]))
        }, type: .counter)
    }
    if let health { writer.add(health) }
    if let receiver { writer.add(receiver) }
    if let nmea2000 { writer.add(nmea2000) }
    guard let estimate else { return writer.lines }
    for value in PublishedValue.all {
      if let metric = value.metric {
        writer.add(metric, samples(of: value, estimate, metric.decimals))
      }
    }
    return writer.lines
  }

  /// The gauges of a value: one, or one for each word, which is 1 for the word that holds.
  private static func samples(
    of published: PublishedValue, _ estimate: Estimate, _ decimals: Int
  ) -> [MetricsWriter.Sample] {
    let number: Double? =
      switch published.content {
      case .number(let value): value(estimate)
      case .direction(let value): value(estimate)?.degreesBelowTurn(decimals: decimals)
      case .count(let value): value(estimate).map(Double.init)
      case .flag(let value): value(estimate) ? 1 : 0
      case .instant, .pressure, .word: nil
      }
    if let number { return [MetricsWriter.Sample(value: number)] }
    guard case .word(let words, let value) = published.content else { return [] }
    return MetricsWriter.states(value(estimate), of: words)
  }
}

extension MetricsWriter {
  /// The gauges of a receiver's condition, and the counters of its corrections.
  mutating func add(_ receiver: ReceiverCondition) {
    func metric(_ name: String, _ help: String, decimals: Int = 0) -> PublishedValue.Metric {
      PublishedValue.Metric(name: "receiver_\(name)", help: help, decimals: decimals)
    }
    let losses = [ReceiverJSON.noLoss] + FixLoss.Cause.allCases.map(\.rawValue)
    add(
      metric("antenna", "The receiver's antenna by its supervisor."),
      Self.states(receiver.antenna?.word, of: SignalState.Antenna.allCases.map(\.word)))
    add(
      metric("interference", "Interference as the receiver detects it."),
      Self.states(receiver.interference?.word, of: SignalState.Interference.allCases.map(\.word)))
    add(
      metric("interference_level", "Continuous-wave interference, 0 none to 255 strong."),
      receiver.interferenceLevel.map(Double.init))
    add(
      metric("spoofing", "Spoofing as the receiver detects it."),
      Self.states(receiver.spoofing?.word, of: SignalState.Spoofing.allCases.map(\.word)))
    add(
      metric("quality", "The receiver's estimate of its own state, 0 bad to 10 good."),
      receiver.quality?.overall.map(Double.init))
    add(
      metric("fix_loss", "Why the receiver has no fix; none while it has one."),
      Self.states(receiver.lossWord, of: losses))
    add(
      metric(
        "time_to_first_fix_seconds",
        "Time from the receiver's start, or from its first byte, to its first fix.", decimals: 1),
      receiver.firstFix?.seconds)
    add(
      metric(
        "first_fix_assisted",
        "1 where stored position, time or orbits were given to the receiver before."),
      receiver.firstFix.map { $0.isAssisted ? 1 : 0 })
    if let corrections = receiver.corrections { add(corrections) }
  }

  private mutating func add(_ corrections: ReceiverCondition.Corrections) {
    func metric(_ name: String, _ help: String, decimals: Int = 0) -> PublishedValue.Metric {
      PublishedValue.Metric(name: "corrections_\(name)", help: help, decimals: decimals)
    }
    add(
      metric("bytes_total", "Bytes of corrections for the receiver."), Double(corrections.bytes),
      type: .counter)
    add(
      metric("messages_total", "Messages of corrections by type."),
      corrections.messages.sorted { $0.key < $1.key }.map {
        Sample(labels: ["type": "\($0.key)"], value: Double($0.value))
      }, type: .counter)
    add(
      metric("interruptions_total", "How often the source of corrections was lost."),
      Double(corrections.interruptions), type: .counter)
    add(
      metric("age_seconds", "Time since the newest correction.", decimals: 1),
      corrections.ageSeconds)
  }
}
