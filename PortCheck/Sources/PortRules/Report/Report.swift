import Foundation

/// What came of a check.
public struct Report: Sendable, Equatable, Codable {
  /// The number of files that were read.
  public var files: Int
  /// The number of them that use Core Location.
  public var filesWithCoreLocation: Int
  /// The findings, by file and line.
  public var findings: [Finding]

  /// The number of findings of a severity.
  public func count(_ severity: Severity) -> Int {
    findings.filter { $0.severity == severity }.count
  }

  /// One line a finding, and one that sums up.
  public var text: String {
    (findings.map(\.text) + [summary]).map { $0 + "\n" }.joined()
  }

  /// One JSON object.
  /// - Returns: The object as text, with an end of line.
  /// - Throws: Foundation's error where it cannot be written as JSON.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  private var summary: String {
    let counts = Severity.allCases.reversed().map { Self.counted(count($0), $0.rawValue) }
    return counts.joined(separator: ", ") + " in \(Self.counted(files, "file")), "
      + "\(filesWithCoreLocation) with Core Location"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
