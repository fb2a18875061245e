import Foundation

/// Rows of words under a header: the first column to the left, the others to the right.
struct TextTable {
  private var rows: [[String]]

  init(_ header: String...) { rows = [header] }

  init(header: [String]) { rows = [header] }

  mutating func add(_ row: [String]) { rows.append(row) }

  func show() {
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

/// Prints a line at once: a study runs for minutes, and its reader may be a file.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// The number with so many decimals; "never" where it is infinite.
func word(_ x: Double, _ decimals: Int = 2) -> String {
  x.isInfinite ? "never" : String(format: "%.\(decimals)f", x)
}

/// A fraction in percent.
func percent(_ x: Double, _ decimals: Int = 1) -> String { word(100 * x, decimals) }
