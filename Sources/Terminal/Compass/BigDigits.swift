/// Draws digits from block characters, three or five rows high.
package struct BigDigits {
  private let glyphs: GlyphSet

  /// Selects the characters for the digits.
  package init(glyphs: GlyphSet) { self.glyphs = glyphs }

  /// The width of a text, with a free column after each character.
  package func width(_ text: String, rows: Int) -> Int {
    max(0, text.reduce(0) { $0 + (shape($1, rows: rows).first?.count ?? 0) + 1 } - 1)
  }

  /// Draws a text of digits, a point, a degree sign and dashes.
  package func draw(
    _ text: String, rows: Int, on canvas: inout Canvas, _ column: Int, _ row: Int, _ role: Role
  ) {
    var x = column
    for character in text {
      let shape = shape(character, rows: rows)
      for (y, line) in shape.enumerated() {
        for (i, scalar) in line.unicodeScalars.enumerated() where scalar != " " {
          canvas.put(converted(scalar), x + i, row + y, role)
        }
      }
      x += (shape.first?.count ?? 0) + 1
    }
  }

  private func converted(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    glyphs == .ascii && scalar.value > 127 ? "#" : scalar
  }

  private func shape(_ character: Character, rows: Int) -> [String] {
    // Half-cell blocks would make a degree sign of "#" a solid square.
    if character == "°", glyphs == .ascii { return ["o"] }
    if rows >= 5 { return Self.tall[character] ?? [] }
    return (glyphs == .ascii ? Self.segments[character] : Self.low[character]) ?? []
  }

  private static let tall: [Character: [String]] = [
    "0": ["▄████▄", "██  ██", "██  ██", "██  ██", "▀████▀"],
    "1": [" ▄██  ", "▀▀██  ", "  ██  ", "  ██  ", "██████"],
    "2": ["▄████▄", "▀▀  ██", " ▄▄██▀", "██▀▀  ", "██████"],
    "3": ["▄████▄", "▀▀  ██", "  ███▄", "▄▄  ██", "▀████▀"],
    "4": ["██  ██", "██  ██", "▀█████", "    ██", "    ██"],
    "5": ["██████", "██    ", "█████▄", "▄▄  ██", "▀████▀"],
    "6": ["▄████▄", "██  ▀▀", "█████▄", "██  ██", "▀████▀"],
    "7": ["██████", "▀▀  ██", "   ██▀", "  ██▀ ", "  ██  "],
    "8": ["▄████▄", "██  ██", "▄████▄", "██  ██", "▀████▀"],
    "9": ["▄████▄", "██  ██", "▀█████", "▄▄  ██", "▀████▀"],
    ".": ["  ", "  ", "  ", "  ", "██"],
    "°": ["▄▀▀▄", "▀▄▄▀", "    ", "    ", "    "],
    "-": ["      ", "      ", "██████", "      ", "      "],
  ]

  private static let low: [Character: [String]] = [
    "0": ["█▀▀█", "█  █", "█▄▄█"],
    "1": [" ▄█ ", "  █ ", " ▄█▄"],
    "2": ["▀▀▀█", "█▀▀▀", "█▄▄▄"],
    "3": ["▀▀▀█", " ▀▀█", "▄▄▄█"],
    "4": ["█  █", "▀▀▀█", "   █"],
    "5": ["█▀▀▀", "▀▀▀█", "▄▄▄█"],
    "6": ["█▀▀▀", "█▀▀█", "█▄▄█"],
    "7": ["▀▀▀█", "   █", "   █"],
    "8": ["█▀▀█", "█▀▀█", "█▄▄█"],
    "9": ["█▀▀█", "▀▀▀█", "▄▄▄█"],
    ".": [" ", " ", "▄"],
    "°": ["°", " ", " "],
    "-": ["    ", "▀▀▀▀", "    "],
  ]

  private static let segments: [Character: [String]] = [
    "0": [" _ ", "| |", "|_|"],
    "1": ["   ", "  |", "  |"],
    "2": [" _ ", " _|", "|_ "],
    "3": [" _ ", " _|", " _|"],
    "4": ["   ", "|_|", "  |"],
    "5": [" _ ", "|_ ", " _|"],
    "6": [" _ ", "|_ ", "|_|"],
    "7": [" _ ", "  |", "  |"],
    "8": [" _ ", "|_|", "|_|"],
    "9": [" _ ", "|_|", " _|"],
    ".": [" ", " ", "."],
    "-": ["   ", " _ ", "   "],
  ]
}
