/// MEMSIC's MMC5603.
package final class EmulatedMMC5603: EmulatedSetReset {
  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings,
      part: Part(
        identity: (0x39, 0x10), status: 0x18, done: 0x40, control: (0x1B, 0x1C), bits: 20,
        nanoseconds: 6_600_000, countsPerMicrotesla: 163.84))
  }
}
