import Formats

/// Rows in order of time, from a file, a board or a simulation.
public protocol RowSource {
  /// The next row; nil at the end.
  /// - Throws: `RecordingError` at the first fault; earlier rows stay valid.
  mutating func next() throws(RecordingError) -> SensorRow?
}

extension SensorCSVReader: RowSource {}
