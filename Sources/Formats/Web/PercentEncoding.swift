import Quantities

extension StringProtocol {
  /// The text whose bytes this one writes as `%` and two hexadecimal digits where they are not
  /// themselves; nil where a `%` has no digits, or the bytes are not UTF-8.
  /// - Source: RFC 3986, 2.1.
  package var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalDigit,
        let low = rest.popFirst()?.hexadecimalDigit
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
