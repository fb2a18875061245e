/// ST's LIS3MDL.
/// - Source: ST LIS3MDL data sheet DocID024204 revision 6: table 3 (sensitivity), table 16
///   (INT_CFG).
package final class EmulatedLIS3MDL: EmulatedLIS3MDLCore {
  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings, interrupt: 0xE8, countsPerGauss: [6842, 3421, 2281, 1711])
  }
}
