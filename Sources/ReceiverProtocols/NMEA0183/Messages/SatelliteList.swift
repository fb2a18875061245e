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
  public static let capacity = 16

  // The values are stored in columns and their presence in bits, because an array would need the
  // heap.
  private var numbers = SIMD16<UInt16>()
  private var elevations = SIMD16<Int8>()
  private var azimuths = SIMD16<Int16>()
  private var signals = SIMD16<Int8>()
  private var (knownElevations, knownAzimuths, knownSignals): (UInt16, UInt16, UInt16) = (0, 0, 0)
  private var used: UInt16 = 0
  /// Number of satellites.
  public private(set) var count = 0

  mutating func append(_ entry: Entry) {
    guard count < Self.capacity else { return }
    let bit = UInt16(1) << UInt16(truncatingIfNeeded: count)
    numbers[count] = entry.number
    if let elevation = entry.elevationDegrees {
      elevations[count] = elevation
      knownElevations |= bit
    }
    if let azimuth = entry.azimuthDegrees {
      azimuths[count] = azimuth
      knownAzimuths |= bit
    }
    if let signal = entry.signalDecibelHertz {
      signals[count] = signal
      knownSignals |= bit
    }
    if entry.isUsed { used |= bit }
    count += 1
  }

  /// The satellite at an index below `count`; nil for others.
  public subscript(index: Int) -> Entry? {
    guard index >= 0, index < count else { return nil }
    let bit = UInt16(1) << UInt16(truncatingIfNeeded: index)
    return Entry(
      number: numbers[index],
      elevationDegrees: knownElevations & bit != 0 ? elevations[index] : nil,
      azimuthDegrees: knownAzimuths & bit != 0 ? azimuths[index] : nil,
      signalDecibelHertz: knownSignals & bit != 0 ? signals[index] : nil,
      isUsed: used & bit != 0)
  }
}

extension SentenceFields {
  /// A satellite number of 1 and more; nil for others and for an empty field.
  fileprivate mutating func satelliteNumber() -> UInt16? {
    integer(in: 1...65_535).map { UInt16($0) }
  }

  fileprivate mutating func elevation() -> Int8? { integer(in: -90...90).map { Int8($0) } }
  fileprivate mutating func azimuth() -> Int16? { integer(in: 0...360).map { Int16($0) } }
  fileprivate mutating func signal() -> Int8? {
    number(in: 0...99).map { Int8(bounded: $0.rounded()) }
  }
}

/// PUBX,03: a u-blox receiver's satellites. With more than about 12 of them the sentence exceeds
/// `ReceiverFramer.longestSentence`, so that it is usable for old receivers only.
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
