extension Sequence<UInt8> {
  /// Two hexadecimal digits a byte, in small letters.
  package var hexadecimalText: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in self { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
