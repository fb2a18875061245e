import Quantities

/// Reads a sentence's fields from left to right; past the end every field is empty.
///
/// An empty field is nil; one that cannot be what it should be is nil too and is counted, so that a
/// wrong field never costs the sentence.
struct SentenceFields {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let commas: UnsafeBufferPointer<UInt8>
  /// The comma before the next field.
  private var next = 0
  /// Fields that held something else than they should.
  private(set) var unreadable: Int64 = 0

  /// Starts after the address.
  /// - Parameters:
  ///   - bytes: the sentence from its address to before the `*`.
  ///   - commas: where its commas lie.
  init(_ bytes: UnsafeBufferPointer<UInt8>, commas: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    self.commas = commas
  }

  /// What stands before the first comma.
  var address: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[..<(commas.first.map { Int($0) } ?? bytes.count)])
  }

  /// The first field's bytes as they are, without taking it.
  var first: UnsafeBufferPointer<UInt8> {
    guard let comma = commas.first else { return UnsafeBufferPointer(start: nil, count: 0) }
    let end = commas.count > 1 ? Int(commas[1]) : bytes.count
    return UnsafeBufferPointer(rebasing: bytes[Int(comma) + 1..<end])
  }

  /// How many fields follow, empty ones included.
  var remaining: Int { max(0, commas.count - next) }

  /// The next field's bytes; nil where it is empty or missing. Spaces around it do not count.
  mutating func text() -> UnsafeBufferPointer<UInt8>? {
    guard next < commas.count else { return nil }
    var start = Int(commas[next]) + 1
    next += 1
    var end = next < commas.count ? Int(commas[next]) : bytes.count
    while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
    while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start < end ? UnsafeBufferPointer(rebasing: bytes[start..<end]) : nil
  }

  mutating func skip(_ count: Int = 1) {
    next += count
  }

  /// A letter, made upper-case.
  mutating func letter() -> UInt8? {
    guard let field = text(), let first = field.first else { return nil }
    return first >= UInt8(ascii: "a") && first <= UInt8(ascii: "z") ? first - 32 : first
  }

  mutating func decimal() -> DecimalNumber? {
    guard let field = text() else { return nil }
    let number = DecimalNumber(field)
    if number == nil { unreadable += 1 }
    return number
  }

  mutating func number() -> Double? { decimal()?.value }

  /// A number that must lie in a range.
  mutating func number(in range: ClosedRange<Double>) -> Double? {
    guard let value = number() else { return nil }
    if range.contains(value) { return value }
    unreadable += 1
    return nil
  }

  /// A whole number that must lie in a range; `12.0` is one as well.
  mutating func integer(in range: ClosedRange<Int>) -> Int? {
    guard let value = number(in: Double(range.lowerBound)...Double(range.upperBound)) else {
      return nil
    }
    return Int(value)
  }

  /// A hexadecimal digit or two.
  mutating func hexadecimal() -> UInt8? {
    guard let field = text() else { return nil }
    var value: UInt8 = 0
    for byte in field {
      guard let digit = FrameChecks.hexDigit(byte), value < 16 else {
        unreadable += 1
        return nil
      }
      value = value << 4 | digit
    }
    return value
  }

  /// An angle in degrees, and the letter after it: W or S makes it negative.
  ///
  /// - Returns: nil without one of the two letters; an angle without a side is not known.
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

  /// A direction; 360 is 0. A direction outside -360…360 is unreadable.
  mutating func direction() -> Angle? {
    guard let degrees = number(in: -360...360) else { return nil }
    // A negative number next to nothing would be a whole turn once it is added to one.
    let turned = degrees < 0 ? degrees + 360 : degrees
    return Angle(degrees: turned == 360 ? 0 : turned)
  }

  /// Two fields, degrees and minutes in one number and then the hemisphere.
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

  /// Latitude with its hemisphere, longitude with its: four fields.
  mutating func position() -> GeodeticPosition? {
    let (latitude, longitude) = (coordinate(.latitude), coordinate(.longitude))
    guard let latitude, let longitude else { return nil }
    return GeodeticPosition(latitudeDegrees: latitude.degrees, longitudeDegrees: longitude.degrees)
  }

  /// `hhmmss` with any decimals.
  mutating func time() -> TimeOfDay? {
    guard let number = decimal() else { return nil }
    let time = TimeOfDay(number)
    if time == nil { unreadable += 1 }
    return time
  }

  /// `ddmmyy`. Years 80 to 99 are of the 1900s: GPS time begins in 1980.
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

  /// Three fields: day, month and year, the year of two or four digits.
  mutating func longDate() -> CivilDate? {
    let day = integer(in: 0...31)
    let month = integer(in: 0...12)
    let year = integer(in: 0...2261)
    guard let day, let month, let year else { return nil }
    // 00,00,0000 is how some receivers say that they do not know.
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
