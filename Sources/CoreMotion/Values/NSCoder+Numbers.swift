import Foundation

// The archives of this module hold numbers only.
extension NSCoder {
  /// Writes numbers under a key and their positions.
  func encode(_ numbers: [Double], forKey key: String) {
    for (k, number) in numbers.enumerated() { encode(number, forKey: "\(key).\(k)") }
  }

  /// Reads numbers that `encode(_:forKey:)` wrote; nil where one is missing.
  func decodeNumbers(_ count: Int, forKey key: String) -> [Double]? {
    var numbers: [Double] = []
    for k in 0..<count {
      guard let number = decodeNumber(forKey: "\(key).\(k)") else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Reads a number; nil where it is missing: decoding a missing key would fail the whole archive.
  func decodeNumber(forKey key: String) -> Double? {
    containsValue(forKey: key) ? decodeDouble(forKey: key) : nil
  }

  /// Writes an instant.
  func encode(_ date: Date, forKey key: String) {
    encode(date.timeIntervalSinceReferenceDate, forKey: key)
  }

  /// Reads an instant; nil where it is missing.
  func decodeInstant(forKey key: String) -> Date? {
    decodeNumber(forKey: key).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension Date {
  /// The date of an item that nothing has measured.
  static var unknown: Date { Date(timeIntervalSinceReferenceDate: 0) }
}
