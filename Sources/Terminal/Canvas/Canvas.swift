import Quantities

/// A rectangle of character cells; drawing is clipped to it.
package struct Canvas: Sendable {
  /// One character with its role.
  package struct Cell: Equatable, Sendable {
    /// The character.
    package var glyph: Unicode.Scalar = " "
    /// The role, which determines the colour.
    package var role: Role = .plain
  }

  /// The width in cells.
  package let columns: Int
  /// The height in cells.
  package let rows: Int
  private var cells: [Cell]

  /// Makes a rectangle of spaces.
  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  /// Sets one cell; a control character, of a remote name for example, becomes a space.
  package mutating func put(_ glyph: Unicode.Scalar, _ column: Int, _ row: Int, _ role: Role) {
    guard column >= 0, column < columns, row >= 0, row < rows else { return }
    cells[row * columns + column] = Cell(glyph: glyph.isControl ? " " : glyph, role: role)
  }

  /// Writes a text from a column to the right, one cell for each scalar.
  package mutating func write(_ text: String, _ column: Int, _ row: Int, _ role: Role = .plain) {
    var x = column
    for scalar in text.unicodeScalars {
      put(scalar, x, row, role)
      x += 1
    }
  }

  /// Writes a text that ends before a column.
  package mutating func write(
    _ text: String, endingAt column: Int, _ row: Int, _ role: Role = .plain
  ) {
    write(text, column - text.unicodeScalars.count, row, role)
  }

  /// Writes a text around a column.
  package mutating func write(_ text: String, around column: Int, _ row: Int, _ role: Role = .plain)
  {
    write(text, column - text.unicodeScalars.count / 2, row, role)
  }

  /// Writes items from left to right if they fit completely: a truncated figure would be wrong.
  package mutating func write(
    items: [(text: String, role: Role)], _ column: Int, _ row: Int, until end: Int, gap: Int = 2
  ) {
    var x = column
    for item in items where !item.text.isEmpty {
      let start = x == column ? x : x + gap
      guard start + item.text.count <= end else { continue }
      write(item.text, start, row, item.role)
      x = start + item.text.count
    }
  }

  /// Fills a part of a row.
  package mutating func fill(
    _ glyph: Unicode.Scalar, _ columns: Range<Int>, _ row: Int, _ role: Role
  ) {
    for column in columns { put(glyph, column, row, role) }
  }

  /// Copies another rectangle's cells in, its corner at a column and a row.
  package mutating func place(_ other: Canvas, _ column: Int, _ row: Int) {
    for y in 0..<other.rows {
      for x in 0..<other.columns {
        let cell = other.cells[y * other.columns + x]
        put(cell.glyph, column + x, row + y, cell.role)
      }
    }
  }

  /// The rows as text, each exactly as wide as the canvas, with escape sequences where there is
  /// colour; every row ends in the terminal's own colours.
  package func lines(theme: Theme, depth: ColourDepth) -> [String] {
    let ground = theme.ground(depth: depth)
    return (0..<rows).map { row in
      var text = String.UnicodeScalarView()
      var current = ""
      for cell in cells[row * columns..<(row + 1) * columns] {
        // The colour of a space is visible only with a coloured background.
        let isVisible = cell.glyph != " " || cell.role == .banner
        let role = isVisible ? theme.graphicRendition(cell.role, depth: depth) : ""
        let wanted = [ground, role].filter { !$0.isEmpty }.joined(separator: ";")
        if wanted != current {
          text.append(contentsOf: "\u{1B}[0\(wanted.isEmpty ? "" : ";")\(wanted)m".unicodeScalars)
          current = wanted
        }
        text.append(cell.glyph)
      }
      if !current.isEmpty { text.append(contentsOf: "\u{1B}[0m".unicodeScalars) }
      return String(text)
    }
  }
}
