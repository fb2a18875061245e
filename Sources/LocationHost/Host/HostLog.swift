import Foundation

/// Lines for people on standard error: with systemd's priorities where the journal reads, with the program's
/// name elsewhere.
public struct HostLog: Sendable {
  /// How much a line matters.
  /// - Source: sd-daemon(3): SD_ERR "<3>", SD_WARNING "<4>", SD_NOTICE "<5>", SD_INFO "<6>".
  public enum Priority: Int, Sendable {
    /// Something does not work.
    case error = 3
    /// Something does not work as it should.
    case warning = 4
    /// Something that changes what people get.
    case notice = 5
    /// Something usual.
    case info = 6
  }

  private let write: @Sendable (Priority, String) -> Void

  /// Makes a log that a test reads.
  public init(_ write: @escaping @Sendable (Priority, String) -> Void) { self.write = write }

  /// Makes the log of standard error.
  public static func standardError(environment: [String: String]) -> HostLog {
    let isJournal = environment["JOURNAL_STREAM"] != nil
    return HostLog { priority, text in
      let head = isJournal ? "<\(priority.rawValue)>" : "lodestar: "
      // A line is a line: what a client calls itself may hold anything.
      let plain = text.map { $0.isNewline ? " " : $0 }
      let line = Array("\(head)\(String(plain))\n".utf8)
      // Where nobody reads standard error any more there is nobody left to tell.
      _ = line.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  package func error(_ text: String) { write(.error, text) }
  package func warning(_ text: String) { write(.warning, text) }
  package func notice(_ text: String) { write(.notice, text) }
  package func info(_ text: String) { write(.info, text) }
}
