/// The exit statuses of all commands: the one table behind the help, the manual and the README.
/// - Source: sysexits.h for 64 to 78; 128 and the signal's number as shells report it.
enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  /// Also the findings of a command that checks something.
  case failure = 1
  /// The worse findings of a command that has two kinds.
  case severe = 2
  /// EX_USAGE.
  case usage = 64
  /// EX_NOINPUT.
  case noInput = 66
  /// EX_UNAVAILABLE.
  case unavailable = 69
  /// EX_OSERR.
  case board = 71
  /// EX_IOERR.
  case output = 74
  case interrupted = 130
  case terminated = 143

  /// The meaning in all commands that have none of their own; nil where only some commands use the
  /// status.
  var meaning: String? {
    switch self {
    case .success: "success, also where the reader of the output has closed it"
    case .failure: "an error in the input, or empty input (output before the error is complete)"
    case .severe, .noInput: nil
    case .usage: "an invalid command line"
    case .unavailable: "no sensor, daemon or calibration was found"
    case .board: "the board cannot be used"
    case .output: "output or state cannot be read or written"
    case .interrupted: "ended by Ctrl-C"
    case .terminated: "ended by SIGTERM (serve: 0)"
    }
  }

  /// The paragraph of the root's help.
  static var help: String {
    paragraph(allCases.compactMap { status in status.meaning.map { (status, $0) } })
  }

  /// The paragraph of a command with meanings of its own.
  /// - Parameter meanings: They replace and complete the general ones; none may contain a
  ///   semicolon.
  /// - Returns: One paragraph without a line end; the manual makes a list of it.
  static func help(_ meanings: KeyValuePairs<ExitStatus, String>) -> String {
    paragraph(meanings.map { ($0.key, $0.value) }) + " Others: lodestar(1)."
  }

  private static func paragraph(_ meanings: [(ExitStatus, String)]) -> String {
    "Exit status: " + meanings.map { "\($0.0.rawValue) \($0.1)" }.joined(separator: "; ") + "."
  }
}
