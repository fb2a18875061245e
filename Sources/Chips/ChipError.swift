/// Why a chip cannot be used. The description is one line with bus, address, chip and remedy.
public struct ChipError: Error, Equatable, Sendable {
  /// The kind of fault.
  public var kind: Kind
  /// The chip that was expected.
  public var model: ChipModel
  /// The name of the bus.
  public var bus: String
  /// The address on it, 7 bits; 0 on a bus without addresses.
  public var address: UInt8

  /// Makes an error.
  public init(_ kind: Kind, model: ChipModel, bus: String, address: UInt8) {
    self.kind = kind
    self.model = model
    self.bus = bus
    self.address = address
  }

  /// The kinds of fault.
  public enum Kind: Equatable, Sendable {
    /// The transfer failed.
    case bus(BusError)
    /// Another chip answers.
    case wrongIdentity(register: UInt8, expected: UInt8, found: UInt8)
    /// Every byte reads as this one, 0x00 or 0xFF: a line is stuck or not driven.
    case constantBytes(UInt8)
    /// Another part without an identity register answers; with what identified it.
    case otherPart(String)
    /// A register did not hold the written value.
    case configurationRefused(register: UInt8, wrote: UInt8, found: UInt8)
    /// The factory's calibration is invalid; with the reason.
    case badFactoryData(String)
    /// The image that the chip's processor runs is not given or has a wrong size; with the remedy.
    case image(String)
    /// The chip did not finish an operation within the datasheet's time; with the operation.
    case unfinished(String)
    /// The registers hold an impossible measurement; with its value.
    case impossibleValue(String)
    /// The chip answers, but its samples are no measurements; with the reason.
    case notMeasuring(String)
  }
}

extension ChipError {
  /// Whether the chip did not acknowledge its address.
  var isRefusal: Bool {
    if case .bus(let cause) = kind { cause.kind == .noAnswer } else { false }
  }

  /// What the chip reports in place of measurements; nil for a chip that does not answer or work.
  public var falseValue: String? {
    switch kind {
    case .impossibleValue(let what), .notMeasuring(let what), .otherPart(let what): what
    case .bus, .wrongIdentity, .constantBytes, .configurationRefused, .badFactoryData, .image,
      .unfinished:
      nil
    }
  }
}

extension ChipError: CustomStringConvertible {
  /// One line to display.
  public var description: String {
    let place =
      (address == 0 ? bus : "\(bus) address \(Hexadecimal.text(address))") + ", \(model.rawValue)"
    switch kind {
    case .bus(let error): return "\(model.rawValue): \(error.description)"
    case .wrongIdentity(let register, let expected, let found):
      let other = KnownDevice.name(address: address, register: register, value: found)
      return "\(place): register \(Hexadecimal.text(register)) holds \(Hexadecimal.text(found)) "
        + "instead of \(Hexadecimal.text(expected))"
        + (other.map { ": this is a \($0); name that chip in the board file" }
          ?? ": another chip answers here; see lodestar probe")
    case .constantBytes(let byte):
      return
        "\(place): every register reads \(Hexadecimal.text(byte)); check the chip's power, and "
        + "that no other chip shares the address"
    case .configurationRefused(let register, let wrote, let found):
      return
        "\(place): register \(Hexadecimal.text(register)) holds \(Hexadecimal.text(found)) after "
        + "\(Hexadecimal.text(wrote)) was written; a clone, or two chips at one address"
    case .badFactoryData(let what):
      return
        "\(place): its factory calibration is damaged (\(what)); take the power off and on, and "
        + "check the wires; if it stays, replace the chip"
    case .otherPart(let what): return "\(place): \(what); name that chip in the board file"
    case .image(let what): return "\(place): \(what)"
    case .unfinished(let what):
      return "\(place): \(what) did not finish in time; take the power off and on"
    case .impossibleValue(let what):
      return "\(place): \(what), which cannot be measured; check the chip's power and wires"
    case .notMeasuring(let what):
      return
        "\(place): \(what), so it is not used; take the power off and on and check the wires; if it "
        + "stays, replace the chip"
    }
  }
}
