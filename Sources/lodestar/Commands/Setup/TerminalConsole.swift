import Glibc
import LinuxIO
import Setup
import Terminal

/// The set-up's questions on standard output, and its answers from standard input.
final class TerminalConsole: SetupConsole {
  /// Columns of a terminal of unknown width, and of the widest paragraph.
  private static let (usualWidth, mostWidth) = (80, 100)

  /// The terminal's settings while typed characters are not displayed.
  private struct Settings {
    var before: termios?
    var isEnding = false

    mutating func restore() {
      guard var before else { return }
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      self.before = nil
    }
  }

  private let settings = Locked(Settings())
  let isTerminal = StandardStream.output.isTerminal
  let width = min(TerminalSession.outputWidth ?? usualWidth, mostWidth)

  func write(_ line: String) { put(line + "\n") }

  func answer(to prompt: String, isSecret: Bool) -> String? {
    // Before the prompt: what is typed at once is not displayed either.
    if isSecret { hide() }
    put(prompt)
    defer {
      if isSecret {
        settings.withLock { $0.restore() }
        put("\n")
      }
    }
    return StandardStream.inputLine()
  }

  /// Stops the display of typed characters.
  private func hide() {
    settings.withLock { settings in
      var present = termios()
      guard !settings.isEnding, tcgetattr(STDIN_FILENO, &present) == 0 else { return }
      settings.before = present
      present.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &present)
    }
  }

  /// Displays typed characters again, where a signal ends the program.
  func end() {
    settings.withLock {
      $0.isEnding = true
      $0.restore()
    }
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
