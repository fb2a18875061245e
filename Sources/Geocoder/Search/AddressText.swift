import Quantities

/// A parsed address.
struct AddressText {
  /// Its parts, from the most exact to the least, folded: "paris", "texas".
  let parts: [String]
  /// The position, if the text is one: "48.8566, 2.3522" or "48.8566° N 2.3522° E".
  let position: GeodeticPosition?

  init(_ text: String) {
    parts = text.split(whereSeparator: Self.separators.contains)
      .map { FoldedName.of(String($0)) }.filter { !$0.isEmpty }
    position = Self.position(text)
  }

  /// Ways to read a text without separators as a name and what it lies in: "springfield il".
  static func split(_ part: String) -> [[String]] {
    let words = part.split(separator: " ")
    return (1..<max(1, words.count)).reversed().map { count in
      [words[..<count].joined(separator: " "), words[count...].joined(separator: " ")]
    }
  }

  /// The part without words that contain digits, such as postal codes.
  static func withoutNumbers(_ part: String) -> String {
    part.split(separator: " ").filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
  }

  private static let separators: Set<Character> = [",", ";", "\n", "\r\n", "،", "、", "，"]

  private static func position(_ text: String) -> GeodeticPosition? {
    // Letters follow their number; a degree sign is only a separator.
    let words = text.uppercased().map { "°,;".contains($0) ? " " : String($0) }.joined()
      .split(whereSeparator: \.isWhitespace).flatMap(numberAndLetter)
    var (values, letters) = ([Double](), [Character?]())
    for word in words {
      if let value = Double(word), value.isFinite, word.allSatisfy({ "+-.0123456789".contains($0) })
      {
        values.append(value)
        letters.append(nil)
      } else if let letter = word.first, word.count == 1, "NSEW".contains(letter),
        let last = letters.last, last == nil
      {
        letters[letters.count - 1] = letter
        if "SW".contains(letter) { values[values.count - 1].negate() }
      } else {
        return nil
      }
    }
    guard values.count == 2 else { return nil }
    let axes = letters.map { letter in letter.map { "NS".contains($0) } }
    switch (axes[0], axes[1]) {
    case (nil, nil), (true, false): break
    case (false, true): values.swapAt(0, 1)
    default: return nil
    }
    guard abs(values[0]) <= 90, abs(values[1]) <= 180 else { return nil }
    return GeodeticPosition(latitudeDegrees: values[0], longitudeDegrees: values[1])
  }

  private static func numberAndLetter(_ word: Substring) -> [Substring] {
    guard word.count > 1, let last = word.last, "NSEW".contains(last) else { return [word] }
    return [word.dropLast(), word.suffix(1)]
  }
}
