/// Draws digits and capital letters of any size from blocks, for a screen that is read from afar.
/// Half a cell is one dot where the terminal has half blocks, else a cell is one.
package struct BlockFigures {
  private let glyphs: GlyphSet

  /// Selects the characters of the blocks.
  package init(glyphs: GlyphSet) { self.glyphs = glyphs }

  /// Dots in the height of a cell.
  private var dotsPerRow: Int { glyphs == .ascii ? 1 : 2 }

  // MARK: Digits

  /// A size of digits: seven segments between these dots.
  private struct DigitSize {
    var width: Int
    var height: Int
    /// Of an upright and of a level segment.
    var (upright, level): (Int, Int)
    var gap: Int

    init(width: Int, height: Int, dotsPerRow: Int) {
      (self.width, self.height) = (width, height)
      // A fifth: bold enough for a distance, with open counters.
      upright = max(1, (width + 2) / 5)
      level = max(1, upright * dotsPerRow / 2)
      gap = max(1, width / 4)
    }

    /// The columns of one character.
    func columns(_ character: Character) -> Int { character == "." ? upright : width }
    /// The columns of a text.
    func columns(_ text: String) -> Int {
      text.reduce(0) { $0 + columns($1) } + max(0, text.count - 1) * gap
    }
  }

  /// The largest digits with which a text fits into a box; nil for a box that is too small.
  private func size(_ text: String, columns: Int, rows: Int) -> DigitSize? {
    let height = rows * dotsPerRow
    // Three segments and two counters need five dots; a digit is at most as wide as high.
    guard height >= 5, columns > 0 else { return nil }
    for width in stride(from: min(columns, height * 2 / dotsPerRow), through: 3, by: -1) {
      let size = DigitSize(
        width: width, height: min(height, max(5, width * dotsPerRow)), dotsPerRow: dotsPerRow)
      if size.columns(text) <= columns { return size }
    }
    return nil
  }

  /// The columns of a text at its largest size in a box; nil if it does not fit.
  package func width(_ text: String, columns: Int, rows: Int) -> Int? {
    size(text, columns: columns, rows: rows)?.columns(text)
  }

  /// Draws digits, a point, a dash, and `<` and `>` as triangles, as large as the box permits and
  /// in its middle.
  /// - Returns: False, without a drawing, if the box is too small.
  @discardableResult
  package func draw(
    _ text: String, on canvas: inout Canvas, _ column: Int, _ row: Int, columns: Int, rows: Int,
    _ role: Role
  ) -> Bool {
    guard let size = size(text, columns: columns, rows: rows) else { return false }
    var dots = Dots(columns: size.columns(text), height: size.height)
    var x = 0
    for character in text {
      draw(character, size, on: &dots, x)
      x += size.columns(character) + size.gap
    }
    place(dots, on: &canvas, column, row, columns: columns, rows: rows, role)
    return true
  }

  private func draw(_ character: Character, _ size: DigitSize, on dots: inout Dots, _ x: Int) {
    let (width, height, level) = (size.width, size.height, size.level)
    let right = x + width - size.upright
    let middle = (height - level) / 2
    switch character {
    case ".": dots.fill(x, height - level, size.upright, level)
    case "<", ">":
      for y in 0..<height {
        // From the tip in the middle to the whole width at the ends.
        let share = abs(2 * y + 1 - height)
        let length = max(1, width - width * share / height)
        dots.fill(character == "<" ? x + width - length : x, y, length, 1)
      }
    default:
      let segments = Self.segments[character] ?? []
      if segments.contains(.top) { dots.fill(x, 0, width, level) }
      if segments.contains(.middle) { dots.fill(x, middle, width, level) }
      if segments.contains(.bottom) { dots.fill(x, height - level, width, level) }
      let (upper, lower) = (middle + level, height - middle)
      if segments.contains(.leftUp) { dots.fill(x, 0, size.upright, upper) }
      if segments.contains(.rightUp) { dots.fill(right, 0, size.upright, upper) }
      if segments.contains(.leftDown) { dots.fill(x, middle, size.upright, lower) }
      if segments.contains(.rightDown) { dots.fill(right, middle, size.upright, lower) }
    }
  }

  private struct Segments: OptionSet {
    let rawValue: Int
    static let top = Segments(rawValue: 1)
    static let middle = Segments(rawValue: 2)
    static let bottom = Segments(rawValue: 4)
    static let leftUp = Segments(rawValue: 8)
    static let rightUp = Segments(rawValue: 16)
    static let leftDown = Segments(rawValue: 32)
    static let rightDown = Segments(rawValue: 64)
    static let right: Segments = [.rightUp, .rightDown]
    static let left: Segments = [.leftUp, .leftDown]
    static let levels: Segments = [.top, .middle, .bottom]
  }

  private static let segments: [Character: Segments] = [
    "0": [.top, .bottom, .left, .right],
    "1": [.right],
    "2": [.levels, .rightUp, .leftDown],
    "3": [.levels, .right],
    "4": [.middle, .leftUp, .right],
    "5": [.levels, .leftUp, .rightDown],
    "6": [.levels, .left, .rightDown],
    "7": [.top, .right],
    "8": [.levels, .left, .right],
    "9": [.levels, .leftUp, .right],
    "-": [.middle],
  ]

  // MARK: Words

  private static let (letterWidth, letterHeight) = (5, 7)

  /// The rows that a word needs in a box; nil if it does not fit.
  package func rows(ofWord word: String, columns: Int, rows: Int) -> Int? {
    wordScale(word, columns: columns, rows: rows)
      .map { (Self.letterHeight * $0.y + dotsPerRow - 1) / dotsPerRow }
  }

  /// Dots of a font's dot, across and down.
  private func wordScale(_ word: String, columns: Int, rows: Int) -> (x: Int, y: Int)? {
    let wide = columns / max(1, word.count * (Self.letterWidth + 1) - 1)
    let high = rows * dotsPerRow / Self.letterHeight
    guard wide >= 1, high >= 1 else { return nil }
    let x = min(wide, high * 2 / dotsPerRow)
    return (x, max(1, x * dotsPerRow / 2))
  }

  /// Draws a word of capital letters as large as the box permits, in its middle.
  /// - Returns: False, without a drawing, if the box is too small.
  @discardableResult
  package func draw(
    word: String, on canvas: inout Canvas, _ column: Int, _ row: Int, columns: Int, rows: Int,
    _ role: Role
  ) -> Bool {
    guard let scale = wordScale(word, columns: columns, rows: rows) else { return false }
    let pitch = (Self.letterWidth + 1) * scale.x
    var dots = Dots(
      columns: word.count * pitch - scale.x, height: Self.letterHeight * scale.y)
    for (index, letter) in word.enumerated() {
      for (y, line) in (Self.letters[letter] ?? []).enumerated() {
        for x in 0..<Self.letterWidth where line >> (Self.letterWidth - 1 - x) & 1 == 1 {
          dots.fill(index * pitch + x * scale.x, y * scale.y, scale.x, scale.y)
        }
      }
    }
    place(dots, on: &canvas, column, row, columns: columns, rows: rows, role)
    return true
  }

  /// The letters of the helm's words, five dots by seven, a row each from the top.
  private static let letters: [Character: [UInt8]] = [
    "A": [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    "C": [0b01111, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b01111],
    "D": [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
    "E": [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
    "G": [0b01111, 0b10000, 0b10000, 0b10011, 0b10001, 0b10001, 0b01111],
    "H": [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    "I": [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "L": [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
    "M": [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
    "N": [0b10001, 0b11001, 0b10101, 0b10101, 0b10011, 0b10001, 0b10001],
    "O": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    "R": [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
    "S": [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
    "T": [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
    "U": [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  ]

  // MARK: Dots

  /// A rectangle of dots.
  private struct Dots {
    let columns: Int
    let height: Int
    private var isSet: [Bool]

    init(columns: Int, height: Int) {
      (self.columns, self.height) = (columns, height)
      isSet = Array(repeating: false, count: columns * height)
    }

    mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
      for row in max(0, y)..<min(self.height, y + height) {
        for column in max(0, x)..<min(columns, x + width) {
          isSet[row * columns + column] = true
        }
      }
    }

    func contains(_ x: Int, _ y: Int) -> Bool { y < height && isSet[y * columns + x] }
  }

  private func place(
    _ dots: Dots, on canvas: inout Canvas, _ column: Int, _ row: Int, columns: Int, rows: Int,
    _ role: Role
  ) {
    let used = (dots.height + dotsPerRow - 1) / dotsPerRow
    let (left, top) = (column + (columns - dots.columns) / 2, row + (rows - used) / 2)
    for y in 0..<used {
      for x in 0..<dots.columns {
        let upper = dots.contains(x, y * dotsPerRow)
        let lower = dotsPerRow == 2 ? dots.contains(x, y * dotsPerRow + 1) : upper
        guard upper || lower else { continue }
        let block: Unicode.Scalar = upper && lower ? "█" : upper ? "▀" : "▄"
        canvas.put(glyphs == .ascii ? "#" : block, left + x, top + y, role)
      }
    }
  }
}
