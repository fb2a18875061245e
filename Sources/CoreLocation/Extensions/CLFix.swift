internal import Quantities

/// What a location rests on.
public struct CLFix: Codable, Hashable, Sendable {
  /// The kinds of solutions.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// The receiver has no position.
    case none
    /// Carried on from an earlier fix by motion sensors.
    case deadReckoning
    /// By the radio networks in range.
    case network
    /// The place, with an assumed altitude.
    case fix2D
    /// Place and altitude, of satellites alone.
    case fix3D
    /// Corrected by reference stations.
    case dgnss
    /// Carrier phase, the ambiguities not fixed yet.
    case rtkFloat
    /// Carrier phase, the ambiguities fixed.
    case rtkFixed
    /// Invented by a simulator.
    case simulated
  }

  /// The kind of the solution.
  public var kind: Kind
  /// Satellites in the solution; nil where the receiver does not say.
  public var satellites: Int?
  /// Horizontal dilution of precision; nil where the receiver does not say.
  public var hdop: Double?
  /// Vertical dilution of precision; nil where the receiver does not say.
  public var vdop: Double?
  /// Seconds since the differential corrections in use were made, u-blox's the lower end of a span; nil without
  /// corrections and where the receiver does not say.
  public var ageOfCorrections: TimeInterval?

  /// Makes a fix of which only the kind is known.
  public init(kind: Kind) { self.kind = kind }
}

extension CLFix {
  /// What an estimate's place rests on; nil where no receiver has spoken.
  init?(_ estimate: Estimate) {
    guard let kind = estimate.fixKind else { return nil }
    self.init(kind: Kind(kind))
    satellites = estimate.satellitesUsed
    (hdop, vdop) = (estimate.horizontalDilution, estimate.verticalDilution)
    ageOfCorrections = estimate.correctionAgeSeconds
  }
}

extension CLFix.Kind {
  init(_ kind: FixKind) {
    self =
      switch kind {
      case .none: .none
      case .deadReckoning: .deadReckoning
      case .network: .network
      case .simulated: .simulated
      case .twoDimensional: .fix2D
      case .threeDimensional: .fix3D
      case .differential: .dgnss
      case .rtkFloat: .rtkFloat
      case .rtkFixed: .rtkFixed
      }
  }
}
