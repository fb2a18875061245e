import LinuxIO

/// Why a step of the set-up has failed. The description is one line with the remedy.
package enum SetupFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// A file of the configuration cannot be read or written.
  case file(FileFault)
  /// The daemon's file or the board file is invalid; nothing was changed.
  case refused(String)
  /// A command has ended with an error.
  case command(String, reason: String)
  /// The daemon runs and gives no heading, or does not answer.
  case noHeading(String)
  /// The file with the answers is invalid; nothing was changed.
  case answers(String)
  /// An answer that this machine cannot fulfil; nothing was changed.
  case unfulfilled(String)
  /// There is no more input to answer a question.
  case endOfInput

  /// One line for the user.
  package var description: String {
    switch self {
    case .file(let fault): "\(fault)"
    case .refused(let text), .noHeading(let text), .answers(let text), .unfulfilled(let text):
      text
    case .command(let command, let reason): "'\(command)' has failed: \(reason)"
    case .endOfInput: "input ended before the last question; no file is incomplete: run setup again"
    }
  }
}
