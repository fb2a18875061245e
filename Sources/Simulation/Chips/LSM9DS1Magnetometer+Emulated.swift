/// The magnetometer in ST's LSM9DS1.
/// - Source: ST LSM9DS1 data sheet DocID025715 revision 3: register map (INT_CFG_M); sensitivity:
///   Linux st_magn_core.c, microgauss a count.
package final class EmulatedLSM9DS1Magnetometer: EmulatedLIS3MDLCore {
  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings, interrupt: 0x08,
      countsPerGauss: [146.156, 292.312, 438.404, 584.454].map { 1e6 / $0 })
  }
}
