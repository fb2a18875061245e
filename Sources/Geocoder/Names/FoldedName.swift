import Foundation

/// Normalises spellings of one name: case, diacritics, apostrophes, full stops, width and
/// punctuation.
///
/// `Scripts/build-gazetteer.py` folds names in the same way; a change here requires the same change
/// there.
public enum FoldedName {
  /// The folded form, words separated by one space; may be empty.
  public static func of(_ name: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isDropped(lower) {
        if let replacement = replacements[lower] {
          folded.append(contentsOf: replacement.unicodeScalars)
        } else {
          folded.append(isKept(lower) ? lower : " ")
        }
      }
    }
    // By scalars: a combining mark after a space would form one character with it.
    return String(folded).precomposedStringWithCanonicalMapping.unicodeScalars
      .split(separator: " ").map { String($0) }.joined(separator: " ")
  }

  /// Letters that have no decomposition.
  private static let replacements: [Unicode.Scalar: String] = [
    "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th",
    "ð": "d", "ħ": "h", "ŋ": "n", "ŧ": "t", "ς": "σ",
  ]

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "'", "’", "‘", "`", "´", "′", ".": true
    default:
      switch scalar.value {
      // What has no width; spacing modifiers, among them letters that look like apostrophes;
      // combining diacritics; the points of Hebrew and Arabic, which names are written with and
      // without.
      case 0xAD, 0x200B...0x200F, 0x2060, 0x2B0...0x2FF, 0x300...0x36F, 0x591...0x5C7,
        0x64B...0x65F, 0x670:
        true
      default: false
      }
    }
  }

  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }
}
