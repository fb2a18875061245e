import Chips
import Quantities
import ReceiverProtocols

/// The content of a board file: the chips, their mounts on the body, and the receiver.
public struct Board: Equatable, Sendable {
  /// The board's name, for display.
  public var name: String
  /// The mount of the board on the body.
  public var mount: Mounting
  /// A small rotation in addition to the mount.
  public var trim: AttitudeAngles
  /// What is known of the mounts of the board and its sensors.
  public var axes = AxesClaim.stated
  /// The chips in the order of their start: a chip that enables another one comes first.
  public var sensors: [Sensor]
  /// The receivers; none for a board without positions.
  public var receivers: [Receiver] = []
  /// The compasses whose heading sentences are used.
  public var compasses: [Compass] = []

  /// What a board file says of its mounts.
  public enum AxesClaim: String, CaseIterable, Sendable {
    /// They come from a drawing or a data sheet.
    case stated
    /// They are a guess.
    case guessed
    /// Motion has proven them, and may correct them: wrong axes and units that are certain are
    /// corrected while the board runs. A mount of a magnetometer may then be left-handed.
    case proven
  }

  /// Whether the mounts are more than a guess: those of a recording without a board file are one.
  public var areAxesStated: Bool {
    switch axes {
    case .proven, .stated: !sensors.isEmpty
    case .guessed: false
    }
  }

  /// A chip on a bus.
  public struct Sensor: Equatable, Sendable {
    /// The chip.
    public var chip: ChipModel
    /// The bus's device, such as `/dev/i2c-1`. Of a chip of the kernel the place, `anyPlace` for
    /// any.
    public var bus: String
    /// The chip's address, 7 bits; 0 where there is none. Of a chip of the kernel 0 means any.
    public var address: UInt8
    /// The clock of an SPI device, hertz; nil: 1 MHz, or the chip's fastest.
    public var spiHertz: UInt32?
    /// The directions of the chip's axes on a board that is mounted x forward, y left, z up.
    public var mount: Mounting
    /// The same of a quantity whose axes lie otherwise than the chip's: perhaps mirrored, where
    /// they are proven.
    public var mounts: [SampleQuantity: Mounting] = [:]
    /// Samples a second and ranges; nil values are chosen by the driver.
    public var settings: ChipSettings
    /// The age of a sample when it is read, seconds; nil: the value of the chip's data sheet.
    public var latencySeconds: Double?
    /// The name of the GPIO line of the chip's data-ready output.
    public var dataReadyLine: String?
    /// The file with the image that the chip's processor runs; nil for the usual one.
    public var imagePath: String?
    /// Bits per second on a serial port; nil for the module's usual speed.
    public var baud: Int?

    /// Makes a sensor with the chip's usual address and the driver's settings.
    public init(chip: ChipModel, bus: String? = nil, address: UInt8? = nil) {
      self.chip = chip
      self.bus = bus ?? (chip.isOfKernel ? Board.anyPlace : Board.usualBus)
      self.address = address ?? chip.addresses.first ?? 0
      mount = .standard
      settings = ChipSettings()
    }

    /// Whether the module is on a serial port, not on an I2C bus.
    public var isSerial: Bool {
      chip.serialBaud != nil && !bus.hasPrefix("/dev/i2c-") && !Board.isSPI(bus)
    }

    /// The keys of `mounts` in a board file.
    package static let mountKeys = [
      (SampleQuantity.field, "field-mount"), (.rate, "rotation-mount"), (.force, "force-mount"),
    ]

    /// The directions of a quantity's axes.
    public func mount(of quantity: SampleQuantity) -> Mounting { mounts[quantity] ?? mount }

    /// Whether samples of a quantity come from it: none of a module that delivers its own attitude.
    public func measures(_ quantity: ChipModel.Quantity) -> Bool {
      !settings.usesOwnAttitude && chip.measures(quantity)
    }
  }

