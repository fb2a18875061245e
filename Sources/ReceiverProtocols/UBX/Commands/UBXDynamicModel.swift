/// The motion that the receiver assumes; a wrong model reduces accuracy or prevents a fix.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, section 5.9.13.1, `dynModel`.
public enum UBXDynamicModel: UInt8, CaseIterable, Sendable {
  /// Little acceleration; the receivers' default.
  case portable = 0
  /// Does not move.
  case stationary = 2
  /// A walker's or runner's speed and acceleration.
  case pedestrian = 3
  /// A car's; little vertical acceleration.
  case automotive = 4
  /// At sea: no vertical velocity, altitude at sea level.
  case sea = 5
  /// Airborne, acceleration below 1 g.
  case airborne1g = 6
  /// Airborne, below 2 g: usual aircraft.
  case airborne2g = 7
  /// Airborne, below 4 g.
  case airborne4g = 8
  /// On a wrist, with arm motion.
  case wrist = 9

  /// The name in board files.
  public var word: String {
    switch self {
    case .portable: "portable"
    case .stationary: "stationary"
    case .pedestrian: "pedestrian"
    case .automotive: "automotive"
    case .sea: "sea"
    case .airborne1g: "airborne-1g"
    case .airborne2g: "airborne-2g"
    case .airborne4g: "airborne-4g"
    case .wrist: "wrist"
    }
  }

  /// The model of a name in board files.
  public init?(word: String) {
    guard let model = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = model
  }
}
