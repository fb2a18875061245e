import Recording

/// A recording of any kind that can be read, told by its name.
public struct OpenedRecording {
  /// The recording's instants.
  public private(set) var rows: any RowSource
  /// True where it may hold a magnetometer's samples.
  public let hasMagnetometer: Bool
  /// True where it may hold a receiver's epochs.
  public let hasReceiver: Bool
  private let bytes: ByteReader

  /// Opens a `.csv` as a sensor CSV and anything else as raw receiver bytes.
  /// - Parameters:
  ///   - path: The file.
  ///   - loadColumn: The name of a CSV's column that tells a load; nil for `load`.
  /// - Throws: `RecordingError` where the file cannot be read or is of a kind that is not read yet.
  public init(path: String, loadColumn: String? = nil) throws(RecordingError) {
    if path.lowercased().hasSuffix(".mcap") { throw .unsupported(path: path, format: "MCAP") }
    bytes = try ByteReader(path: path)
    if path.lowercased().hasSuffix(".csv") {
      let reader = try SensorCSVReader(bytes: bytes, loadColumn: loadColumn)
      rows = reader
      hasMagnetometer = reader.columns.contains("mx")
      hasReceiver = reader.columns.contains("lat")
    } else {
      rows = ReceiverRows(bytes: bytes)
      hasMagnetometer = false
      hasReceiver = true
    }
  }

  /// The next instant; nil at the end.
  public mutating func next() throws(RecordingError) -> SensorRow? { try rows.next() }

  /// The share of the file that was read, 0 to 1; nil where its size is not known.
  public var fractionRead: Double? { bytes.fractionRead }

  /// Reads a recording up to its first instant that holds something.
  /// - Parameters:
  ///   - path: The file.
  ///   - holds: Whether an instant holds it.
  /// - Returns: False where no instant does. A recording with a fault before it counts as one that does: what
  ///   plays it reports the fault.
  /// - Throws: `RecordingError` where the file cannot be read.
  public static func contains(
    path: String, _ holds: (SensorRow) -> Bool
  ) throws(RecordingError) -> Bool {
    var recording = try OpenedRecording(path: path)
    do throws(RecordingError) {
      while let row = try recording.next() {
        if holds(row) { return true }
      }
    } catch {
      guard case .malformed = error else { throw error }
      return true
    }
    return false
  }

  /// What a person should know of the bytes read so far; nil where there is nothing to say.
  public var notes: String? {
    guard let counts = (rows as? ReceiverRows)?.counts else { return nil }
    if counts.accepted == 0, counts.ubxFrames == 0 {
      return "no receiver message was found (\(counts.rejected) rejected, \(counts.noiseBytes) "
        + "other bytes); expected NMEA 0183 such as $GPGGA,…*hh, or UBX"
    }
    return counts.rejected == 0
      ? nil : "\(counts.accepted) sentences, \(counts.rejected) rejected and skipped"
  }
}
