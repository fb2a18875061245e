import Quantities

/// A supported chip, by its name in board files. The file of its driver defines it as a constant of
/// this type; `ChipCatalog` lists all of them.
public struct ChipModel: Sendable {
  /// The name, as in board files.
  public let rawValue: String
  /// The measured quantity.
  public let quantity: Quantity
  /// The addresses that the chip can have, 7 bits, the usual one first.
  public let addresses: [UInt8]
  /// The identity registers that distinguish it; empty for a chip without one.
  let identities: [Identity]
  /// The parts that answer alike, where there are several and no identity register has their names.
  public private(set) var family: String?
  /// Whether a motion unit also measures the field.
  public private(set) var hasField = false
  /// Whether its firmware computes an attitude by itself.
  public private(set) var hasAttitude = false
  /// The speed of its serial interface, bits per second; nil without one.
  public private(set) var serialBaud: Int?
  /// Whether a driver of the kernel is the only one; the name is then the kernel's.
  public let isOfKernel: Bool
  /// How its registers are transferred over SPI; nil for a chip that has none.
  public private(set) var spi: SPIFraming?
  /// The register without whose reading it does not show its identity; nil for none.
  public private(set) var firstRegister: UInt8?
  private var wordsInPackage: (x: AxisDirection, y: AxisDirection, z: AxisDirection)?

  /// The quantity that a chip measures.
  public enum Quantity: String, Sendable, CaseIterable {
    /// Magnetic flux density.
    case field
    /// Angular rate, specific force or both.
    case inertia
    /// Static pressure.
    case pressure
  }

  /// An identity register with its value (WHO_AM_I, CHIP_ID, WIA, …).
  struct Identity: Sendable {
    let register: UInt8
    let value: UInt8
    /// The parts with this value, where there are several or the value has a name of its own.
    var parts: String?

    init(_ register: UInt8, _ value: UInt8, _ parts: String? = nil) {
      (self.register, self.value, self.parts) = (register, value, parts)
    }
  }

  /// - Parameters:
  ///   - name: The name in board files, in capitals.
  ///   - quantity: The measured quantity.
  ///   - addresses: The possible addresses, the usual one first.
  ///   - identities: The values of its identity register.
  init(_ name: String, _ quantity: Quantity, at addresses: [UInt8], _ identities: Identity...) {
    (rawValue, self.quantity, self.addresses) = (name, quantity, addresses)
    self.identities = identities
    isOfKernel = false
  }

  private init(kernelName name: String, _ quantity: Quantity) {
    (rawValue, self.quantity, addresses, identities) = (name, quantity, [], [])
    isOfKernel = true
  }

  /// One quantity of a chip that is read through its kernel driver only, whatever chip it is.
  /// - Parameters:
  ///   - name: The kernel's name, such as `dps310`.
  ///   - quantity: The measured quantity.
  /// - Returns: A model that is not in the catalogue.
  public static func ofKernel(_ name: String, _ quantity: Quantity) -> ChipModel {
    ChipModel(kernelName: name, quantity)
  }

  /// The directions of its axes where those of the motion unit in the same package point forward,
  /// left and up; nil for a chip that is mounted by itself.
  public var axesInPackage: AxisMount? {
    wordsInPackage.flatMap { AxisMount(x: $0.x, y: $0.y, z: $0.z) }
  }

  /// Whether it measures a quantity, perhaps beside its main one.
  public func measures(_ quantity: Quantity) -> Bool {
    self.quantity == quantity || quantity == .field && hasField
  }

  /// The model of a module with nine axes, a serial interface and an attitude of its own.
  func module(baud: Int) -> ChipModel {
    var model = self
    (model.hasField, model.hasAttitude, model.serialBaud) = (true, true, baud)
    return model
  }

  /// The model of a motion unit that also measures the field.
  func withField() -> ChipModel {
    var model = self
    model.hasField = true
    return model
  }

  /// The model whose identity can be read only after another register.
  func readFirst(_ register: UInt8) -> ChipModel {
    var model = self
    model.firstRegister = register
    return model
  }

  /// The model with an SPI.
  func over(_ spi: SPIFraming) -> ChipModel {
    var model = self
    model.spi = spi
    return model
  }

  /// The model with its axes in a package.
  func inPackage(x: AxisDirection, y: AxisDirection, z: AxisDirection) -> ChipModel {
    var model = self
    model.wordsInPackage = (x, y, z)
    return model
  }

  /// The model with the names of the parts that answer alike.
  func inFamily(_ parts: String) -> ChipModel {
    var model = self
    model.family = parts
    return model
  }

  /// The values of its identity registers, each with the parts that have it.
  public var identityValues: [(register: UInt8, value: UInt8, name: String)] {
    identities.map { ($0.register, $0.value, $0.parts ?? rawValue) }
  }

  #if !hasFeature(Embedded)
    /// The other chips of the catalogue with the same identity: which of them answers is said by
    /// the name in the board file alone, and where that is wrong it is shown by the samples.
    public var lookAlikes: [ChipModel] {
      Self.allCases.filter { other in
        other != self && !Set(other.addresses).isDisjoint(with: addresses)
          && other.identities.contains { one in
            identities.contains { $0.register == one.register && $0.value == one.value }
          }
      }
    }

    /// What to do where the samples are wrong as those of a look-alike would be; nil for a chip
    /// without one.
    public var lookAlikeRemedy: String? {
      let others = lookAlikes.map(\.rawValue)
      guard !others.isEmpty else { return nil }
      return
        "\(others.joined(separator: " or ")) answers alike: name that in the board file if it is the part"
    }

    /// - Parameter name: The parts with the identity that was found.
    /// - Returns: What a scan says of it beside its name; nil for nothing.
    public func remark(identifiedAs name: String) -> String? {
      let parts = [name == rawValue ? nil : name, lookAlikeRemedy].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
  #endif

  /// Its identities as devices that a bus may have.
  var knownDevices: [KnownDevice] {
    identities.map {
      KnownDevice($0.parts ?? rawValue, addresses, $0.register, $0.value, self)
    }
  }
}

extension ChipModel: Hashable {
  /// Names of the catalogue are unique; a name of the kernel may stand for several quantities.
  public static func == (one: ChipModel, other: ChipModel) -> Bool {
    one.rawValue == other.rawValue && one.isOfKernel == other.isOfKernel
      && one.quantity == other.quantity
  }
  /// The name alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension ChipModel: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
