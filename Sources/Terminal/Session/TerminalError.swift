#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why drawing on a terminal failed.
public enum TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Standard output is a pipe or a file.
  case notATerminal
  /// Another session of this process uses the terminal.
  case alreadyInUse
  /// The terminal rejected its modes; `code` is the system's error number.
  case modesRefused(code: Int32)
  /// Writing to the terminal failed; `code` is the system's error number.
  case writeFailed(code: Int32)

  /// The message for the user, one line.
  public var description: String {
    switch self {
    case .notATerminal:
      "standard output is not a terminal: use --format text or --format json"
    case .alreadyInUse:
      "the terminal already shows a screen of this program: close that one first"
    case .modesRefused(let code):
      "the terminal's mode cannot be set (\(Self.words(code))): use --format text"
    case .writeFailed(let code):
      "the terminal accepts no more output (\(Self.words(code))): it may have been closed"
    }
  }

  private static func words(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
