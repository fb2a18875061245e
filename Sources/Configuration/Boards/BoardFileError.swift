import Quantities

/// The reason why a board file was refused.
public enum BoardFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// Invalid content at a line and column, both from 1.
  case refused(path: String, line: Int, column: Int, found: String, allowed: String)

  /// One line: the place, what was found, and the allowed values.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .refused(let path, let line, let column, let found, let allowed):
      "\(path):\(line):\(column): \(String(printable: found, atMost: 200)); allowed: \(allowed)"
    }
  }
}
