import Quantities

/// A beacon was heard.
public struct BeaconSighting: Equatable, Sendable {
  /// Who.
  public var identity: BeaconIdentity
  /// What it says that its signal is at 1 m, dBm.
  public var measuredPowerDBm: Int8
  /// The signal's strength, dBm; nil where it was not measured anew, as in a passive scan.
  public var rssiDBm: Int?
  /// When, on the monotonic clock.
  public var instant: Timestamp

  /// What a controller can measure. 127 stands for "not available".
  /// - Source: Bluetooth Core Specification 5.4, Vol 4 Part E, 7.7.65.2: -127 to +20 dBm, 127.
  static let measurableDBm = -127...20

  /// Makes a sighting; a strength that no controller can measure is dropped.
  public init(
    _ identity: BeaconIdentity, measuredPowerDBm: Int8, rssiDBm: Int?, at instant: Timestamp
  ) {
    self.identity = identity
    self.measuredPowerDBm = measuredPowerDBm
    self.rssiDBm = rssiDBm.flatMap { Self.measurableDBm.contains($0) ? $0 : nil }
    self.instant = instant
  }
}

/// How near a beacon is, in words.
public enum BeaconProximity: String, Codable, Sendable {
  /// Not known.
  case unknown
  /// Held to it.
  case immediate
  /// In the same part of the room.
  case near
  /// Further away, or behind something.
  case far

  /// Apple publishes no limit between immediate and near; this is what iPhones are seen to do.
  public static let immediateLimitMetres = 0.5
  /// - Source: Apple, Getting Started with iBeacon, version 1.0 (2014), Ranging: near is about 1 to 3 m.
  public static let nearLimitMetres = 3.0

  /// The word for a distance; nil is not known.
  public init(metres: Double?) {
    switch metres {
    case .none: self = .unknown
    case .some(let metres) where metres < Self.immediateLimitMetres: self = .immediate
    case .some(let metres) where metres <= Self.nearLimitMetres: self = .near
    case .some: self = .far
    }
  }
}
