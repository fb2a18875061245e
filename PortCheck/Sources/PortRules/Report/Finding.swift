/// How much a finding matters.
public enum Severity: String, Sendable, Codable, Comparable, CaseIterable {
  /// To know; the program works without a change.
  case note
  /// It builds, but may behave differently from an iPhone.
  case warning
  /// It does not build on Linux, or silently never runs.
  case error

  /// Notes are the least.
  public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// A place in the sources that behaves differently on Linux.
public struct Finding: Sendable, Equatable, Codable {
  /// The file, as it was named or found.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  /// How much it matters.
  public var severity: Severity
  /// The rule that found it.
  public var rule: String
  /// What happens, and the remedy.
  public var message: String

  /// One line, as compilers write it.
  public var text: String {
    "\(file):\(line):\(column): \(severity.rawValue): \(message) [\(rule)]"
  }
}
