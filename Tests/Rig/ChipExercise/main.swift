// Without --buffers: compares our decoders with the kernel's own IIO drivers, both on the registers of i2c-stub, and our IIO
// drivers with the same. With it: our IIO drivers on the kernel's buffers, by a timer named lodestar-hrtimer-0.
// Tests/Rig/kernel-drivers runs both in an emulated board. Prints a table; exit
// status 1 where anything differs that is not known to, or a driver cannot be bound that could be.
import Chips

#if canImport(Glibc)
  import Glibc
#endif

guard let bus = CommandLine.arguments.dropFirst().first else {
  print("ChipExercise BUS [--buffers]")
  exit(2)
}

var rows: [Row] = []
var others: [Row] = []
if CommandLine.arguments.contains("--buffers") {
  rows = exerciseBuffers(bus: bus)
} else {
  for chip in chips { rows += exercise(chip, bus: bus) }
  rows.append(exerciseOverflow(bus: bus))
  rows.append(exerciseBMM150(bus: bus))
  rows.append(exerciseBosch(.bmp280, "bmp280", identity: 0x58, bus: bus))
  rows.append(exerciseBosch(.bme280, "bme280", identity: 0x60, bus: bus))
  rows.append(exerciseLPS25H(bus: bus))
  rows += exerciseGeneralSource(bus: bus)
  others = [
    Row(chip: "MS5611", compared: "not bound: Debian's kernel is built without CONFIG_MS5611_I2C"),
    Row(
      chip: "RM3100",
      compared: "not bound: its driver is found by a device tree only, which the board has not"),
  ]
  others += ["QMC5883L", "QMC5883P", "IST8310", "MMC5603", "MMC5983MA", "BMM350"].map {
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
