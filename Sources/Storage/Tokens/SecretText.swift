/// Random bits as text that people can type: the base 32 of Crockford, without I, L, O and U.
/// - Source: D. Crockford, "Base 32", https://www.crockford.com/base32.html.
package enum SecretText {
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Random text of at least a number of bits.
  package static func random(bits: Int) -> String {
    // The generator is getrandom(2) of the kernel.
    var generator = SystemRandomNumberGenerator()
    return String(
      (0..<(bits + 4) / 5).map { _ in digits[Int(generator.next(upperBound: 32 as UInt))] })
  }

  /// A text as it was typed, in the form of `random`: capitals, and the digits that letters are
  /// mistaken for.
  package static func normal(_ text: String) -> String {
    String(
      text.lowercased().compactMap { letter in
        switch letter {
        case "-", " ": nil
        case "o": "0"
        case "i", "l": "1"
        default: letter
        }
      })
  }
}
