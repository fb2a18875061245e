import Foundation

/// The end of the program for a reason that a person can mend: one line on standard error and a status.
struct Failure: Error, CustomStringConvertible {
  let message: String
  let status: Int32

  var description: String { message }

  /// A fault in the input, status 1.
  static func input(_ message: String) -> Failure { Failure(message: message, status: 1) }
  /// A command line that cannot be meant, status 64 (EX_USAGE).
  static func usage(_ message: String) -> Failure { Failure(message: message, status: 64) }
  /// No sensor, status 69 (EX_UNAVAILABLE).
  static func unavailable(_ message: String) -> Failure { Failure(message: message, status: 69) }
  /// A board that is there and cannot be used, status 71 (EX_OSERR).
  static func board(_ message: String) -> Failure { Failure(message: message, status: 71) }
  /// Output that cannot be written, status 74 (EX_IOERR).
  static func output(_ message: String) -> Failure { Failure(message: message, status: 74) }

  func end() -> Never {
    StandardError.say(message)
    exit(status)
  }
}

/// One line at a time on standard error.
enum StandardError {
  /// What a true heading outside the magnetic model's years comes with.
  static let outOfDate =
    "warning: the date is outside 2025.0 to 2030.0, for which the magnetic model is meant: true heading "
    + "may be degrees off"

  static func say(_ message: String) {
    put("lodestar: \(message)")
  }

  /// A line for programs, as it is.
  static func put(_ text: String) {
    let line = Array("\(text)\n".utf8)
    // Where nobody reads standard error any more there is nobody left to tell.
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
