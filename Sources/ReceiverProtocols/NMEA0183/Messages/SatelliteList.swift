import Quantities

/// The satellites of a sentence that contains all of them and whether each is used.
public struct SatelliteList: Equatable, Sendable {
  /// One satellite as printed.
  public struct Entry: Equatable, Sendable {
    /// The number as printed; its meaning depends on the manufacturer.
    public var number: UInt16
    /// Elevation above the horizon, degrees.
    public var elevationDegrees: Int8?
    /// Azimuth clockwise from true north, degrees.
    public var azimuthDegrees: Int16?
    /// Carrier to noise density, dB-Hz; nil where the satellite is not tracked.
    public var signalDecibelHertz: Int8?
    /// True where the solution uses it.
    public var isUsed: Bool
  }

  /// Largest number of satellites; further ones are dropped.
  public static let capacity = 56

  // Each satellite is one integer, because an array would need the heap and optional properties
  // would make every sentence larger.
  private typealias Part = SIMD8<UInt32>
  private var parts = (Part(), Part(), Part(), Part(), Part(), Part(), Part())
  private var length: UInt8 = 0

  /// Number of satellites.
  public var count: Int { Int(length) }

  mutating func append(_ entry: Entry) {
    guard count < Self.capacity else { return }
    let offset = count * MemoryLayout<UInt32>.size
    withUnsafeMutableBytes(of: &parts) {
      $0.storeBytes(of: entry.packed, toByteOffset: offset, as: UInt32.self)
    }
    length += 1
  }

  /// The satellite at an index below `count`; nil for others.
  public subscript(index: Int) -> Entry? {
    guard index >= 0, index < count else { return nil }
    return Entry(
      packed: withUnsafeBytes(of: parts) {
        $0.load(fromByteOffset: index * MemoryLayout<UInt32>.size, as: UInt32.self)
      })
  }

  /// True where both have the same satellites in the same order.
  public static func == (a: SatelliteList, b: SatelliteList) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a[index] != b[index] { return false }
    return true
  }
}

extension SatelliteList.Entry {
  // The ranges of the values, each with one more for nil: their product is below 2 to the 32.
  private static let numbers: UInt32 = 256
  private static let elevations: UInt32 = 182
  private static let lowest: Int32 = -90
  private static let azimuths: UInt32 = 362
  private static let signals: UInt32 = 101

  fileprivate var packed: UInt32 {
    let elevation = elevationDegrees.map { UInt32(Int32($0) - Self.lowest) + 1 } ?? 0
    let azimuth = azimuthDegrees.map { UInt32($0) + 1 } ?? 0
    let signal = signalDecibelHertz.map { UInt32($0) + 1 } ?? 0
    let angles = elevation * Self.azimuths + azimuth
    let all = (angles * Self.signals + signal) * Self.numbers + UInt32(number)
    return all * 2 + (isUsed ? 1 : 0)
  }

  fileprivate init(packed: UInt32) {
    var rest = packed
    func last(_ range: UInt32) -> UInt32 {
      defer { rest /= range }
      return rest % range
    }
    isUsed = last(2) == 1
    number = UInt16(last(Self.numbers))
    let (signal, azimuth, elevation) = (
      last(Self.signals), last(Self.azimuths), last(Self.elevations)
    )
    signalDecibelHertz = signal == 0 ? nil : Int8(signal - 1)
    azimuthDegrees = azimuth == 0 ? nil : Int16(azimuth - 1)
    elevationDegrees = elevation == 0 ? nil : Int8(Int32(elevation) - 1 + Self.lowest)
  }
}

extension SentenceFields {
  /// A satellite number; nil for an empty field. Both makers number below 256.
  fileprivate mutating func satelliteNumber() -> UInt16? { integer(in: 1...255).map { UInt16($0) } }

  fileprivate mutating func elevation() -> Int8? { integer(in: -90...90).map { Int8($0) } }
  fileprivate mutating func azimuth() -> Int16? { integer(in: 0...360).map { Int16($0) } }
  fileprivate mutating func signal() -> Int8? {
    number(in: 0...99).map { Int8(bounded: $0.rounded()) }
  }
}

/// PUBX,03: a u-blox receiver's satellites, all of them in one sentence.
///
/// - Source: Tri-M FV-25 user's manual, PUBX,03; pynmeagps 1.1 and NMEA Revealed 2.24 have the same
///   fields.
public struct PUBX03: Equatable, Sendable {
  /// The satellites by u-blox' numbers. Those with status `e` have no ephemeris and are not used.
  public var satellites = SatelliteList()

  init(_ fields: inout SentenceFields) {
    fields.skip()
    while fields.remaining >= 6 {
      let number = fields.satelliteNumber()
      let status = fields.letter()
      let azimuth = fields.azimuth()
      let elevation = fields.elevation()
      let signal = fields.signal()
      // Lock time of the carrier.
      fields.skip()
      guard let number else { continue }
      satellites.append(
        SatelliteList.Entry(
          number: number, elevationDegrees: elevation, azimuthDegrees: azimuth,
          signalDecibelHertz: signal, isUsed: status == UInt8(ascii: "U")))
    }
  }
}

/// PASHR,SAT: an Ashtech receiver's satellites.
/// - Source: Ashtech Z-Family technical reference manual, table 6.114; G12 manual, table 4.105.
public struct PASHRSAT: Equatable, Sendable {
  /// The satellites by GPS number.
  public var satellites = SatelliteList()

  init(_ fields: inout SentenceFields) {
    fields.skip()
    while fields.remaining >= 5 {
      let number = fields.satelliteNumber()
      let azimuth = fields.azimuth()
      let elevation = fields.elevation()
      let signal = fields.signal()
      let status = fields.letter()
      guard let number else { continue }
      satellites.append(
        SatelliteList.Entry(
          number: number, elevationDegrees: elevation, azimuthDegrees: azimuth,
          signalDecibelHertz: signal, isUsed: status == UInt8(ascii: "U")))
    }
  }
}
