import JSON
import Quantities

extension JSONReader {
  /// Reads a number within a range.
  mutating func number(in range: ClosedRange<Double>) -> Double? {
    guard let value = number() else { return nil }
    guard range.contains(value) else {
      refuse("a number out of range")
      return nil
    }
    return value
  }

  /// Reads an integer of 0 to 65535, the range of all counts and codes of gpsd.
  mutating func integer() -> Int? {
    guard let value = number(in: 0...65_535) else { return nil }
    guard value == value.rounded() else {
      refuse("expected a whole number")
      return nil
    }
    return Int(bounded: value)
  }

  /// Reads a time: ISO 8601 with any number of decimals, or seconds since 1970 as daemons before
  /// 2011 sent.
  /// - Source: gpsd_json(5) of gpsd 3.22, "time".
  mutating func time() -> UTCTime? {
    guard isText() else { return number().flatMap { UTCTime(secondsSince1970: $0) } }
    guard let text = text() else { return nil }
    if let time = UTCTime(iso8601: text.bytes, mostDecimals: .max) { return time }
    refuse("expected a time", at: text)
    return nil
  }
}