  /// A GNSS receiver.
  public struct Receiver: Equatable, Sendable {
    /// Its name for display, among several; nil: its port.
    public var name: String?
    /// The device, such as `/dev/serial0`.
    public var port: String
    /// Its preference among several, the lowest number first; nil: after those that have one, by
    /// accuracy.
    public var priority: Int?
    /// Bits per second; nil: it is detected.
    public var baud: Int?
    /// The input of the receiver's pulse per second; nil where it is not wired.
    public var pulse: Pulse?
    /// The configuration that the receiver gets at the start.
    public var setUp = SetUp()
    /// Whether the daemon gives a u-blox receiver time, last place and orbits at its start; nil:
    /// where the receiver is set up or sends UBX.
    public var assists: Bool?
    /// The place of the antenna; nil: at the sensors.
    public var antenna: AntennaPlace?
    /// The line between the receiver's two antennas.
    public var baseline = Baseline()
    /// Of several talkers on the line that send positions, the preferred ones, two letters each,
    /// the first before the others; the rest follow by accuracy.
    public var talkers: [String] = []
    /// The source of corrections (RTCM 3) for the receiver.
    public var corrections: CorrectionSource?
    /// The destination of corrections that the receiver sends as a base station.
    public var correctionsOutput: Stream?

    /// False where nothing is sent to the receiver.
    package var mayAssist: Bool {
      assists != false && setUp.manner != .no && acceptsCommands
    }

    /// Makes a receiver.
    public init(port: String, baud: Int? = nil) {
      self.port = port
      self.baud = baud
    }

    /// Its name, else its port.
    public var title: String { name ?? port }
  }

  /// The place of an antenna, metres from the sensors along the body.
  public struct AntennaPlace: Equatable, Sendable {
    /// Metres towards the bow, to starboard and upwards.
    public var (forward, right, up): (Double, Double, Double)

    /// Makes a place.
    public init(forward: Double, right: Double, up: Double) {
      (self.forward, self.right, self.up) = (forward, right, up)
    }
  }

  /// The line from a receiver's main antenna to its second one.
  public struct Baseline: Equatable, Sendable {
    /// Where its direction comes from.
    public enum Direction: Equatable, Sendable {
      /// It is this one, clockwise from the bow.
      case stated(Angle)
      /// It is learnt from the course while the vehicle drives.
      case learnt
    }

    /// Its direction.
    public var direction = Direction.stated(.zero)
    /// Its length, metres; nil where the file does not state it.
    public var lengthMetres: Double?
    /// One sigma of a stated direction: how exactly the antennas stand along it.
    public var accuracy = usualAccuracy
    /// Whether the file has it. The receiver's true headings without a quality, such as HDT and
    /// THS, are then those of its antennas.
    public var isStated = false

    /// Two antennas set by eye along an edge of the vehicle: 1 cm on 1.2 m.
    public static var usualAccuracy: Angle { Angle(degrees: 0.5) }

    /// Makes one ahead, as receivers assume it.
    public init() {}

    /// Makes one of a stated direction.
    public init(direction: Angle, lengthMetres: Double? = nil) {
      self.direction = .stated(direction)
      self.lengthMetres = lengthMetres
      isStated = true
    }

    /// The stated direction; that ahead while it is to be learnt.
    public var statedDirection: Angle {
      if case .stated(let angle) = direction { angle } else { .zero }
    }
  }

  /// Another compass, whose sentences have a heading: HDG, HDM, HDT, THS and others.
  public struct Compass: Equatable, Sendable {
    /// Its name for display, among several; nil: its port.
    public var name: String?
    /// The device, a feed in the network or a gpsd daemon; nil: the receivers' lines.
    public var port: String?
    /// Its preference among several, the lowest number first; nil: after those that have one, by
    /// accuracy.
    public var priority: Int?
    /// Bits per second of a device.
    public var baud = usualBaud
    /// The bound of 95 % of its heading errors, which no sentence has.
    public var accuracy = usualAccuracy

    /// The speed of NMEA 0183.
    public static var usualBaud: Int { 4800 }
    /// Of a compass without corrected deviation.
    public static var usualAccuracy: Angle { Angle(degrees: 10) }

    /// Makes a compass.
    public init(port: String? = nil) { self.port = port }

    /// Its name, else its port.
    public var title: String { name ?? port ?? "the receiver's line" }
  }

