/// The magnetometer in ST's LSM303DLHC.
/// - Source: ST LSM303DLHC data sheet DocID018771 revision 2, section 7.2: CRA_REG_M, CRB_REG_M,
///   MR_REG_M (mode after power-on: sleep). GN 000 is not allowed there; it is given the next gain
///   here.
package final class EmulatedLSM303DLHCMagnetometer: EmulatedHMC5883Core {
  package init(surroundings: any Surroundings) {
    let level: [Double] = [1100, 1100, 855, 670, 450, 400, 330, 230]
    let upright: [Double] = [980, 980, 760, 600, 400, 355, 295, 205]
    super.init(
      surroundings: surroundings, mode: 0x03, writableA: 0x9C,
      countsPerGauss: zip(level, upright).map { SIMD3($0, $0, $1) },
      rates: [0.75, 1.5, 3, 7.5, 15, 30, 75, 220])
  }
}
