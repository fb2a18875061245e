import Recording

/// A recording of any kind that can be read, told by its name and its first bytes.
public struct OpenedRecording {
  /// The recording's instants.
  public let rows: any RowSource
  /// True where it may hold a magnetometer's samples.
  public let hasMagnetometer: Bool
  /// True where it may hold a receiver's epochs.
  public let hasReceiver: Bool

  /// Opens a `.csv` as a sensor CSV and anything else as raw receiver bytes.
  /// - Throws: `RecordingError` where the file cannot be read or is of a kind that is not read yet.
  public init(path: String) throws(RecordingError) {
    if path.hasSuffix(".mcap") { throw .unsupported(path: path, format: "MCAP") }
    if path.hasSuffix(".csv") {
      let reader = try SensorCSVReader(path: path)
      rows = reader
      hasMagnetometer = reader.columns.contains("mx")
      hasReceiver = reader.columns.contains("lat")
    } else {
      rows = ReceiverRows(bytes: try ByteReader(path: path))
      hasMagnetometer = false
      hasReceiver = true
    }
  }
}
