import Quantities

extension UTCTime {
  /// Reads a time as gpsd prints it: `2005-06-08T10:34:48.283Z`, with any number of decimals or
  /// none.
  /// - Source: gpsd_json(5) of gpsd 3.22, "time": ISO 8601, UTC.
  init?(gpsd text: JSONText) {
    let bytes = text.bytes
    // YYYY-MM-DDThh:mm:ssZ without decimals has 20 bytes.
    guard bytes.count >= 20, bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"),
      let year = Self.digits(bytes, 0, 4), let month = Self.digits(bytes, 5, 2),
      let day = Self.digits(bytes, 8, 2), let hour = Self.digits(bytes, 11, 2),
      let minute = Self.digits(bytes, 14, 2), let second = Self.digits(bytes, 17, 2)
    else { return nil }
    var nanosecond = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count > 21 else { return nil }
      var place = 100_000_000
      for index in 20..<bytes.count - 1 {
        guard let digit = Self.digits(bytes, index, 1) else { return nil }
        nanosecond += digit * place
        place /= 10
      }
    }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: nanosecond)
  }

  private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int)
    -> Int?
  {
    var value = 0
    for index in start..<start + count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }
}

extension JSONReader {
  /// Reads a time: ISO 8601, or seconds since 1970 as daemons before 2011 sent.
  mutating func time() -> UTCTime? {
    guard isText() else { return number().flatMap { UTCTime(secondsSince1970: $0) } }
    guard let text = text() else { return nil }
    if let time = UTCTime(gpsd: text) { return time }
    refuse()
    return nil
  }
}
