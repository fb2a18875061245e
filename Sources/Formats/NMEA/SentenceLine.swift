import Quantities

/// One NMEA 0183 sentence under construction, field by field.
struct SentenceLine {
  private var line: [UInt8] = []

  /// Starts with talker and type.
  init(_ address: StaticString) {
    line.append(ascii: "$")
    line.append(ascii: address)
  }

  /// Ends the sentence: the exclusive or of all between `$` and `*`, CR and LF.
  /// - Parameter talker: Replaces the first two letters.
  /// - Returns: The sentence.
  consuming func closed(_ talker: NMEATalker? = nil) -> [UInt8] {
    if let talker { line.replaceSubrange(1...2, with: talker.letters) }
    let sum = line.dropFirst().reduce(0, ^)
    line.append(ascii: "*")
    for digit in [sum >> 4, sum & 15] {
      line.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
    line.append(ascii: "\r\n")
    return line
  }

  /// Adds an empty field.
  mutating func field() { line.append(ascii: ",") }

  mutating func field(_ text: StaticString) {
    line.append(ascii: ",")
    line.append(ascii: text)
  }

  mutating func field(integer: Int, width: Int = 1) {
    line.append(ascii: ",")
    line.append(integer: Int64(integer), width: width)
  }

  /// Adds a number, or an empty field where it is nil or not finite.
  mutating func field(_ value: Double?, decimals: Int) {
    line.append(ascii: ",")
    if let value { line.append(value, decimals: decimals) }
  }

  /// Adds a direction of 0.0 to 359.9 degrees.
  mutating func field(direction: Angle?) {
    line.append(ascii: ",")
    guard let direction else { return }
    line.append(direction.degreesBelowTurn(decimals: 1), decimals: 1)
  }

  /// Adds the four fields of a transducer: its type, value, unit and name.
  mutating func transducer(
    _ type: StaticString, _ value: Double, decimals: Int, _ unit: StaticString, _ name: StaticString
  ) {
    field(type)
    field(value, decimals: decimals)
    field(unit)
    field(name)
  }

  /// Adds the two fields of a variation: degrees, and E or W.
  mutating func variation(_ angle: Angle?) {
    field(angle.map { abs($0.degrees) }, decimals: 1)
    line.append(ascii: ",")
    if let angle { line.append(ascii: angle.radians < 0 ? "W" : "E") }
  }

  /// Adds the four fields of a place.
  mutating func position(_ position: GeodeticPosition?) {
    coordinate(position?.latitude, width: 4, positive: "N", negative: "S")
    coordinate(position?.longitude, width: 5, positive: "E", negative: "W")
  }

  /// Degrees and minutes run together; five decimals of a minute are 2 cm.
  private mutating func coordinate(
    _ angle: Angle?, width: Int, positive: StaticString, negative: StaticString
  ) {
    let perMinute = 100_000.0
    let scaled = angle.map { (abs($0.degrees) * 60 * perMinute).rounded() }
    guard let angle, let scaled, scaled.isFinite, scaled <= 360 * 60 * perMinute else {
      line.append(ascii: ",,")
      return
    }
    let units = Int64(bounded: scaled)
    let (minutes, fraction) = (units / Int64(bounded: perMinute), units % Int64(bounded: perMinute))
    line.append(ascii: ",")
    line.append(integer: minutes / 60 * 100 + minutes % 60, width: width)
    line.append(ascii: ".")
    line.append(integer: fraction, width: 5)
    field(angle.radians < 0 ? negative : positive)
  }

  /// Adds `hhmmss.ss`.
  mutating func field(timeOf utc: UTCTime?) {
    line.append(ascii: ",")
    guard let utc else { return }
    let hundredths = utc.rounded(toNanoseconds: Self.timeUnit).nanosecondsOfDay / Self.timeUnit
    let seconds = hundredths / 100
    line.append(integer: seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60, width: 6)
    line.append(ascii: ".")
    line.append(integer: hundredths % 100, width: 2)
  }

  /// Adds `ddmmyy`.
  mutating func field(dateOf utc: UTCTime?) {
    line.append(ascii: ",")
    guard let utc else { return }
    let date = utc.rounded(toNanoseconds: Self.timeUnit).date
    line.append(integer: Int64(date.day * 10_000 + date.month * 100 + date.year % 100), width: 6)
  }

  /// Adds the three fields `dd,mm,yyyy`.
  mutating func field(dayMonthYearOf utc: UTCTime) {
    let date = utc.rounded(toNanoseconds: Self.timeUnit).date
    field(integer: date.day, width: 2)
    field(integer: date.month, width: 2)
    field(integer: date.year, width: 4)
  }

  /// A hundredth of a second, nanoseconds.
  private static var timeUnit: Int64 { 10_000_000 }
}
