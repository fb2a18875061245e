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
    /// The longest time between two samples, or from the last one to the end, seconds.
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
    /// What it measures; nil where a notice does not say it.
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
    /// Its fault; nil without one.
    package var fault: String?

    /// Describes a receiver.
    package init(place: String, epochs: Int, rejected: Int = 0, fault: String? = nil) {
      (self.place, self.epochs, self.rejected, self.fault) = (place, epochs, rejected, fault)
    }
  }

  /// How long the sensors were observed, seconds.
  package var seconds: Double
  /// The samples of the sensors that the source has.
  package var streams: [Kind: Stream] = [:]
  /// Chips out of service.
  package var lostChips: [LostChip] = []
  /// Devices that were lost repeatedly, each with its losses: `the chip lost 5 times in the last hour, ...`.
  package var unsteady: [String] = []
  /// The receiver; nil for none.
  package var receiver: Receiver?
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

  /// The words of a board's notice between what is lost and why; the daemon's log has them too.
  package static let lossWords = "going on without it"
  /// The words of a board's status and notices about a device that was lost repeatedly.
  package static let unsteadyWords = "times in the last hour"

  /// Adds the losses among the notices of a board, such as `MPU-6050 at 0x68 of /dev/i2c-1 is lost, going on without it:
  /// REASON`; one for each chip.
  package mutating func add(notices: [String]) {
    for notice in notices {
      guard let words = notice.firstRange(of: ", \(Self.lossWords): ") else { continue }
      let name = String(
        notice[..<words.lowerBound].replacing(
          #/ is unsteady: .*| is lost$| does not measure$/#, with: ""))
      let fault = String(notice[words.upperBound...])
      if name == "the receiver" {
        receiver?.fault = fault
      } else if !lostChips.contains(where: { $0.name == name }) {
        lostChips.append(LostChip(nil, name: name, fault: fault))
      }
    }
  }

  /// Adds the devices that a board's status has as not in service or unsteady, such as `MPU-6050 at 0x68 of /dev/i2c-1
  /// lost`, `receiver silent for 20 s`, or `lost 5 times in the last hour` after either name.
  package mutating func add(troubles: [String]) {
    for trouble in troubles {
      var state = trouble[...]
      if let figures = trouble.firstMatch(of: #/(,?) lost \d+ times in the last hour/#) {
        unsteady.append(trouble)
        // A comma separates what the device does now; without one it is in service.
        if figures.output.1.isEmpty { continue }
        state = trouble[..<figures.range.lowerBound]
      }
      if state.hasPrefix("receiver ") {
        if receiver?.fault == nil { receiver?.fault = String(state.dropFirst("receiver ".count)) }
        continue
      }
      if lostChips.contains(where: { state.hasPrefix($0.name) }) { continue }
      let parts = state.split(separator: " not used: ", maxSplits: 1)
      let name = String(parts[0].hasSuffix(" lost") ? parts[0].dropLast(" lost".count) : parts[0])
      let reason = parts.count > 1 ? String(parts[1]) : "its log has the reason"
      lostChips.append(LostChip(nil, name: name, fault: reason))
    }
  }
}
