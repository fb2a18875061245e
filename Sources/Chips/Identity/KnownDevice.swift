/// Chips with an identity register, including those without a driver: for messages and for
/// `lodestar probe`.
public struct KnownDevice: Equatable, Sendable {
  /// The part.
  public let name: String
  /// The addresses that it can have.
  public let addresses: [UInt8]
  /// Its identity register.
  public let register: UInt8
  /// The value of that register.
  public let value: UInt8
  /// The model with a driver; nil without one.
  public let model: ChipModel?

  init(
    _ name: String, _ addresses: [UInt8], _ register: UInt8, _ value: UInt8,
    _ model: ChipModel? = nil
  ) {
    self.name = name
    self.addresses = addresses
    self.register = register
    self.value = value
    self.model = model
  }

  /// The part that holds this value in this register at this address, 0 for any; nil for an unknown
  /// one.
  public static func name(address: UInt8, register: UInt8, value: UInt8) -> String? {
    all.first {
      $0.register == register && $0.value == value
        && (address == 0 || $0.addresses.contains(address))
    }?.name
  }

  /// The parts that can be at this address.
  public static func candidates(at address: UInt8) -> [KnownDevice] {
    all.filter { $0.addresses.contains(address) }
  }
}
