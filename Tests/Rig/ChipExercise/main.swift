// Without an option: compares our decoders with the kernel's own IIO drivers, both on the registers
// of i2c-stub, and our IIO drivers with the same. With --further: the same of the chips for whose
// addresses the first stub has no place. With --tree: of chips whose drivers need a device tree or
// raw I2C, and whose registers are those of an EEPROM. With --buffers: our IIO drivers on the
// kernel's buffers, by a timer named lodestar-hrtimer-0. Tests/Rig/kernel-drivers runs both in an
// emulated board. Prints a table; exit status 1 where anything differs that is not known to, or a
// driver cannot be bound that could be.
import Chips

#if canImport(Glibc)
  import Glibc
#endif

guard let bus = CommandLine.arguments.dropFirst().first else {
  print("ChipExercise BUS [--buffers | --convert | --further | --tree]")
  exit(2)
}

if CommandLine.arguments.contains("--convert") {
  do { try convertForever(bus: bus) } catch {
    print("\(error)")
    exit(1)
  }
}

var rows: [Row] = []
var others: [Row] = []
if CommandLine.arguments.contains("--buffers") {
  rows = exerciseBuffers(bus: bus)
} else if CommandLine.arguments.contains("--tree") {
  for chip in treeChips { rows += exercise(chip, bus: bus) }
} else if CommandLine.arguments.contains("--further") {
  for chip in furtherChips { rows += exercise(chip, bus: bus) }
  rows.append(exerciseMPL3115A2(bus: bus))
  rows.append(exerciseBME680(bus: bus))
  rows.append(exerciseFXAS21002Ranges(bus: bus))
} else {
  for chip in chips { rows += exercise(chip, bus: bus) }
  rows.append(exerciseOverflow(bus: bus))
  rows.append(exerciseBMM150(bus: bus))
  rows.append(exerciseBosch(.bmp280, "bmp280", identity: 0x58, bus: bus))
  rows.append(exerciseBosch(.bme280, "bme280", identity: 0x60, bus: bus))
  rows.append(exerciseBMP180(bus: bus))
  rows.append(exerciseBMP388(.bmp388, identity: 0x50, bus: bus))
  rows.append(exerciseBMP388(.bmp390, identity: 0x60, bus: bus))
  rows.append(exerciseBMP580(bus: bus))
  rows.append(exerciseDPS310(bus: bus))
  rows.append(
    exerciseLPS(
      .lps25hb, .lps25hb, "lps25h", registers: [(0x0F, [0xBD, 0x0F]), (0x20, [0, 0, 0, 0])],
      mirror: 0x80, countsPerDegree: 480, atZero: 42.5, bus: bus))
  for (variant, model, name, registers) in [
    (LPSVariant.lps22hb, ChipModel.lps22hb, "lps22hb", [0xB1, 0x00, 0x10, 0x00]),
    (.lps22hh, .lps22hh, "lps22hh", [0xB3, 0x00, 0x10, 0x00]),
    (.lps22df, .lps22df, "lps22df", [0xB4, 0x00, 0x00, 0x01]),
  ] as [(LPSVariant, ChipModel, String, [UInt8])] {
    rows.append(
      exerciseLPS(
        variant, model, name, registers: [(0x0F, registers)], countsPerDegree: 100, atZero: 0,
        bus: bus))
  }
  rows += exerciseGeneralSource(bus: bus)
  others = [
    Row(chip: "MS5611", compared: "not bound: Debian's kernel is built without CONFIG_MS5611_I2C"),
    Row(
      chip: "BNO055",
      compared: "not bound: Debian's kernel is built without CONFIG_BOSCH_BNO055_I2C"),
    Row(
      chip: "ICP-10125",
      compared: "not bound: its driver needs an I2C adapter, i2c-stub has SMBus only"),
  ]
  others += [
    "QMC5883L", "QMC5883P", "IST8310", "MMC5603", "MMC5983MA", "BMM350", "ICM-20948", "BMI270",
    "BNO085", "WT901",
  ].map {
    Row(chip: $0, compared: "not bound: Linux 6.12 has no driver for it")
  }
}
show(rows + others)
let tested = Set(rows.filter(\.isBound).map(\.chip))
let failed = rows.filter { $0.mismatches > 0 || !$0.isBound || $0.patterns == 0 }
print(
  failed.isEmpty ? "PASS" : "FAIL", "\(tested.count) quantities,",
  "\(rows.reduce(0) { $0 + $1.patterns }) patterns, \(rows.reduce(0) { $0 + $1.mismatches }) mismatches"
)
exit(failed.isEmpty ? 0 : 1)
