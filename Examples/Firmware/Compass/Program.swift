import CFirmware
import Chips
import Fusion
import Quantities

/// A compass: reads the magnetometer of an LSM303DLHC and prints the magnetic heading of 600
/// samples. The board is taken as level: QEMU emulates the magnetometer of the chip only.
@_cdecl("program")
func program() {
  // The second connector for extension boards: where QEMU attaches a device by default.
  let bus = TwoWireBus(name: "I2C of shield 1", base: 0x4002_A000)
  var chip = LSM303DLHCMagnetometer(bus: bus, address: 0x1E, settings: ChipSettings())
  var filter = TiltCompensatedCompass()
  // The example's readings are steps of a test, not of a carried board: no smoothing.
  filter.timeConstant = 1e-6
  let mount = AxisMount.standard.rotation
  do throws(ChipError) {
    try chip.start()
    Console.print("compass " + chip.model.rawValue)
    var left = 600
    while left > 0 {
      bus.wait(nanoseconds: 50_000_000)
      guard let reading = try chip.readField() else { continue }
      left -= 1
      guard let field = reading.value else {
        Console.print("saturated")
        continue
      }
      let m = mount.rotate(field.components)
      filter.update(FieldSample(timestamp: bus.now, field: MagneticField(components: m)))
      guard let attitude = filter.solution?.attitude else { continue }
      let heading = attitude.attitudeAngles.heading.degrees
      Console.print("heading " + tenths(heading) + " field " + tenths(m.length))
    }
  } catch {
    Console.print("failure: " + error.description)
    firmware_exit(1)
  }
}

/// A positive number with one decimal.
private func tenths(_ value: Double) -> String {
  let tenths = UInt64(bounded: (value * 10).rounded())
  return Console.decimal(tenths / 10) + "." + Console.decimal(tenths % 10)
}
