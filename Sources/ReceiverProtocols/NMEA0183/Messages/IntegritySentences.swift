/// GBS: the receiver's expected errors, one sigma, and the suspected faulty satellite.
///
/// Old receivers print a unit letter after each error and no satellite.
/// - Source: u-blox ZED-F9P interface description UBX-18010802, GBS; NMEA Revealed 2.24, GBS.
public struct GBS: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Error of the latitude, metres.
  public var latitudeErrorMetres: Double?
  /// Error of the longitude, metres.
  public var longitudeErrorMetres: Double?
  /// Error of the altitude, metres.
  public var altitudeErrorMetres: Double?
  /// Number of the satellite that is most likely faulty, as printed.
  public var failedSatellite: Int?
  /// Probability that the fault is not detected, 0 to 1.
  public var missedDetectionProbability: Double?
  /// Estimated bias of the suspected satellite's range, metres.
  public var biasMetres: Double?
  /// One sigma of `biasMetres`.
  public var biasDeviationMetres: Double?
  /// NMEA 4.10 system identifier, from 1.
  public var systemID: UInt8?
  /// NMEA 4.10 signal identifier.
  public var signalID: UInt8?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    var ahead = fields
    ahead.skip()
    let hasUnits = ahead.letter() == UInt8(ascii: "M")
    latitudeErrorMetres = fields.number(in: PrintedRange.metres)
    if hasUnits { fields.skip() }
    longitudeErrorMetres = fields.number(in: PrintedRange.metres)
    if hasUnits { fields.skip() }
    altitudeErrorMetres = fields.number(in: PrintedRange.metres)
    if hasUnits { return }
    failedSatellite = fields.integer(in: 0...65_535)
    missedDetectionProbability = fields.number(in: 0...1)
    biasMetres = fields.number(in: -1e7...1e7)
    biasDeviationMetres = fields.number(in: PrintedRange.metres)
    systemID = fields.hexadecimal()
    signalID = fields.hexadecimal()
  }
}

/// TXT: a text of the receiver, such as its antenna's state.
/// - Source: NMEA 0183 as implemented by u-blox, M8 receiver description UBX-13003221, "TXT".
public struct TXT: Equatable, Sendable {
  /// The kind of the text: 0 error, 1 warning, 2 notice, 7 user.
  public var kind: Int?
  /// The text's first 16 characters, up to a comma.
  public var text: ShortText

  init(_ fields: inout SentenceFields) {
    // The number of sentences of a text and the number of this one.
    fields.skip(2)
    kind = fields.integer(in: 0...99)
    text = ShortText(fields.text() ?? UnsafeBufferPointer(start: nil, count: 0))
  }
}
