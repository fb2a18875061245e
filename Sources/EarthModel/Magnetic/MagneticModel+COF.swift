import Quantities

extension MagneticModel {
  /// Reads a `.COF` file of any degree: a first line `epoch name date`, then a line `n m g h g' h'` for
  /// each term, up to a line of nines or the end.
  /// - Throws: `MagneticModelError.malformed` with the line and what was expected.
  public init(parsingCOF text: some Sequence<UInt8>) throws(MagneticModelError) {
    var name = ""
    var epoch: Double?
    var table: [Double] = []
    var degree = 0
    var number = 0
    for line in COFLines(text) {
      number += 1
      if line.isEmpty { continue }
      if line[0].allSatisfy({ $0 == UInt8(ascii: "9") }), line[0].count > 8 { break }
      if epoch == nil {
        guard line.count >= 2, let year = COFNumber.parse(line[0]), (1900...2100).contains(year)
        else { throw .malformed(line: number, expected: "epoch as a decimal year, name and date") }
        epoch = year
        name = String(decoding: line[1], as: UTF8.self)
        continue
      }
      guard line.count >= 6, let nValue = COFNumber.parse(line[0]),
        let mValue = COFNumber.parse(line[1]),
        let g = COFNumber.parse(line[2]), let h = COFNumber.parse(line[3]),
        let gRate = COFNumber.parse(line[4]), let hRate = COFNumber.parse(line[5])
      else {
        throw .malformed(line: number, expected: "six numbers: n m g h and the rates of g and h")
      }
      guard nValue >= 1, nValue <= 1000, mValue >= 0, mValue <= nValue,
        nValue == nValue.rounded(), mValue == mValue.rounded()
      else {
        throw .malformed(line: number, expected: "degree n from 1 to 1000, order m from 0 to n")
      }
      let (n, m) = (Int(nValue), Int(mValue))
      degree = max(degree, n)
      let row = 4 * (n * (n + 1) / 2 - 1 + m)
      while table.count < row + 4 { table.append(0) }
      (table[row], table[row + 1]) = (g, h)
      (table[row + 2], table[row + 3]) = (gRate, hRate)
    }
    guard let epoch else {
      throw .malformed(line: 1, expected: "epoch as a decimal year, name and date")
    }
    guard degree > 0 else {
      throw .malformed(line: number, expected: "at least one term n m g h and the rates of g and h")
    }
    self.init(name: name, epoch: epoch, degree: degree, table: table)
  }
}

/// The lines of a text, each cut into words.
private struct COFLines<Text: Sequence>: Sequence, IteratorProtocol where Text.Element == UInt8 {
  private var bytes: Text.Iterator
  private var isAtEnd = false

  init(_ text: Text) { bytes = text.makeIterator() }

  mutating func next() -> [[UInt8]]? {
    guard !isAtEnd else { return nil }
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    while true {
      let byte = bytes.next()
      if byte == nil { isAtEnd = true }
      guard let byte, byte > 32 else {
        if !word.isEmpty { words.append(word) }
        word = []
        if byte == nil || byte == 10 { return words }
        continue
      }
      word.append(byte)
    }
  }
}

/// A decimal number with sign and point; coefficients have no exponents and few digits, so that
/// mantissa and power of ten are exact.
private enum COFNumber {
  static func parse(_ word: [UInt8]) -> Double? {
    var mantissa = 0.0
    var divisor = 1.0
    var sawPoint = false
    var digits = 0
    for (i, c) in word.enumerated() {
      if c >= 48, c <= 57 {
        digits += 1
        guard digits <= 15 else { return nil }
        mantissa = mantissa * 10 + Double(c - 48)
        if sawPoint { divisor *= 10 }
      } else if c == UInt8(ascii: "."), !sawPoint {
        sawPoint = true
      } else if i > 0 || (c != UInt8(ascii: "-") && c != UInt8(ascii: "+")) {
        return nil
      }
    }
    guard digits > 0 else { return nil }
    return (word.first == UInt8(ascii: "-") ? -mantissa : mantissa) / divisor
  }
}
