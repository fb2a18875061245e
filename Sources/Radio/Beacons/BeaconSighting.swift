import Quantities

/// One reception of a beacon's advertisement.
public struct BeaconSighting: Equatable, Sendable {
  /// The beacon's identity.
  public var identity: BeaconIdentity
  /// The signal strength at 1 m as sent by the beacon, dBm.
  public var measuredPowerDBm: Int8
  /// The received signal strength, dBm; nil if not measured, as in a passive scan.
  public var rssiDBm: Int?
  /// The instant on the monotonic clock.
  public var instant: Timestamp

  /// The range of a controller's measurement. 127 means "not available".
  /// - Source: Bluetooth Core Specification 5.4, Vol 4 Part E, 7.7.65.2: -127 to +20 dBm, 127.
  static let measurableDBm = -127...20

  /// Makes a sighting; a strength outside `measurableDBm` becomes nil.
  public init(
    _ identity: BeaconIdentity, measuredPowerDBm: Int8, rssiDBm: Int?, at instant: Timestamp
  ) {
    self.identity = identity
    self.measuredPowerDBm = measuredPowerDBm
    self.rssiDBm = rssiDBm.flatMap { Self.measurableDBm.contains($0) ? $0 : nil }
    self.instant = instant
  }
}

/// The class of a beacon's distance.
public enum BeaconProximity: String, Codable, Sendable {
  /// Unknown.
  case unknown
  /// In contact.
  case immediate
  /// In the same part of the room.
  case near
  /// Further away, or behind something.
  case far

  /// The limit between immediate and near; not published by Apple, observed on iPhones.
  public static let immediateLimitMetres = 0.5
  /// - Source: Apple, Getting Started with iBeacon, version 1.0 (2014), Ranging: near is about 1 to
  ///   3 m.
  public static let nearLimitMetres = 3.0

  /// The class of a distance; nil means unknown.
  public init(metres: Double?) {
    switch metres {
    case .none: self = .unknown
    case .some(let metres) where metres < Self.immediateLimitMetres: self = .immediate
    case .some(let metres) where metres <= Self.nearLimitMetres: self = .near
    case .some: self = .far
    }
  }
}
