import Board
import Formats
import Quantities

/// An opened recording; the file name's extension selects the format.
public struct OpenedRecording {
  /// The recording's rows.
  public private(set) var rows: any SampleSource
  /// True if it may contain a magnetometer's samples.
  public let hasMagnetometer: Bool
  /// True if it may contain a receiver's epochs.
  public let hasReceiver: Bool
  private let fraction: () -> Double?
  private var isDateGiven = false

  /// Opens a `.csv` as a sensor CSV, an `.mcap` as a recording of this program or of ROS 2, a
  /// `.db3` or a folder as a bag of ROS 2, and anything else as raw receiver bytes.
  /// - Parameters:
  ///   - path: The file.
  ///   - loadColumn: The name of a CSV's column with a load; nil for `load`.
  ///   - topics: The topics of a recording of ROS 2 that are read; empty: the first of each type.
  ///   - date: A date near the recording: a receiver's dates are moved by multiples of 1024 weeks,
  ///     after which its count of weeks repeats, to the period around it.
  /// - Throws: `RecordingError` where the file cannot be read or has an unsupported format.
  public init(
    path: String, loadColumn: String? = nil, topics: [String] = [], near date: CivilDate? = nil
  ) throws(RecordingError) {
    var columns: Set<String>?
    let name = path.lowercased()
    if let messages = try Self.bag(path) {
      rows = try ROSRecording(messages, path: path, topics: topics)
      fraction = { nil }
    } else {
      let bytes = try ByteReader(path: path)
      fraction = { bytes.fractionRead }
      if name.hasSuffix(".mcap") {
        bytes.setMark()
        if let recording = try ExactRecording.open(bytes) {
          bytes.removeMark()
          rows = recording
        } else {
          try bytes.returnToMark()
          rows = try ROSRecording(try MCAPMessages(bytes), path: path, topics: topics)
        }
      } else if name.hasSuffix(".csv") {
        let reader = try SensorCSVReader(bytes: bytes, loadColumn: loadColumn)
        (rows, columns) = (reader, reader.columns)
      } else {
        rows = ReceiverSamples(bytes: bytes, near: date)
        isDateGiven = date != nil
      }
    }
    hasMagnetometer = columns.map { $0.contains("mx") } ?? !(rows is ReceiverSamples)
    hasReceiver =
      columns.map { $0.contains("lat") } ?? (rows as? ExactRecording)?.hasPosition ?? true
  }

  /// The bag of ROS 2 of that name; nil for another file.
  private static func bag(_ path: String) throws(RecordingError) -> (any MessageSource)? {
    if isBagFile(path) { return try RosbagFolder.file(path) }
    if isBagFolder(path) { return try RosbagFolder(path: path) }
    guard ByteReader.isFolder(path: path) else { return nil }
    throw .unreadable(
      path: path,
      reason:
        "it is a folder without metadata.yaml; of a bag of ROS 2 name the .db3 or .mcap file in it")
  }

  private static func isBagFile(_ path: String) -> Bool {
    [".db3", ".db3.zstd"].contains(where: path.lowercased().hasSuffix)
  }

  private static func isBagFolder(_ path: String) -> Bool {
    path == "metadata.yaml" || path.hasSuffix("/metadata.yaml")
      || ByteReader.exists(path: path + "/metadata.yaml")
  }

  /// Whether this may be a recording: raw bytes are one by a receiver's message in them. A pipe may
  /// be one: its bytes are not read before they are played.
  /// - Throws: `RecordingError` where the file cannot be read.
  package mutating func isRecognized() throws(RecordingError) -> Bool {
    guard let bytes = (rows as? ReceiverSamples)?.bytes, bytes.size ?? 0 > 0 else { return true }
    bytes.setMark()
    var sought = ReceiverSamples(bytes: bytes)
    let hasRow = try sought.next() != nil
    try bytes.returnToMark()
    return hasRow
      || sought.counts.accepted + sought.counts.ubxFrames + sought.counts.otherFrames > 0
  }

  /// The recording where this program made it; nil for another.
  package var exact: ExactRecording? { rows as? ExactRecording }

  /// The next row; nil at the end.
  public mutating func next() throws(RecordingError) -> SensorSamples? { try rows.next() }

  /// Moves what the receiver sent up to the newest row to the caller. `collecting` decides
  /// whether its output is collected from now on.
  public mutating func removeReceiverOutput(collecting: Bool) -> [ReceiverOutput] {
    rows.removeReceiverOutput(collecting: collecting)
  }

  /// The share of the file that was read, 0 to 1; nil if its size is unknown.
  public var fractionRead: Double? { ros?.fractionRead ?? fraction() }

  private var ros: ROSRecording? { rows as? ROSRecording }

  /// The civil time of the first row of a recording of ROS 2; nil where it is not known.
  public var startTime: UTCTime? { ros?.startTime }

  /// Searches a recording for the first row with a property.
  /// - Parameters:
  ///   - path: The file.
  ///   - holds: Whether a row has the property.
  /// - Returns: False if no row has it. True for a fault before: its playback reports the fault.
  /// - Throws: `RecordingError` where the file cannot be read.
  public static func contains(
    path: String, _ holds: (SensorSamples) -> Bool
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

  /// A note for the user about the bytes read so far; nil for none.
  public var notes: String? {
    if let exact { return exact.note }
    if let ros { return ros.notes }
    guard let receiver = rows as? ReceiverSamples else { return nil }
    let counts = receiver.counts
    if counts.accepted == 0, counts.binaryFrames == counts.rtcm3Frames {
      return "no receiver message was found (\(counts.rejected) rejected, \(counts.noiseBytes) "
        + "other bytes); expected NMEA 0183 such as $GPGGA,…*hh, UBX, SBF, CASIC, "
        + "SkyTraq, Allystar, or logs of NovAtel or Unicore"
    }
    let notes = [
      counts.rejected == 0
        ? nil : "\(counts.accepted) sentences, \(counts.rejected) rejected and skipped",
      isDateGiven ? nil : PlausibleDates.doubt(receiver.firstDate),
    ].compactMap { $0 }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }
}
