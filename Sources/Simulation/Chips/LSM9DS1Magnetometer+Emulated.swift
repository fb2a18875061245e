/// The magnetometer in ST's LSM9DS1.
/// - Source: ST LSM9DS1 data sheet DocID025715 revision 3: table 3 (sensitivity, milligauss a
///   count), register map (INT_CFG_M).
package final class EmulatedLSM9DS1Magnetometer: EmulatedLIS3MDLCore {
  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings, interrupt: 0x08,
      countsPerGauss: [0.14, 0.29, 0.43, 0.58].map { 1000 / $0 })
  }
}
