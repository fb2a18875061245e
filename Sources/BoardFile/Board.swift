import Quantities

/// What a board file says: how the sensors sit on the body and where the receiver is.
public struct Board: Equatable, Sendable {
  /// The board's name, for people.
  public var name: String
  /// What the sensors' x, y and z axes point at.
  public var mount: AxisMount
  /// The small turn that a mount by axis words leaves out.
  public var trim: AttitudeAngles
  /// The serial receiver, where the board has one.
  public var receiver: Receiver?

  /// A GNSS receiver on a serial line.
  public struct Receiver: Equatable, Sendable {
    /// The device, such as `/dev/serial0`.
    public var port: String
    /// Bits per second; nil where it is to be found by listening.
    public var baud: Int?

    /// Makes a receiver.
    public init(port: String, baud: Int? = nil) {
      self.port = port
      self.baud = baud
    }
  }

  /// Makes a board.
  public init(
    name: String, mount: AxisMount = .standard,
    trim: AttitudeAngles = AttitudeAngles(heading: .zero, pitch: .zero, roll: .zero),
    receiver: Receiver? = nil
  ) {
    self.name = name
    self.mount = mount
    self.trim = trim
    self.receiver = receiver
  }

  /// The board that a recording has where nothing else is said: x forward, y left, z up.
  public static var standard: Board { Board(name: "recording") }

  /// Takes sensor axes to body axes: first by the mount's words, then by the trim.
  public var mounting: Rotation<SensorFrame, BodyFrame> {
    Rotation<BodyFrame, BodyFrame>(trim) * mount.rotation
  }
}
