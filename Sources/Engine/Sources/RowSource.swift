import Recording

/// Instants in order of time, from a file or from a simulated world.
public protocol RowSource {
  /// The next instant; nil at the end.
  /// - Throws: `RecordingError` at the first fault; what was handed out before stays good.
  mutating func next() throws(RecordingError) -> SensorRow?
}

extension SensorCSVReader: RowSource {}
