import Foundation
import Quantities

/// An error that the user can correct: one line on standard error and an exit status.
struct Failure: Error, CustomStringConvertible {
  let message: String
  let status: Int32

  var description: String { message }

  /// A fault in the input, status 1.
  static func input(_ message: String) -> Failure { Failure(message: message, status: 1) }
  /// An invalid command line, status 64 (EX_USAGE).
  static func usage(_ message: String) -> Failure { Failure(message: message, status: 64) }
  /// No sensor, status 69 (EX_UNAVAILABLE).
  static func unavailable(_ message: String) -> Failure { Failure(message: message, status: 69) }
  /// A board that exists and cannot be used, status 71 (EX_OSERR).
  static func board(_ message: String) -> Failure { Failure(message: message, status: 71) }
  /// Output that cannot be written, status 74 (EX_IOERR).
  static func output(_ message: String) -> Failure { Failure(message: message, status: 74) }

  func end() -> Never {
    StandardError.say(message)
    exit(status)
  }
}

/// Writes lines to standard error.
enum StandardError {
  /// The warning with a true heading outside the magnetic model's years.
  static let outOfDate =
    "warning: the true heading may be wrong by degrees: the date is outside the magnetic model's validity, "
    + "2025.0 to 2030.0"

  /// Writes a message after the program's name. It may contain the text of another program: each of its
  /// lines is written without control characters.
  static func say(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map {
      String(printable: $0, atMost: String.longestMessage)
    }
    put("lodestar: \(lines.joined(separator: "\n"))")
  }

  /// Writes a line without the program's name.
  static func put(_ text: String) {
    let line = Array("\(text)\n".utf8)
    // A failure to write to standard error cannot be reported.
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
