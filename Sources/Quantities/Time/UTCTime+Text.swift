/// Times as text of ISO 8601 in UTC.
extension UTCTime {
  /// The text, `2026-11-21T16:32:30.125Z`, with so many digits of the second's fraction; with all
  /// that are not zero where `decimals` is nil. Later digits are cut off: round first.
  package func text(decimals: Int? = nil) -> String {
    var bytes: [UInt8] = []
    bytes.write { $0.put(self, decimals: decimals) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text in records: ISO 8601, UTC, with milliseconds, `2026-11-21T16:32:30.125Z`.
  package var recordText: String { rounded(toNanoseconds: 1_000_000).text(decimals: 3) }

  /// Reads a text, `2026-11-21T16:32:30.125Z`.
  package init?(iso8601 text: String, isAbbreviated: Bool = false) {
    let bytes = Array(text.utf8)
    let time = bytes.withUnsafeBufferPointer {
      UTCTime(iso8601: $0, isAbbreviated: isAbbreviated)
    }
    guard let time else { return nil }
    self = time
  }

  /// Reads a text, `2026-11-21T16:32:30.125Z`; nil for another text and a time that does not exist.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - mostDecimals: The most digits of the second's fraction; those after the ninth have no
  ///     effect.
  ///   - isAbbreviated: True where `Z`, seconds, the time, and leading zeros may be left out.
  package init?(
    iso8601 bytes: UnsafeBufferPointer<UInt8>, mostDecimals: Int = 9, isAbbreviated: Bool = false
  ) {
    var text = Digits(bytes: bytes, leastCount: isAbbreviated ? 1 : 2)
    guard let year = text.number(4...4), text.takes("-"), let month = text.number(),
      text.takes("-"),
      let day = text.number()
    else { return nil }
    var (hour, minute, second, nanosecond) = (0, 0, 0, 0)
    if !isAbbreviated || !text.isAtEnd {
      guard text.takes("T"), let hours = text.number(), text.takes(":"), let minutes = text.number()
      else { return nil }
      (hour, minute) = (hours, minutes)
      if text.takes(":") {
        guard let seconds = text.number() else { return nil }
        second = seconds
        if text.takes(".") {
          guard let fraction = text.fraction(1...mostDecimals) else { return nil }
          nanosecond = fraction
        }
      } else if !isAbbreviated {
        return nil
      }
      guard text.takes("Z") || isAbbreviated, text.isAtEnd else { return nil }
    }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: nanosecond)
  }

  /// Digits and marks from left to right.
  private struct Digits {
    let bytes: UnsafeBufferPointer<UInt8>
    let leastCount: Int
    var offset = 0

    var isAtEnd: Bool { offset == bytes.count }

    mutating func takes(_ mark: Unicode.Scalar) -> Bool {
      guard !isAtEnd, bytes[offset] == UInt8(ascii: mark) else { return false }
      offset += 1
      return true
    }

    mutating func digit() -> Int? {
      guard !isAtEnd, bytes[offset] &- UInt8(ascii: "0") < 10 else { return nil }
      defer { offset += 1 }
      return Int(bytes[offset] - UInt8(ascii: "0"))
    }

    /// A number of up to two digits.
    mutating func number() -> Int? { number(leastCount...2) }

    mutating func number(_ counts: ClosedRange<Int>) -> Int? {
      var (value, count) = (0, 0)
      while count < counts.upperBound, let digit = digit() {
        value = value * 10 + digit
        count += 1
      }
      return counts.contains(count) ? value : nil
    }

    /// Nanoseconds of decimals.
    mutating func fraction(_ counts: ClosedRange<Int>) -> Int? {
      var (value, place, count) = (0, 100_000_000, 0)
      while let digit = digit() {
        value += digit * place
        place /= 10
        count += 1
      }
      return counts.contains(count) ? value : nil
    }
  }
}

extension ByteCursor {
  /// Writes a time as ISO 8601; see `UTCTime.text`.
  package mutating func put(_ time: UTCTime, decimals: Int?) {
    let date = time.date
    var (seconds, fraction) = time.nanosecondsOfDay.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    var count = 9
    while count > 0, decimals.map({ count > $0 }) ?? (fraction % 10 == 0) {
      fraction /= 10
      count -= 1
    }
    // A time has no year before 1677.
    put(digits: UInt64(date.year), width: 4)
    put(UInt8(ascii: "-"))
    put(digits: UInt64(date.month), width: 2)
    put(UInt8(ascii: "-"))
    put(digits: UInt64(date.day), width: 2)
    put(UInt8(ascii: "T"))
    put(digits: UInt64(seconds / 3600), width: 2)
    put(UInt8(ascii: ":"))
    put(digits: UInt64(seconds / 60 % 60), width: 2)
    put(UInt8(ascii: ":"))
    seconds %= 60
    for _ in 0..<count { seconds *= 10 }
    put(digits: UInt64(seconds + fraction), width: 2, decimals: count)
    put(UInt8(ascii: "Z"))
  }
}
