import Formats
import Quantities

/// Rows in order of time, from a file, a board or a simulation.
public protocol SampleSource {
  /// The next row; nil at the end.
  /// - Throws: `RecordingError` at the first fault; earlier rows stay valid.
  mutating func next() throws(RecordingError) -> SensorSamples?
  /// True while the next row was read together with the one before, so that it is there at once.
  var hasRow: Bool { get }
  /// When the newest row was read from its chip, on the rows' clock; nil where only its timestamp
  /// is known.
  var readTime: Timestamp? { get }
  /// Moves what a receiver sent up to the newest row to the caller. `collecting` decides
  /// whether its output is collected from now on.
  mutating func removeReceiverOutput(collecting: Bool) -> [ReceiverOutput]
}

extension SampleSource {
  /// False: each row of a recording has its own time.
  public var hasRow: Bool { false }
  /// Nil: a recording has timestamps only.
  public var readTime: Timestamp? { nil }
  /// Nothing: the source has no receiver's output, or publishes it as it arrives.
  public func removeReceiverOutput(collecting: Bool) -> [ReceiverOutput] { [] }
}

extension SensorCSVReader: SampleSource {}
