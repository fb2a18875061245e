import Yams

extension Board {
  /// A receiver's pulse per second.
  public struct Pulse: Equatable, Sendable {
    /// Which edge is on time.
    public enum Edge: String, CaseIterable, Sendable {
      /// The edge that begins the shorter part of the second.
      case automatic = "auto"
      /// From low to high.
      case rising
      /// From high to low.
      case falling
    }

    /// A source of the kernel, such as `/dev/pps0`, or the name of a GPIO line, such as `GPIO18`.
    public var source: String
    /// Which edge is on time.
    public var edge: Edge
    /// The time from the pulse to the first byte of its second's sentences, seconds; nil: it is measured.
    public var messageDelaySeconds: Double?

    /// Makes a pulse.
    public init(source: String, edge: Edge = .automatic, messageDelaySeconds: Double? = nil) {
      self.source = source
      self.edge = edge
      self.messageDelaySeconds = messageDelaySeconds
    }

    /// The value of the board file's key `pps`.
    var yaml: String {
      guard edge != .automatic || messageDelaySeconds != nil else { return Board.quoted(source) }
      var parts = ["source: \(Board.quoted(source))"]
      if edge != .automatic { parts.append("edge: \(edge.rawValue)") }
      if let messageDelaySeconds { parts.append("delay: \(messageDelaySeconds)") }
      return "{" + parts.joined(separator: ", ") + "}"
    }
  }
}

extension BoardFileReader {
  /// A pulse: its source alone, or a mapping.
  func pulse(_ node: Node) throws(BoardFileError) -> Board.Pulse {
    let what = "a source of pulses, such as /dev/pps0 or GPIO18"
    if node.scalar != nil { return Board.Pulse(source: try string(node, called: what)) }
    let keys = try mapping(node, allowed: ["source", "edge", "delay"], called: "a pulse")
    guard let source = keys["source"] else {
      throw refusal(
        node, "the key 'source' of the pulse is missing", "source: /dev/pps0 or a GPIO line's name")
    }
    var pulse = Board.Pulse(source: try string(source, called: what))
    if let value = keys["edge"] {
      guard let edge = Board.Pulse.Edge(rawValue: value.string ?? "") else {
        throw refusal(
          value, "unknown edge '\(value.string ?? "?")'",
          Board.Pulse.Edge.allCases.map(\.rawValue).joined(separator: ", "))
      }
      pulse.edge = edge
    }
    if let value = keys["delay"] {
      pulse.messageDelaySeconds = try number(value, "delay", "seconds", in: -1...2.5)
    }
    return pulse
  }
}
