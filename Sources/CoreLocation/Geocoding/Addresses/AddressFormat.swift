/// Writes addresses in the form of their country.
package struct AddressFormat: Sendable {
  /// The place of the house number.
  enum HouseNumberOrder {
    case first, firstWithComma, last, lastWithComma
  }

  /// The parts of an address; empty where they are not known.
  package struct Parts: Sendable {
    /// The street with its number; it may have several lines.
    package var street = ""
    /// A section of the city.
    package var subLocality = ""
    /// The city.
    package var city = ""
    /// The state.
    package var state = ""
    /// The postal code.
    package var postalCode = ""
    /// The country, in words.
    package var country = ""

    /// Makes an address without known parts.
    package init() {}

    fileprivate subscript(token: Character) -> String? {
      switch token {
      case "A": street
      case "D": subLocality
      case "C": city
      case "S": state
      case "Z": postalCode
      default: nil
      }
    }

    /// True where a part is written in Chinese characters, kana or hangul.
    fileprivate var isEastAsian: Bool {
      (street + subLocality + city + state).unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF: true
        default: false
        }
      }
    }
  }

  private let pattern: String
  private let nativePattern: String?
  private let order: HouseNumberOrder

  /// The format of a country.
  /// - Parameter isoCode: ISO 3166-1 alpha-2; nil or empty for that of the user's region.
  package init(of isoCode: String?) {
    let known = isoCode.flatMap { $0.isEmpty ? nil : $0 }
    let code = (known ?? Locale.current.region?.identifier ?? "").uppercased()
    pattern = Tables.lines[code] ?? Self.standardLines
    nativePattern = Tables.nativeLines[code]
    order = Tables.numbers[code] ?? .last
  }

  /// A street with its house number; nil without both.
  package func street(_ name: String?, number: String?) -> String? {
    guard let name, let number else { return name ?? number }
    return switch order {
    case .first: "\(number) \(name)"
    case .firstWithComma: "\(number), \(name)"
    case .last: "\(name) \(number)"
    case .lastWithComma: "\(name), \(number)"
    }
  }

  /// The address in lines, the country last; a line without a known part is left out.
  package func lines(of parts: Parts) -> [String] {
    let pattern = parts.isEastAsian ? nativePattern ?? self.pattern : self.pattern
    var lines = pattern.split(separator: "|").map { Self.line($0, parts) }
    lines.append(parts.country)
    return lines.filter { !$0.isEmpty }
  }

  /// Fills a line. A separator is written between two known parts only, one at the beginning with
  /// the part behind it.
  private static func line(_ pattern: Substring, _ parts: Parts) -> String {
    var (line, separator) = ("", "")
    var isAfterPart = false
    for character in pattern {
      guard let part = parts[character] else {
        separator.append(character)
        continue
      }
      if !part.isEmpty {
        if !line.isEmpty || !isAfterPart { line += separator }
        line += part
      }
      (separator, isAfterPart) = ("", true)
    }
    return line
  }

  /// The tables by country.
  private enum Tables {
    static let lines = byCountry(AddressFormat.lines)
    static let nativeLines = byCountry(AddressFormat.nativeLines)
    static let numbers = byCountry(AddressFormat.numbers)

    private static func byCountry<Form>(_ rows: [Row<Form>]) -> [String: Form] {
      rows.reduce(into: [:]) { table, row in
        for code in row.countries.split(separator: " ") { table[String(code)] = row.form }
      }
    }
  }

  /// The countries with a format of their own, for tests.
  package static var countries: Set<String> { Set(Tables.lines.keys) }
}
