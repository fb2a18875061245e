internal import Engine

/// Where locations come from: a receiver, a daemon, a recording.
///
/// Lodestar's own; Apple has one source, which programs do not see.
public struct CLLocationSource: Codable, Hashable, Identifiable, Sendable {
  /// What stands behind a source.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// A satellite receiver: its serial device, or the gpsd daemon that has it.
    case gnss
    /// Radio stations in sight; no manager can be made for one.
    case wifi
    /// The board that is attached: its chips and its receiver together.
    case fused
    /// A recording, played at its own pace.
    case replay
    /// The simulated board.
    case simulation
  }

  /// Its name: `/dev/ttyAMA0`, `gpsd://HOST:PORT`, `replay:FILE`, `simulate`, or `board` for what is attached.
  public let id: String
  /// What stands behind it.
  public let kind: Kind
  /// From the body's reference point to the antenna, metres along the device's axes (right, forward, up).
  /// Locations of a manager made for the source are of the reference point, wherever the attitude is known.
  public var leverArm: CLVector3

  /// Names a source.
  public init(id: String, kind: Kind, leverArm: CLVector3 = .zero) {
    (self.id, self.kind, self.leverArm) = (id, kind, leverArm)
  }
}

extension CLLocationSource {
  /// The name of a recording's source begins so.
  static let replayPrefix = "replay:"
  /// The simulated board.
  static let simulation = CLLocationSource(id: "simulate", kind: .simulation)
  /// The chips that are attached and their receiver.
  static let board = CLLocationSource(id: "board", kind: .fused)

  /// The source of a publisher's positions.
  init(_ source: PositionSource) {
    switch source {
    case .receiver(let place): self.init(id: place, kind: .gnss)
    case .recording(let path): self.init(id: Self.replayPrefix + path, kind: .replay)
    case .simulation: self = .simulation
    }
  }
}
