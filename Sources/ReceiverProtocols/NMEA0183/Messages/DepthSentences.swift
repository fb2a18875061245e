/// DBT: depth below the transducer.
/// - Source: NMEA Revealed 2.24, DBT; pynmeagps 1.1.
public struct DBT: Equatable, Sendable {
  /// Below the transducer, metres.
  public var depthMetres: Double?

  init(_ fields: inout SentenceFields) { depthMetres = fields.depthMetres() }
}

/// DBK: depth below the keel; phased out for DPT.
/// - Source: NMEA Revealed 2.24, DBK; go-nmea.
public struct DBK: Equatable, Sendable {
  /// Below the keel, metres.
  public var depthMetres: Double?

  init(_ fields: inout SentenceFields) { depthMetres = fields.depthMetres() }
}

/// DBS: depth below the surface; phased out for DPT.
/// - Source: NMEA Revealed 2.24, DBS; pynmea2 1.19.
public struct DBS: Equatable, Sendable {
  /// Below the surface, metres.
  public var depthMetres: Double?

  init(_ fields: inout SentenceFields) { depthMetres = fields.depthMetres() }
}

/// DPT: depth below the transducer, and where the transducer is.
/// - Source: NMEA Revealed 2.24, DPT; pynmeagps 1.1.
public struct DPT: Equatable, Sendable {
  /// Below the transducer, metres.
  public var depthMetres: Double?
  /// Metres from the transducer up to the water line, or as a negative number down to the keel.
  public var offsetMetres: Double?
  /// Of the display, metres; since NMEA 3.0.
  public var rangeMetres: Double?

  init(_ fields: inout SentenceFields) {
    depthMetres = fields.number(in: PrintedRange.metres)
    offsetMetres = fields.number(in: -1000...1000)
    rangeMetres = fields.number(in: PrintedRange.metres)
  }

  /// Below the surface, where the offset tells; an offset of zero is one that nobody has set.
  public var belowSurfaceMetres: Double? {
    guard let depthMetres, let offsetMetres, offsetMetres > 0 else { return nil }
    return depthMetres + offsetMetres
  }

  /// Below the keel, where the offset tells.
  public var belowKeelMetres: Double? {
    guard let depthMetres, let offsetMetres, offsetMetres < 0 else { return nil }
    return depthMetres + offsetMetres
  }
}
