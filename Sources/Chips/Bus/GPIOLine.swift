import Quantities

/// One line of a GPIO controller, found by its name.
public protocol GPIOLine: AnyObject {
  /// The line's name, such as `GPIO17`.
  var name: String { get }
  /// Whether the line is high now.
  func isHigh() throws(BusError) -> Bool
  /// Drives an output line.
  func set(high: Bool) throws(BusError)
  /// Waits for the next edge of a line opened for edges.
  /// - Returns: The oldest edge not yet returned; nil at the deadline.
  func nextEdge(until deadline: Timestamp) throws(BusError) -> GPIOEdge?
}

/// One change of a line's level.
public struct GPIOEdge: Equatable, Sendable {
  /// The instant of the kernel's interrupt, on the clock of the samples.
  public var timestamp: Timestamp
  /// True where the line went high.
  public var isRising: Bool

  /// Makes an edge.
  public init(timestamp: Timestamp, isRising: Bool) {
    self.timestamp = timestamp
    self.isRising = isRising
  }
}
