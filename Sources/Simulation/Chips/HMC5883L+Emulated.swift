/// Honeywell's HMC5883L.
/// - Source: Honeywell HMC5883L data sheet 900405 revision E: table 5 (rates), table 9 (gain),
///   table 12 (mode after power-on: a single measurement).
package final class EmulatedHMC5883L: EmulatedHMC5883Core {
  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings, mode: 0x01, writableA: 0x7F,
      countsPerGauss: [1370, 1090, 820, 660, 440, 390, 330, 230].map {
        SIMD3(repeating: $0)
      },
      rates: [0.75, 1.5, 3, 7.5, 15, 30, 75])
  }
}
