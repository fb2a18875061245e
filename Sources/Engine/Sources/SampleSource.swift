import Formats
import Quantities

/// Rows in order of time, from a file, a board or a simulation.
public protocol SampleSource {
  /// The next row; nil at the end.
  /// - Throws: `RecordingError` at the first fault; earlier rows stay valid.
  mutating func next() throws(RecordingError) -> SensorSamples?
}

extension SensorCSVReader: SampleSource {}
