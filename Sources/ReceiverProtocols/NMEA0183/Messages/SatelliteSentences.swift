/// GSA: dimension of the solution and satellites in use.
public struct GSA: Equatable, Sendable {
  /// 1 no fix, 2 position, 3 position and altitude.
  public var dimension: Int?
  /// Satellite numbers as printed, the first `count` of them.
  public var numbers = SIMD16<UInt16>()
  /// Number of satellites.
  public var count = 0
  /// Position dilution of precision.
  public var positionDilution: Double?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// NMEA 4.11 system identifier, from 1.
  public var systemID: UInt8?

  /// Satellite fields of a usual sentence, and the largest number of fields of such a sentence.
  private static let (slots, longest) = (12, 18)

  init(_ fields: inout SentenceFields) {
    // The Navior CH-4701 has 24 satellite fields: all but the two modes and the three dilutions.
    let slots = fields.remaining > Self.longest ? fields.remaining - 5 : Self.slots
    fields.skip()
    dimension = fields.integer(in: 1...3)
    for _ in 0..<slots {
      guard let number = fields.integer(in: 0...65_535), number > 0,
        count < numbers.scalarCount
      else { continue }
      numbers[count] = UInt16(number)
      count += 1
    }
    positionDilution = fields.number(in: 0...10_000)
    horizontalDilution = fields.number(in: 0...10_000)
    verticalDilution = fields.number(in: 0...10_000)
    systemID = fields.hexadecimal()
  }
}

/// GSV: up to four of the satellites in view; a group of sentences contains all of them.
public struct GSV: Equatable, Sendable {
  /// One satellite as printed.
  public struct Entry: Equatable, Sendable {
    /// The number as printed; its meaning depends on talker and range.
    public var number: UInt16
    /// Elevation above the horizon, degrees.
    public var elevationDegrees: Int8?
    /// Azimuth clockwise from true north, degrees.
    public var azimuthDegrees: Int16?
    /// Carrier to noise density, dB-Hz; nil where the satellite is not tracked.
    public var signalDecibelHertz: Int8?
  }

  /// Number of sentences in the group; nil in a later one that leaves it empty, as NMEA 4.11 permits.
  public var parts: Int?
  /// Number of this sentence in the group, from 1.
  public var part: Int
  /// NMEA 4.10 signal identifier.
  public var signalID: UInt8?
  private var entries: (Entry?, Entry?, Entry?, Entry?)

  /// - Throws: `.malformed` without valid part numbers.
  init(_ fields: inout SentenceFields) throws(SentenceRejection) {
    let (parts, part) = (fields.integer(in: 1...99), fields.integer(in: 1...99))
    guard let part, parts.map({ part <= $0 }) ?? (part > 1) else { throw .malformed }
    self.parts = parts
    self.part = part
    fields.skip()
    let remaining = fields.remaining
    entries.0 = remaining >= 4 ? Self.entry(&fields) : nil
    entries.1 = remaining >= 8 ? Self.entry(&fields) : nil
    entries.2 = remaining >= 12 ? Self.entry(&fields) : nil
    entries.3 = remaining >= 16 ? Self.entry(&fields) : nil
    // One field after the satellites is the signal; two or three fields are an incomplete
    // satellite.
    signalID = remaining % 4 == 1 ? fields.hexadecimal() : nil
  }

  private static func entry(_ fields: inout SentenceFields) -> Entry? {
    let number = fields.integer(in: 0...65_535)
    let elevation = fields.integer(in: -90...90)
    let azimuth = fields.integer(in: 0...360)
    let signal = fields.integer(in: 0...99)
    guard let number, number > 0 else { return nil }
    return Entry(
      number: UInt16(number), elevationDegrees: elevation.map { Int8($0) },
      azimuthDegrees: azimuth.map { Int16($0) }, signalDecibelHertz: signal.map { Int8($0) })
  }

  /// Calls `body` with each satellite of the sentence.
  public func forEachEntry(_ body: (Entry) -> Void) {
    if let entry = entries.0 { body(entry) }
    if let entry = entries.1 { body(entry) }
    if let entry = entries.2 { body(entry) }
    if let entry = entries.3 { body(entry) }
  }

  /// Compares the contents of the sentences.
  public static func == (a: GSV, b: GSV) -> Bool {
    a.parts == b.parts && a.part == b.part && a.signalID == b.signalID
      && a.entries.0 == b.entries.0 && a.entries.1 == b.entries.1
      && a.entries.2 == b.entries.2 && a.entries.3 == b.entries.3
  }
}
