/// DBT: depth below the transducer.
/// - Source: NMEA Revealed 2.24, DBT; pynmeagps 1.1.
public struct DBT: Equatable, Sendable {
  /// Below the transducer, metres.
  public var depthMetres: Double?

  init(_ fields: inout SentenceFields) { depthMetres = fields.depthMetres() }
}

/// DBK: depth below the keel; superseded by DPT.
/// - Source: NMEA Revealed 2.24, DBK; go-nmea.
public struct DBK: Equatable, Sendable {
  /// Below the keel, metres.
  public var depthMetres: Double?

  init(_ fields: inout SentenceFields) { depthMetres = fields.depthMetres() }
}

/// DBS: depth below the surface; superseded by DPT.
/// - Source: NMEA Revealed 2.24, DBS; pynmea2 1.19.
public struct DBS: Equatable, Sendable {
  /// Below the surface, metres.
  public var depthMetres: Double?

  init(_ fields: inout SentenceFields) { depthMetres = fields.depthMetres() }
}

/// DPT: depth below the transducer, and the transducer's offset.
/// - Source: NMEA Revealed 2.24, DPT; pynmeagps 1.1.
public struct DPT: Equatable, Sendable {
  /// Below the transducer, metres.
  public var depthMetres: Double?
  /// Distance from the transducer to the water line (positive) or to the keel (negative), metres.
  public var offsetMetres: Double?
  /// Range of the display, metres; since NMEA 3.0.
  public var rangeMetres: Double?

  init(_ fields: inout SentenceFields) {
    depthMetres = fields.number(in: PrintedRange.metres)
    offsetMetres = fields.number(in: -1000...1000)
    rangeMetres = fields.number(in: PrintedRange.metres)
  }

  /// Depth below the surface, metres; nil without a positive offset. An offset of zero means not
  /// configured.
  public var belowSurfaceMetres: Double? {
    guard let depthMetres, let offsetMetres, offsetMetres > 0 else { return nil }
    return depthMetres + offsetMetres
  }

  /// Depth below the keel, metres; nil without a negative offset.
  public var belowKeelMetres: Double? {
    guard let depthMetres, let offsetMetres, offsetMetres < 0 else { return nil }
    return depthMetres + offsetMetres
  }
}
