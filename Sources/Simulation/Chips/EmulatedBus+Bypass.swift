/// A motion unit that can connect its auxiliary bus to the main one.
package protocol EmulatedBypassUnit: AnyObject {
  /// Whether the auxiliary bus is connected to the main one.
  var isBypassOn: Bool { get }
}

extension EmulatedBus {
  /// Puts the chip at an address behind the bus's motion unit, if there is one: the chip then
  /// answers only while the unit's bypass is enabled.
  package func placeBehindUnit(_ address: UInt8) {
    for place in [UInt8(0x68), 0x69] {
      guard let unit = chip(at: place) as? any EmulatedBypassUnit else { continue }
      gate(address) { [weak unit] in unit?.isBypassOn ?? false }
    }
  }
}
