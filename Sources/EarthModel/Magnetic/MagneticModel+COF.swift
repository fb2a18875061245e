import Quantities

extension MagneticModel {
  /// Reads a `.COF` file of any degree: a first line `epoch name date`, then a line `n m g h g' h'`
  /// for each term, by degree and order without a gap, then a line of nines. A truncated file is
  /// rejected.
  /// - Throws: `MagneticModelError.malformed` with the line and what was expected.
  public init(parsingCOF text: some Sequence<UInt8>) throws(MagneticModelError) {
    var name = ""
    var epoch: Double?
    var table: [Double] = []
    var next = (n: 1, m: 0)
    var isClosed = false
    var number = 0
    for line in COFLines(text) {
      number += 1
      if line.isEmpty { continue }
      if line[0].allSatisfy({ $0 == UInt8(ascii: "9") }), line[0].count > 8 {
        isClosed = true
        break
      }
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
      guard nValue == Double(next.n), mValue == Double(next.m), next.n <= 1000 else {
        throw .malformed(line: number, expected: "the next term: n from 1 to 1000, m from 0 to n")
      }
      table.append(contentsOf: [g, h, gRate, hRate])
      next = next.m < next.n ? (next.n, next.m + 1) : (next.n + 1, 0)
    }
    guard let epoch else {
      throw .malformed(line: 1, expected: "epoch as a decimal year, name and date")
    }
    guard isClosed, next.n > 1, next.m == 0 else {
      throw .malformed(line: number, expected: "all terms of a degree, then a line of nines")
    }
    self.init(name: name, epoch: epoch, degree: next.n - 1, table: table)
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

/// A decimal number with sign and point. Coefficients have no exponents and few digits, so mantissa
/// and power of ten are exact.
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
