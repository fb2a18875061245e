import Quantities

/// Texts and numbers of an XML document.
package enum XMLText {
  /// A text whose marks are escaped; characters that XML 1.0 does not allow are left out.
  /// - Source: XML 1.0, 2.2 and 2.4.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result.unicodeScalars.append(character)
      case _ where character.value < 0x20 || character.value == 0xFFFE || character.value == 0xFFFF:
        break
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// A number with so many decimals.
  static func number(_ value: Double, _ decimals: Int) -> String {
    var bytes: [UInt8] = []
    bytes.append(value, decimals: decimals)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A direction from 0 to below 360 degrees, also after rounding.
  static func direction(_ angle: Angle, _ decimals: Int) -> String {
    number(angle.degreesBelowTurn(decimals: decimals), decimals)
  }

  /// A longitude of GPX, whose schema has -180 and no 180 degrees.
  static func longitude(_ angle: Angle) -> String {
    let text = degrees(angle)
    return text == degrees(Angle(degrees: 180)) ? "-" + text : text
  }

  /// Degrees to a millimetre, from -180 to 180.
  static func degrees(_ angle: Angle) -> String { number(angle.degrees, 8) }
}
