import Quantities

/// What the sensors delivered while they were observed.
package struct LiveHealth: Sendable {
  /// Kinds of sensors.
  package enum Kind: String, CaseIterable, Sendable {
    case inertialUnit = "inertial unit"
    case magnetometer
    case barometer
  }

  /// The samples of one kind of sensor.
  package struct Stream: Equatable, Sendable {
    /// The number of samples.
    package var count = 0
    /// The longest time without a sample, seconds: between two, after the last, or before the first
    /// where that is longer than a chip may take to start.
    package var longestGap = 0.0
    /// Samples with an axis at the limit of its range.
    package var saturated = 0
    /// Largest length of the field, microtesla; 0 for other sensors.
    package var largestField = 0.0
    /// False while all samples are equal to the last bit.
    package var varies = false

    /// No samples.
    package init() {}
  }

  /// A chip that is out of service.
  package struct LostChip: Equatable, Sendable {
    /// What it measures; nil for a device that is no chip.
    package var kind: Kind?
    /// Model, address and bus.
    package var name: String
    /// Why no samples come.
    package var fault: String

    /// Names a chip and its fault.
    package init(_ kind: Kind?, name: String, fault: String) {
      (self.kind, self.name, self.fault) = (kind, name, fault)
    }
  }

  /// A receiver.
  package struct Receiver: Equatable, Sendable {
    /// Its device or daemon.
    package var place: String
    /// Epochs, or pieces of output where epochs are not counted.
    package var epochs: Int
    /// Rejected sentences: wrong checksum, cut, too long.
    package var rejected: Int
    /// Other sources of positions on its line, each compared with the one in use.
    package var others: [String]
    /// Its fault; nil without one.
    package var fault: String?
    /// The sources of positions that are frozen or contradict themselves, with the reasons; nil for
    /// none.
    package var untrusted: String?
    /// What it reports about its antenna and about interference, such as `antenna open`; nil for no
    /// trouble.
    package var signals: String?
    /// What it does not do as the board file requests; nil where it does everything.
    package var setUp: String?
    /// Why it has no fix; nil while it has one, and where that is not known.
    package var fixLoss: String?

    /// Describes a receiver.
    package init(
      place: String, epochs: Int, rejected: Int = 0, others: [String] = [], fault: String? = nil
    ) {
      (self.place, self.epochs, self.rejected, self.others) = (place, epochs, rejected, others)
      self.fault = fault
    }
  }

  /// The corrections for the receiver.
  package struct Corrections: Equatable, Sendable {
    /// The messages that arrived; nil where they are not counted.
    package var messages: Int?
    /// Why none arrive; nil without a fault.
    package var fault: String?

    /// Describes corrections.
    package init(messages: Int? = nil, fault: String? = nil) {
      (self.messages, self.fault) = (messages, fault)
    }
  }

  /// How long the sensors were observed, seconds.
  package var seconds: Double
  /// The samples of the sensors that the source has.
  package var streams: [Kind: Stream] = [:]
  /// Chips out of service.
  package var lostChips: [LostChip] = []
  /// Devices that were lost repeatedly, each with its losses: `MPU-6050 at 0x68 of /dev/i2c-1 lost
  /// 5 times in the last hour, in service 80 % of it`.
  package var unsteady: [String] = []
  /// What physics contradicts of the samples; nil for nothing.
  package var contradiction: InputVerdicts.Fault?
  /// What contradicts the headings of the receiver's two antennas; nil for nothing.
  package var antennaFault: AntennaState.Fault?
  /// The receiver; nil for none.
  package var receiver: Receiver?
  /// The kind of the newest fix, such as `RTK float`; nil without a receiver.
  package var fixKind: FixKind?
  /// The corrections; nil where none are configured, or where no trouble with them is known.
  package var corrections: Corrections?
  /// Why there is no source; nil while there is one.
  package var fault: String?
  /// True where the samples are simulated or recorded.
  package var isSimulated = false
  /// The latest wake-up of a bus, seconds; nil where it is not known.
  package var worstLateness: Double?
  /// How much the system's clock changed against the monotonic one, seconds.
  package var clockStep = 0.0

  /// An observation without samples.
  package init(seconds: Double) { self.seconds = seconds }

  /// Adds a device that is out of service or was lost repeatedly.
  /// - Parameters:
  ///   - device: Its name.
  ///   - kind: What it measures; nil for a device that is no chip.
  ///   - fault: Why it is out of service; nil while it is in service.
  ///   - losses: Its losses in words; nil for a steady device.
  package mutating func add(device: String, _ kind: Kind?, fault: String?, losses: String?) {
    if let fault { lostChips.append(LostChip(kind, name: device, fault: fault)) }
    add(device: device, losses: losses)
  }

  /// Adds the receiver's trouble, as `add(device:_:fault:losses:)` does a chip's.
  package mutating func addReceiver(fault: String?, losses: String?) {
    if let fault { receiver?.fault = fault }
    add(device: "receiver", losses: losses)
  }

  private mutating func add(device: String, losses: String?) {
    if let losses { unsteady.append("\(device) \(losses)") }
  }
}
