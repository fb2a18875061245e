import Quantities

/// Asahi Kasei's AK09916.
/// - Source: the sheets named in `AK09916`: registers, their sequence, DRDY and DOR, the protection
///   of the data from the first read to ST2's, overflow.
package final class EmulatedAK09916: EmulatedAKCore {
  private static let (status2, control2, control3): (UInt8, UInt8, UInt8) = (0x18, 0x31, 0x32)

  package init(surroundings: any Surroundings) {
    // A byte without a meaning, TMPS, stands before ST2.
    let layout = Layout(
      status1: 0x10, data: 0x11...0x17, status2: Self.status2, mode: (Self.control2, 0x1F),
      reset: Self.control3)
    super.init(
      layout, surroundings: surroundings, defaults: [0x00: 0x48, 0x01: 0x09],
      writable: [Self.control2: 0x1F, Self.control3: 0x01])
  }

  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    switch register {
    case 0x03: 0x10
    case Self.status2: 0x00
    case Self.control3: 0x30
    default: register &+ 1
    }
  }

  override func rate(of mode: UInt8) -> Double? {
    switch mode {
    case 0x02: 10
    case 0x04: 20
    case 0x06: 50
    case 0x08: 100
    default: nil
    }
  }

  override func counts(_ microtesla: Double, axis: Int) -> Double {
    max(-32_752, min(32_752, (microtesla / 0.15).rounded()))
  }
}
