import Foundation

/// Rows of words under a header: the first column to the left, the others to the right.
public struct TextTable {
  private var rows: [[String]]

  /// Begins a table with these words above its columns.
  public init(_ header: String...) { rows = [header] }

  /// See `init(_:)`.
  public init(header: [String]) { rows = [header] }

  /// Adds a row of words.
  public mutating func add(_ row: [String]) { rows.append(row) }

  /// Prints the columns, as wide as their widest word.
  public func show() {
    let columns = rows.reduce(0) { max($0, $1.count) }
    let widths = (0..<columns).map { c in
      rows.reduce(0) { c < $1.count ? max($0, $1[c].count) : $0 }
    }
    for row in rows {
      let cells = row.enumerated().map { c, word in
        let space = String(repeating: " ", count: widths[c] - word.count)
        return c == 0 ? word + space : space + word
      }
      say(cells.joined(separator: "  "))
    }
  }
}

extension TextTable {
  /// Prints the same as Markdown.
  public func showMarkdown() {
    for (n, row) in rows.enumerated() {
      say("| " + row.joined(separator: " | ") + " |")
      if n == 0 { say("|" + String(repeating: "---|", count: row.count)) }
    }
  }
}

/// Prints a line at once: a study runs for minutes, and its reader may be a file.
public func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// The number with so many decimals; "never" where it is infinite.
public func word(_ x: Double, _ decimals: Int = 2) -> String {
  x.isInfinite ? "never" : String(format: "%.\(decimals)f", x)
}

/// A fraction in percent.
public func percent(_ x: Double, _ decimals: Int = 1) -> String { word(100 * x, decimals) }
