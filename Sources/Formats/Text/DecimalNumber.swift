/// Reads the decimal number of a text cell with the value of the same Swift literal.
enum DecimalNumber {
  /// - Returns: nil for anything but a finite decimal number with nothing around it but blanks.
  static func parse(_ cell: ArraySlice<UInt8>) -> Double? {
    var mantissa: UInt64 = 0
    var digits = 0
    var scale = 0
    var i = cell.startIndex
    let isNegative = i < cell.endIndex && cell[i] == UInt8(ascii: "-")
    if i < cell.endIndex, isNegative || cell[i] == UInt8(ascii: "+") { i += 1 }
    var sawPoint = false
    var sawDigit = false
    while i < cell.endIndex {
      let c = cell[i]
      if c >= 48, c <= 57 {
        sawDigit = true
        if digits < 18 || mantissa == 0 {
          mantissa = mantissa * 10 + UInt64(c - 48)
          if mantissa > 0 { digits += 1 }
          if sawPoint { scale -= 1 }
        } else {
          return slow(cell)
        }
      } else if c == UInt8(ascii: "."), !sawPoint {
        sawPoint = true
      } else {
        break
      }
      i += 1
    }
    guard sawDigit else { return nil }
    if i < cell.endIndex {
      guard cell[i] | 0x20 == UInt8(ascii: "e") else { return nil }
      return slow(cell)
    }
    // Both operands are exact below 2^53 and 10^22, so the single rounding is correct.
    guard mantissa < 1 << 53, scale >= -22 else { return slow(cell) }
    let value = Double(mantissa) / powers[-scale]
    return isNegative ? -value : value
  }

  /// Long mantissas and exponents are rare: the standard library rounds them correctly.
  private static func slow(_ cell: ArraySlice<UInt8>) -> Double? {
    // It would also accept hexadecimal numbers, which recordings do not contain.
    guard cell.allSatisfy({ $0 < 0x80 && $0 | 0x20 != UInt8(ascii: "x") }),
      let value = Double(String(decoding: cell, as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
