import Quantities

/// Reads a sentence's fields from left to right; fields after the end are empty.
///
/// An empty field is nil. An invalid one is nil and counted, so that it does not reject the
/// sentence.
struct SentenceFields {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let commas: UnsafeBufferPointer<UInt16>
  /// Index of the comma before the next field.
  private var next = 0
  /// Fields with an invalid value.
  private(set) var unreadable: Int64 = 0

  /// Starts after the address.
  /// - Parameters:
  ///   - bytes: the sentence from its address to before the `*`.
  ///   - commas: the positions of its commas.
  init(_ bytes: UnsafeBufferPointer<UInt8>, commas: UnsafeBufferPointer<UInt16>) {
    self.bytes = bytes
    self.commas = commas
  }

  /// The bytes before the first comma.
  var address: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[..<(commas.first.map { Int($0) } ?? bytes.count)])
  }

  /// The raw bytes of the first field, which is not consumed.
  var first: UnsafeBufferPointer<UInt8> {
    guard let comma = commas.first else { return UnsafeBufferPointer(start: nil, count: 0) }
    let end = commas.count > 1 ? Int(commas[1]) : bytes.count
    return UnsafeBufferPointer(rebasing: bytes[Int(comma) + 1..<end])
  }

  /// Number of following fields, including empty ones.
  var remaining: Int { max(0, commas.count - next) }

  /// The next field's bytes without surrounding spaces; nil where it is empty or missing.
  mutating func text() -> UnsafeBufferPointer<UInt8>? { untrimmed().flatMap(Self.trimmed) }

  /// The next field's bytes with the spaces; nil where it is empty or missing.
  @inline(__always)
  private mutating func untrimmed() -> UnsafeBufferPointer<UInt8>? {
    guard next < commas.count else { return nil }
    let start = Int(commas[next]) + 1
    next += 1
    let end = next < commas.count ? Int(commas[next]) : bytes.count
    return start < end ? UnsafeBufferPointer(rebasing: bytes[start..<end]) : nil
  }

  private static func trimmed(_ field: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    var (start, end) = (0, field.count)
    while start < end, field[start] == UInt8(ascii: " ") { start += 1 }
    while end > start, field[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start < end ? UnsafeBufferPointer(rebasing: field[start..<end]) : nil
  }

  mutating func skip(_ count: Int = 1) {
    next += count
  }

  /// A letter in upper case.
  mutating func letter() -> UInt8? {
    guard let field = text(), let first = field.first else { return nil }
    return first >= UInt8(ascii: "a") && first <= UInt8(ascii: "z") ? first - 32 : first
  }

  mutating func decimal() -> DecimalNumber? {
    guard let field = untrimmed() else { return nil }
    if let number = DecimalNumber(field) { return number }
    return trimmedDecimal(field)
  }

  @inline(never)
  private mutating func trimmedDecimal(_ field: UnsafeBufferPointer<UInt8>) -> DecimalNumber? {
    guard let text = Self.trimmed(field) else { return nil }
    if text.count < field.count, let number = DecimalNumber(text) { return number }
    unreadable += 1
    return nil
  }

  mutating func number() -> Double? { decimal()?.value }

  /// A number within a range.
  mutating func number(in range: ClosedRange<Double>) -> Double? {
    guard let value = number() else { return nil }
    if range.contains(value) { return value }
    unreadable += 1
    return nil
  }

  /// An integer within a range; `12.0` is accepted.
  mutating func integer(in range: ClosedRange<Int>) -> Int? {
    guard let number = decimal() else { return nil }
    if number.decimals == 0 {
      // The digits fit an Int64; an Int may have 32 bits.
      if number.digits >= Int64(range.lowerBound), number.digits <= Int64(range.upperBound) {
        return Int(truncatingIfNeeded: number.digits)
      }
    } else if (Double(range.lowerBound)...Double(range.upperBound)).contains(number.value) {
      return Int(bounded: number.value)
    }
    unreadable += 1
    return nil
  }

  /// One or two hexadecimal digits.
  mutating func hexadecimal() -> UInt8? {
    guard let field = text() else { return nil }
    var value: UInt8 = 0
    for byte in field {
      guard let digit = byte.hexadecimalDigit, value < 16 else {
        unreadable += 1
        return nil
      }
      value = value << 4 | digit
    }
    return value
  }

  /// An angle in degrees and the letter after it; W and S make it negative.
  ///
  /// - Returns: nil without one of the letters N, E, S and W: the sign is then not known.
  mutating func signedAngle() -> Angle? {
    let degrees = number(in: -360...360)
    let side = letter()
    guard let degrees else { return nil }
    switch side {
    case UInt8(ascii: "E"), UInt8(ascii: "N"): return Angle(degrees: degrees)
    case UInt8(ascii: "W"), UInt8(ascii: "S"): return Angle(degrees: -degrees)
    default: return nil
    }
  }

  /// A direction in degrees; 360 becomes 0. Values outside -360…360 are invalid.
  mutating func direction() -> Angle? {
    guard let degrees = number(in: -360...360) else { return nil }
    // A tiny negative number plus 360 rounds to 360.
    let turned = degrees < 0 ? degrees + 360 : degrees
    return Angle(degrees: turned == 360 ? 0 : turned)
  }

  /// Two fields: degrees and minutes in one number, and the hemisphere.
  mutating func coordinate(_ axis: Coordinate.Axis) -> Coordinate? {
    guard let number = decimal() else {
      skip()
      return nil
    }
    guard let coordinate = Coordinate(number, hemisphere: letter(), axis) else {
      unreadable += 1
      return nil
    }
    return coordinate
  }

  /// A position of two fields in degrees, north and east positive.
  mutating func positionInDegrees() -> GeodeticPosition? {
    let (latitude, longitude) = (number(in: -90...90), number(in: -180...180))
    guard let latitude, let longitude else { return nil }
    return GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Four fields: latitude and hemisphere, longitude and hemisphere.
  mutating func position() -> GeodeticPosition? {
    let (latitude, longitude) = (coordinate(.latitude), coordinate(.longitude))
    guard let latitude, let longitude else { return nil }
    return GeodeticPosition(latitudeDegrees: latitude.degrees, longitudeDegrees: longitude.degrees)
  }

  /// `hhmmss` with any number of decimals.
  mutating func time() -> TimeOfDay? {
    guard let number = decimal() else { return nil }
    let time = TimeOfDay(number)
    if time == nil { unreadable += 1 }
    return time
  }

  /// `ddmmyy`. Years 80 to 99 are 1980 to 1999: GPS time begins in 1980.
  mutating func shortDate() -> CivilDate? {
    guard let number = decimal() else { return nil }
    let all = number.decimals == 0 ? Int32(truncatingIfNeeded: number.digits) : 0
    let year = Int(all % 100)
    let date = CivilDate(
      checkedYear: year + (year >= 80 ? 1900 : 2000), month: Int(all / 100 % 100),
      day: all >= 0 && number.digits < 1_000_000 ? Int(all / 10_000) : 0)
    if date == nil { unreadable += 1 }
    return date
  }

  /// Three fields: day, month, and year with two or four digits.
  mutating func longDate() -> CivilDate? {
    let day = integer(in: 0...31)
    let month = integer(in: 0...12)
    let year = integer(in: 0...2261)
    guard let day, let month, let year else { return nil }
    // Some receivers send 00,00,0000 while they do not know the date.
    let full = year >= 100 ? year : year + (year >= 80 ? 1900 : 2000)
    return CivilDate(checkedYear: full, month: month, day: day)
  }
}

extension CivilDate {
  /// - Returns: nil where the calendar has no such day.
  fileprivate init?(checkedYear year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= CivilDate.days(inMonth: month, of: year) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }
}
