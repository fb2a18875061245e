import CFirmware

/// Lines of text on the console.
struct Console {
  private init() {}

  /// Prints a line.
  static func print(_ line: String) {
    var line = line
    line += "\n"
    line.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { firmware_write($0.baseAddress, $0.count) }
    }
  }

  /// Prints a name, a number and the bit patterns of values.
  static func print(_ name: String, _ index: Int, _ values: [Double]) {
    var line = name + " " + decimal(UInt64(index))
    for value in values { line += " " + hexadecimal(value.bitPattern) }
    print(line)
  }

  /// A whole number; the standard library's text of numbers would add its code to the firmware.
  static func decimal(_ number: UInt64) -> String {
    var (rest, digits) = (number, "")
    repeat {
      digits = String(Unicode.Scalar(UInt8(48 + rest % 10))) + digits
      rest /= 10
    } while rest > 0
    return digits
  }

  private static func hexadecimal(_ bits: UInt64) -> String {
    var text = ""
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: bits >> UInt64(shift) & 15)
      text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 48 + digit : 87 + digit))
    }
    return text
  }
}
