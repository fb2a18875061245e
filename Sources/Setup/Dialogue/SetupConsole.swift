/// The terminal of the set-up.
package protocol SetupConsole: Sendable {
  /// True where the output is a terminal.
  var isTerminal: Bool { get }
  /// Columns of a line.
  var width: Int { get }
  /// Writes a line.
  func write(_ line: String)
  /// Writes a text without a line's end, and reads a line.
  /// - Parameters:
  ///   - prompt: The text.
  ///   - isSecret: True for a password, which is not displayed.
  /// - Returns: nil at the end of the input.
  func answer(to prompt: String, isSecret: Bool) -> String?
}

/// A console that shows nothing and gives no answer.
package struct SilentConsole: SetupConsole {
  package let isTerminal = false
  package let width = 80

  /// Makes a console.
  package init() {}

  package func write(_ line: String) {}
  package func answer(to prompt: String, isSecret: Bool) -> String? { nil }
}

/// How questions are answered and changes are made.
package enum SetupManner: Sendable {
  /// The user answers, and agrees to each change.
  case ask
  /// Each question is answered with its default; changes are made.
  case defaults
  /// As `defaults`, but changes are only shown.
  case show
}
