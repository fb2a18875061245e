import Quantities

/// The satellites in view and the dilutions of precision of one epoch.
public struct SkyReport: Equatable, Sendable {
  /// When the epoch was received, on the clock of the estimates.
  public var timestamp: Timestamp
  /// The receiver's time of the epoch.
  public var utc: UTCTime?
  /// The satellites, in the order of the receiver's messages.
  public var satellites: [SkyView.Satellite]
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// Position dilution of precision.
  public var positionDilution: Double?
  /// Geometric dilution of precision.
  public var geometricDilution: Double?
  /// Time dilution of precision.
  public var timeDilution: Double?

  /// Makes a report without dilutions.
  public init(timestamp: Timestamp, utc: UTCTime? = nil, satellites: [SkyView.Satellite]) {
    (self.timestamp, self.utc, self.satellites) = (timestamp, utc, satellites)
  }

  /// The sky of an epoch; nil where the receiver has not reported it since the last one.
  public init?(_ epoch: ReceiverEpoch) {
    guard let sky = epoch.sky else { return nil }
    self.init(timestamp: epoch.fix.timestamp, utc: epoch.fix.utc, satellites: sky.satellites)
    (horizontalDilution, verticalDilution) = (epoch.fix.horizontalDilution, epoch.verticalDilution)
    positionDilution = epoch.positionDilution
    (geometricDilution, timeDilution) = (epoch.geometricDilution, epoch.timeDilution)
  }
}
