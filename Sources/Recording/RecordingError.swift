/// Why a recording cannot be read, or not further. The description is one line that names the file and
/// the place and says what was expected.
public enum RecordingError: Error, Equatable, Sendable {
  /// The file cannot be opened or read; `reason` is the system's.
  case unreadable(path: String, reason: String)
  /// A cell, row or header is not what it should be. Lines and columns count from 1; `column` names the
  /// CSV column where there is one.
  case malformed(path: String, line: Int, column: String?, found: String, expected: String)
  /// The file's format is known but this version does not read it.
  case unsupported(path: String, format: String)
}

extension RecordingError: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason)"
    case .malformed(let path, let line, let column, let found, let expected):
      "\(path):\(line): \(column.map { "column \($0): " } ?? "")\(found); expected \(expected)"
    case .unsupported(let path, let format):
      "\(path): \(format) is not read by this version; convert it to a sensor CSV or give raw "
        + "receiver bytes"
    }
  }
}
