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
    /// The time from the pulse to the first byte of its second's sentences, seconds; nil: it is
    /// measured.
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
