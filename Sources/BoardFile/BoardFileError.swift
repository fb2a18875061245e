/// Why a board file was refused. The description is one line that names the place and what is allowed.
public enum BoardFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// Something at a line and column, both from 1, is not what a board file may hold.
  case refused(path: String, line: Int, column: Int, found: String, allowed: String)

  /// One line for people.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .refused(let path, let line, let column, let found, let allowed):
      "\(path):\(line):\(column): \(found); allowed: \(allowed)"
    }
  }
}
