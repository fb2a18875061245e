/// MEMSIC's MMC5983MA.
package final class EmulatedMMC5983MA: EmulatedSetReset {
  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings,
      part: Part(
        identity: (0x2F, 0x30), status: 0x08, done: 0x01, control: (0x09, 0x0A), bits: 18,
        nanoseconds: 8_000_000, countsPerMicrotesla: -163.84))
  }
}
