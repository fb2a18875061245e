import Quantities

/// ISO 8601 in UTC, as in profiles: `2026-11-21T16:32:30Z`, with a fraction if it is not zero.
package enum UTCText {
  /// The text of an instant.
  package static func text(_ time: UTCTime) -> String {
    let date = time.date
    let (seconds, fraction) = time.nanosecondsOfDay.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text =
      "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + "\(padded(Int(seconds) / 3600, 2)):\(padded(Int(seconds) / 60 % 60, 2)):"
      + padded(Int(seconds) % 60, 2)
    if fraction != 0 {
      text += "." + padded(Int(fraction), 9)
      while text.hasSuffix("0") { text.removeLast() }
    }
    return text + "Z"
  }

  /// - Returns: nil for an invalid text.
  package static func time(_ text: String) -> UTCTime? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
      guard bytes[index...].starts(with: mark.utf8) else { return nil }
    }
    guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19])
    else { return nil }
    var nanosecond = 0
    let rest = bytes[19...].dropLast()
    if !rest.isEmpty {
      guard rest.first == UInt8(ascii: "."), (2...10).contains(rest.count) else { return nil }
      let digits = rest.dropFirst() + Array(repeating: UInt8(ascii: "0"), count: 10 - rest.count)
      guard let fraction = number(digits) else { return nil }
      nanosecond = fraction
    }
    return UTCTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: nanosecond)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
