import Chips
import Quantities
import ReceiverProtocols

/// What a board file says: which chips there are, how they sit on the body, and where the receiver is.
public struct Board: Equatable, Sendable {
  /// The board's name, for people.
  public var name: String
  /// How the board sits on the body.
  public var mount: Mounting
  /// The small turn that a mount by axis words leaves out.
  public var trim: AttitudeAngles
  /// The chips, in the order in which they are started: one that switches another on comes first.
  public var sensors: [Sensor]
  /// The serial receiver, where the board has one.
  public var receiver: Receiver?

  /// A chip on a bus.
  public struct Sensor: Equatable, Sendable {
    /// The chip.
    public var chip: ChipModel
    /// The bus's device, such as `/dev/i2c-1`.
    public var bus: String
    /// The chip's address, 7 bits.
    public var address: UInt8
    /// What the chip's axes point at on a board that is itself mounted x forward, y left, z up.
    public var mount: Mounting
    /// Samples a second and ranges; what is left out is the driver's choice.
    public var settings: ChipSettings
    /// The age of a sample when it is read, seconds; nil for what the chip's data sheet says.
    public var latencySeconds: Double?
    /// The name of the GPIO line that the chip's data-ready output is wired to.
    public var dataReadyLine: String?

    /// Makes a sensor with its chip's usual place and the driver's settings.
    public init(chip: ChipModel, bus: String = Board.usualBus, address: UInt8? = nil) {
      self.chip = chip
      self.bus = bus
      self.address = address ?? chip.addresses[0]
      mount = .standard
      settings = ChipSettings()
    }
  }

  /// A GNSS receiver on a serial line.
  public struct Receiver: Equatable, Sendable {
    /// The device, such as `/dev/serial0`.
    public var port: String
    /// Bits per second; nil where it is to be found by listening.
    public var baud: Int?
    /// Where the receiver's pulse per second comes in; nil where it is not wired.
    public var pulse: Pulse?
    /// What the receiver is told at the start.
    public var setUp = SetUp()
    /// Where corrections (RTCM 3) for the receiver come from.
    public var corrections: Stream?
    /// Where the corrections go that the receiver itself gives, as a base station does.
    public var correctionsOutput: Stream?

    /// Makes a receiver.
    public init(port: String, baud: Int? = nil) {
      self.port = port
      self.baud = baud
    }
  }

  /// What a receiver is told.
  public struct SetUp: Equatable, Sendable {
    /// Whether it is told anything, and for how long.
    public enum Manner: String, CaseIterable, Sendable {
      /// It is left alone.
      case no
      /// Until the service ends or the power goes.
      case temporary
      /// It keeps it, without power too.
      case save
    }

    /// As the board file says; nil where it says nothing.
    public var manner: Manner?
    /// Solutions a second.
    public var rateHertz: Double?
    /// How it supposes that it moves; nil where the activity decides.
    public var model: UBXDynamicModel?
    /// What it gives.
    public var messages: UBXWish.Messages?
    /// Bits per second to which the line is to be set.
    public var baud: Int?

    /// Makes a set-up that changes nothing.
    public init() {}

    /// True where the board file asks for something, and does not forbid it.
    public var isWanted: Bool {
      switch manner {
      case .no: false
      case .temporary, .save: true
      case nil: rateHertz != nil || model != nil || messages != nil || baud != nil
      }
    }
  }

  /// Where bytes come from or go to.
  public enum Stream: Equatable, Sendable {
    /// A file, which may be a pipe.
    case file(String)
    /// A program on the network.
    case tcp(host: String, port: Int)
  }

  /// Makes a board.
  public init(
    name: String, mount: Mounting = .standard,
    trim: AttitudeAngles = AttitudeAngles(heading: .zero, pitch: .zero, roll: .zero),
    sensors: [Sensor] = [], receiver: Receiver? = nil
  ) {
    self.name = name
    self.mount = mount
    self.trim = trim
    self.sensors = sensors
    self.receiver = receiver
  }

  /// The I2C bus on the header of every Raspberry Pi since 2012.
  public static var usualBus: String { "/dev/i2c-1" }

  /// The board that a recording has where nothing else is said: x forward, y left, z up.
  public static var standard: Board { Board(name: "recording") }

  /// Takes board axes to body axes: first by the mount, then by the trim. A mount that has to be found
  /// out counts as x forward, y left, z up until it is.
  public var mounting: Rotation<SensorFrame, BodyFrame> {
    let placed = mount.rotation ?? AxisMount.standard.rotation
    return Rotation<BodyFrame, BodyFrame>(trim) * placed
  }

  /// True where a mount has to be found out.
  public var hasUnknownMount: Bool {
    mount == .automatic || sensors.contains { $0.mount == .automatic }
  }
}
