/// The reason why a recording cannot be read, or not to its end.
public enum RecordingError: Error, Equatable, Sendable {
  /// The file cannot be opened or read; `reason` is the system's.
  case unreadable(path: String, reason: String)
  /// An invalid cell, row or header. Lines count from 1; `column` is the name of the CSV column, if
  /// any.
  case malformed(path: String, line: Int, column: String?, found: String, expected: String)
  /// A recording of bytes is damaged at this byte.
  case damaged(path: String, offset: Int, reason: String)
  /// A known format that this version does not read.
  case unsupported(path: String, format: String)
  /// Neither a known format nor bytes of a receiver.
  case unrecognized(path: String)
}

extension RecordingError: CustomStringConvertible {
  /// One line: the file, the place, what was found and what was expected.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason)"
    case .malformed(let path, let line, let column, let found, let expected):
      "\(path):\(line): \(column.map { "column \($0): " } ?? "")\(found); expected \(expected)"
    case .damaged(let path, let offset, let reason):
      "\(path): damaged at byte \(offset): \(reason)"
    case .unsupported(let path, let format):
      "\(path): the format \(format) is not supported; convert it to a sensor CSV or give raw receiver "
        + "bytes"
    case .unrecognized(let path):
      "\(path): no recording: it has no receiver message (NMEA 0183, UBX); give a receiver's log, a "
        + "sensor CSV named .csv, or an .mcap"
    }
  }
}
