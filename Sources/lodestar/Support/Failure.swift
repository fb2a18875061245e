import Glibc
import LinuxIO
import Quantities
import Terminal

/// An error that the user can correct: one line on standard error and an exit status.
struct Failure: Error, CustomStringConvertible {
  let message: String
  let status: ExitStatus

  var description: String { message }

  /// A fault in the input.
  static func input(_ message: String) -> Failure { Failure(message: message, status: .failure) }
  /// An invalid command line.
  static func usage(_ message: String) -> Failure { Failure(message: message, status: .usage) }
  /// No sensor, daemon or calibration.
  static func unavailable(_ message: String) -> Failure {
    Failure(message: message, status: .unavailable)
  }
  /// A board that exists and cannot be used.
  static func board(_ message: String) -> Failure { Failure(message: message, status: .board) }
  /// Output or state that cannot be written.
  static func output(_ message: String) -> Failure { Failure(message: message, status: .output) }
  /// Standard output was closed by its reader, as by `head`: the command ends in order, without a
  /// message.
  static let closedOutput = Failure(message: "standard output was closed", status: .success)

  func end() -> Never {
    if status != .success { StandardError.say(message) }
    exit(status.rawValue)
  }
}

/// Writes lines to standard error.
enum StandardError {
  /// The warning with a true heading outside the magnetic model's years.
  static let outOfDate =
    "warning: the true heading may be wrong by degrees: the date is outside the magnetic model's validity, "
    + "2025.0 to 2030.0"

  /// The warning that a witness outside the filters contradicts an estimate.
  struct Contradiction {
    enum Kind { case input, tilt, compass, antennas }
    var kind: Kind
    var text: String
  }

  /// The warnings of an estimate.
  static func contradictions(in estimate: Estimate) -> [Contradiction] {
    func degrees(_ angle: Angle) -> String { FieldText.fixed(abs(angle.degrees), 0) + " degrees" }
    var found: [Contradiction] = []
    if let fault = estimate.inputs?.fault {
      found.append(Contradiction(kind: .input, text: "warning: \(fault): \(fault.remedy)"))
    }
    if let fault = estimate.antennas?.fault {
      found.append(
        Contradiction(
          kind: .antennas, text: "warning: \(fault), and they are not used: \(fault.remedy)"))
    }
    if let angle = estimate.tiltContradiction {
      found.append(
        Contradiction(
          kind: .tilt,
          text: "warning: the tilt contradicted gravity by \(degrees(angle)) and was reset: "
            + "the gyroscope is faulty or has another scale, or an acceleration lasted for long; "
            + "see 'lodestar check'"))
    }
    if let angle = estimate.compassContradiction {
      found.append(
        Contradiction(
          kind: .compass,
          text: "warning: the compass contradicts the course by \(degrees(angle)): "
            + "it is uncalibrated or disturbed, and the heading is that of the course; "
            + "see 'lodestar calibrate'"))
    }
    return found
  }

  private struct State {
    var newest: (text: String, at: Timestamp)?
    /// The messages that wait for the end of a screen; nil without one.
    var waiting: [String]?
  }

  private static let state = Locked(State())
  /// The limit of waiting messages: with --status there is one each second.
  private static let mostWaiting = 100

  /// Draws a screen. Messages would be drawn over it, so they are written after it where standard
  /// error is a terminal.
  static func drawing<Value>(_ draw: () throws -> Value) rethrows -> Value {
    if StandardStream.errors.isTerminal { state.withLock { $0.waiting = [] } }
    defer {
      let waiting = state.withLock { state in
        defer { state.waiting = nil }
        return state.waiting ?? []
      }
      for message in waiting { put(message) }
    }
    return try draw()
  }

  /// The newest message, for a screen; nil where it is older than so many seconds.
  static func newest(within seconds: Double) -> String? {
    state.withLock { $0.newest }.flatMap {
      MonotonicClock.now.seconds(since: $0.at) <= seconds ? $0.text : nil
    }
  }

  /// Writes a message after the program's name. It may contain the text of another program: each of
  /// its lines is written without control characters.
  static func say(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map {
      String(printable: $0, atMost: String.longestMessage)
    }
    let text = lines.joined(separator: "\n")
    let isWaiting = state.withLock { state in
      state.newest = (text, MonotonicClock.now)
      state.waiting?.append("lodestar: \(text)")
      if let count = state.waiting?.count, count > mostWaiting { state.waiting?.removeFirst() }
      return state.waiting != nil
    }
    if !isWaiting { put("lodestar: \(text)") }
  }

  /// Writes a line without the program's name.
  static func put(_ text: String) {
    let line = Array("\(text)\n".utf8)
    // A failure to write to standard error cannot be reported.
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
