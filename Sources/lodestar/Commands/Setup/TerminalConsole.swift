import Foundation
import LinuxIO
import Setup
import Terminal

/// The set-up's questions on standard output, and its answers from standard input.
final class TerminalConsole: SetupConsole {
  /// Columns of a terminal of unknown width, and of the widest paragraph.
  private static let (usualWidth, mostWidth) = (80, 100)

  private let settings = Locked<termios?>(nil)
  let isTerminal = StandardStream.output.isTerminal
  let width = min(TerminalSession.outputWidth ?? usualWidth, mostWidth)

  func write(_ line: String) { put(line + "\n") }

  func answer(to prompt: String, isSecret: Bool) -> String? {
    put(prompt)
    if isSecret { hide() }
    defer {
      if isSecret {
        restore()
        put("\n")
      }
    }
    return StandardStream.inputLine()
  }

  /// Stops the display of typed characters.
  private func hide() {
    var present = termios()
    guard tcgetattr(STDIN_FILENO, &present) == 0 else { return }
    settings.withLock { $0 = present }
    present.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &present)
  }

  /// Displays typed characters again; also called where a signal ends the program.
  func restore() {
    guard var before = settings.withLock({ $0 }) else { return }
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    settings.withLock { $0 = nil }
  }

  private func put(_ text: String) {
    let out = OutputStream()
    do throws(Failure) {
      try out.write(Array(text.utf8))
      try out.flush()
    } catch {
      error.end()
    }
  }
}
