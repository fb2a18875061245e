#if canImport(FoundationEssentials)
  // The whole of Foundation would make the program larger.
  import FoundationEssentials
#else
  import Foundation
#endif

/// A module that the sources import and Linux does not have.
public struct MissingModule: Sendable, Equatable, Codable {
  /// Its name.
  public var module: String
  /// The number of files that import it.
  public var files: Int
  /// What replaces it.
  public var replacement: String
}

/// What came of a check.
public struct Report: Sendable, Equatable, Codable {
  /// The number of files that were read.
  public var files: Int
  /// The number of them that use Core Location.
  public var filesWithCoreLocation: Int
  /// The findings, by file and line.
  public var findings: [Finding]
  /// The modules that would be needed, the most imported first.
  public var missingModules: [MissingModule]

  /// The number of findings of a severity.
  public func count(_ severity: Severity) -> Int {
    findings.filter { $0.severity == severity }.count
  }

  /// One line a finding, one a missing module, and one that sums up.
  public var text: String {
    let modules = missingModules.map {
      "needs \($0.module), in \(Self.counted($0.files, "file")): \($0.replacement)"
    }
    return (findings.map(\.text) + modules + [summary]).map { $0 + "\n" }.joined()
  }

  /// One JSON object: the report and `time`, when it was made, as in Lodestar's other records.
  /// - Parameter date: When it was made; without `time` before 2025, where the clock has never been
  ///   set.
  /// - Returns: The object as text, with an end of line.
  /// - Throws: Foundation's error where it cannot be written as JSON.
  public func json(at date: Date = Date()) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let time =
      date >= Self.earliestDate
      ? date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) : nil
    let record = Record(report: self, time: time)
    return String(decoding: try encoder.encode(record), as: UTF8.self) + "\n"
  }

  /// 2025-01-01.
  private static let earliestDate = Date(timeIntervalSince1970: 1_735_689_600)

  private struct Record: Encodable {
    let report: Report
    let time: String?

    private enum Key: CodingKey { case time }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encodeIfPresent(time, forKey: .time)
    }
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
