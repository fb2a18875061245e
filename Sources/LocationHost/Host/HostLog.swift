import Glibc
import Quantities

/// Log messages, one line each, without control characters and of limited length. Lines for the
/// systemd journal begin with a priority, other lines with the program's name.
///
/// swift-log is not used: after it replaced `LogHandler.log(level:...)` by `log(event:)`, no
/// handler builds without warnings with all versions that Swift 6.0 and later resolve.
public struct HostLog: Sendable {
  /// The importance of a message.
  /// - Source: sd-daemon(3): SD_ERR "<3>", SD_WARNING "<4>", SD_NOTICE "<5>", SD_INFO "<6>".
  public enum Priority: Int, Sendable {
    /// A function is not available.
    case error = 3
    /// A function is limited.
    case warning = 4
    /// A change that users notice.
    case notice = 5
    /// A normal event.
    case info = 6
  }

  private let write: @Sendable (Priority, String) -> Void

  /// Makes a log that calls `write` for each message.
  public init(_ write: @escaping @Sendable (Priority, String) -> Void) { self.write = write }

  /// Makes a log on standard error.
  public static func standardError(environment: [String: String]) -> HostLog {
    let isJournal = environment["JOURNAL_STREAM"] != nil
    return HostLog { priority, text in
      let head = isJournal ? "<\(priority.rawValue)>" : "lodestar: "
      let line = Array("\(head)\(text)\n".utf8)
      // A closed standard error cannot be reported anywhere.
      _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  package func error(_ text: String) { put(.error, text) }
  package func warning(_ text: String) { put(.warning, text) }
  package func notice(_ text: String) { put(.notice, text) }
  package func info(_ text: String) { put(.info, text) }

  /// A message may contain the text of a client or of another program.
  private func put(_ priority: Priority, _ text: String) {
    write(priority, String(printable: text, atMost: String.longestMessage))
  }
}
