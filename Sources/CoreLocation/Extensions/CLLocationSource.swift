internal import HostProtocol

/// A source of locations: a receiver, a daemon or a recording.
///
/// A Lodestar extension. Apple has one source, which is hidden from programs.
public struct CLLocationSource: Codable, Hashable, Identifiable, Sendable {
  /// The kind of a source.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// A satellite receiver: its serial device, or the gpsd daemon that reads it.
    case gnss
    /// Wi-Fi positioning; no manager can be made for it.
    case wifi
    /// The attached board: its chips and its receiver together.
    case fused
    /// A recording, played in real time.
    case replay
    /// The simulated board.
    case simulation
  }

  /// The name: `/dev/ttyAMA0`, `gpsd://HOST:PORT`, `replay:FILE`, `simulate`, or `board` for the
  /// attached board.
  public let id: String
  /// The kind.
  public let kind: Kind
  /// The vector from the body's reference point to the antenna, metres along the device's axes
  /// (right, forward, up). A manager of the source delivers positions of the reference point where
  /// the attitude is known.
  public var leverArm: CLVector3

  /// Makes the description of a source.
  public init(id: String, kind: Kind, leverArm: CLVector3 = .zero) {
    (self.id, self.kind, self.leverArm) = (id, kind, leverArm)
  }
}

extension CLLocationSource {
  /// The prefix of a recording's name.
  static let replayPrefix = "replay:"
  /// The simulated board.
  static let simulation = CLLocationSource(id: "simulate", kind: .simulation)
  /// The attached chips and their receiver.
  static let board = CLLocationSource(id: "board", kind: .fused)

  /// The source of the positions of a host.
  init(_ source: SourceDescription.Position) {
    switch source {
    case .receiver(let place): self.init(id: place, kind: .gnss)
    case .recording(let path): self.init(id: Self.replayPrefix + path, kind: .replay)
    case .simulation: self = .simulation
    }
  }
}