  /// The configuration of a receiver.
  public struct SetUp: Equatable, Sendable {
    /// Whether the receiver is configured, and for how long.
    public enum Manner: String, CaseIterable, Sendable {
      /// It is not configured.
      case no
      /// Until the service ends or the power is switched off.
      case temporary
      /// Stored in the receiver's non-volatile memory.
      case save
    }

    /// The value in the board file; nil where it has none.
    public var manner: Manner?
    /// Solutions a second.
    public var rateHertz: Double?
    /// The dynamic model; nil: it follows the activity.
    public var model: UBXDynamicModel?
    /// The kind of messages that the receiver sends.
    public var messages: UBXSetupRequest.Messages?
    /// The NMEA sentences that the receiver sends.
    public var sentences: [OutputSentence]?
    /// The satellite systems that it uses.
    public var systems: [Constellation]?
    /// The elevation below which satellites are not used, degrees.
    public var maskDegrees: Double?
    /// Whether it is a base station, and how it finds its place.
    public var base: BaseStation?
    /// Whether it sends the heading of two antennas.
    public var sendsHeading: Bool?
    /// The baud rate to set, bits per second.
    public var baud: Int?

    /// Makes a configuration that changes nothing.
    public init() {}

    /// True where the board file requests a configuration and `manner` is not `no`.
    public var isWanted: Bool {
      switch manner {
      case .no: false
      case .temporary, .save: true
      case nil: !settings.values.isEmpty
      }
    }

    /// The settings in the terms of all makers.
    public var settings: ReceiverSettings {
      var settings = ReceiverSettings()
      (settings.rateHertz, settings.model, settings.messages) = (rateHertz, model, messages)
      (settings.sentences, settings.systems) = (sentences, systems)
      (settings.maskDegrees, settings.base) = (maskDegrees, base)
      (settings.sendsHeading, settings.baud) = (sendsHeading, baud)
      settings.isSaved = manner == .save
      return settings
    }
  }

  /// The destination of a byte stream.
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
    receivers = receiver.map { [$0] } ?? []
  }

  /// The first receiver; nil for none. The others stay where it is replaced, and go where it is set
  /// to nil.
  public var receiver: Receiver? {
    get { receivers.first }
    set { receivers.replaceFirst(with: newValue) }
  }

  /// The first compass; nil for none, as for the receiver.
  public var compass: Compass? {
    get { compasses.first }
    set { compasses.replaceFirst(with: newValue) }
  }

  /// The I2C bus on the header of every Raspberry Pi since 2012.
  public static var usualBus: String { "/dev/i2c-1" }

  /// Whether a bus is an SPI device of the kernel, such as `/dev/spidev0.0`.
  public static func isSPI(_ bus: String) -> Bool { bus.hasPrefix("/dev/spidev") }

  /// The bus of a chip of the kernel that may be anywhere.
  public static var anyPlace: String { "iio" }

  /// The default board of a recording: x forward, y left, z up.
  public static var standard: Board { Board(name: "recording") }

  /// Rotates board axes to body axes: first by the mount, then by the trim. An automatic mount
  /// counts as x forward, y left, z up until it is determined.
  public var mounting: Rotation<SensorFrame, BodyFrame> {
    let placed = mount.rotation ?? AxisMount.standard.rotation
    return Rotation<BodyFrame, BodyFrame>(trim) * placed
  }

  /// What to do about mounts that are a guess, in a sentence; nil for others.
  public var guessedMountNotice: String? {
    guard axes == .guessed, !sensors.isEmpty else { return nil }
    return
      "\(name): the mounts in its file are a guess: level, with its front to the north, the heading must be about 0, to the east "
      + "about 90; correct the file by 'trim' or 'mount', and replace 'axes: guessed' by 'axes: stated'"
  }

  /// True where a mount is automatic.
  public var hasUnknownMount: Bool {
    mount == .automatic || sensors.contains { $0.mount == .automatic }
  }
}

extension Array {
  /// Replaces the first element, or all by none.
  fileprivate mutating func replaceFirst(with element: Element?) {
    guard let element else { return removeAll() }
    if isEmpty { append(element) } else { self[0] = element }
  }
}
