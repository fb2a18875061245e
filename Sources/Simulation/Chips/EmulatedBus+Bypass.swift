extension EmulatedBus {
  /// Puts the chip at an address behind the motion unit that is on the bus, if there is one: it answers
  /// only while the unit's bypass is on.
  package func placeBehindUnit(_ address: UInt8) {
    for place in [UInt8(0x68), 0x69] {
      guard let unit = chip(at: place) as? EmulatedMPU6050Family else { continue }
      gate(address) { [weak unit] in unit?.isBypassOn ?? false }
    }
  }
}
