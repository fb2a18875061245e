import Chips
import Simulation

/// The chips with an SPI, each with what its data sheet says about the bytes.
private let wiredChips: [(ChipCase, @Sendable (inout EmulatedSPIWires) -> Void)] = [
  (.lis3mdl, { $0.incrementBit = 0x40 }),
  (.lis2mdl, { $0.fourWires = (0x62, 0x04) }),
  (.mmc5983ma, { _ in }),
  (.bmm150, { _ in }),
  (.rm3100, { _ in }),
  (.lsm9ds1Magnetometer, { $0.incrementBit = 0x40 }),
  (.lsm303d, { $0.incrementBit = 0x40 }),
  (.lsm9ds0, { $0.incrementBit = 0x40 }),
  (.bmp280, { $0.hasHighRegisters = true }),
  (.bme280, { $0.hasHighRegisters = true }),
  (.bmp388, { $0.hasDummyByte = true }),
  (.bmp390, { $0.hasDummyByte = true }),
  (.bmp581, { $0.resetToI2C = (0x7E, 0xB6) }),
  (.bmp585, { $0.resetToI2C = (0x7E, 0xB6) }),
  (.lps25hb, { $0.incrementBit = 0x40 }),
  (.lps22hb, { _ in }),
  (.lps22hh, { _ in }),
  (.lps22df, { _ in }),
  (.dps310, { $0.resetToI2C = (0x0C, 0x09) }),
  (.spl07, { $0.resetToI2C = (0x0C, 0x09) }),
  (.spl06, { $0.resetToI2C = (0x0C, 0x09) }),
  (.ms5607, { $0.hasCommands = true }),
  (.ms5611, { $0.hasCommands = true }),
  (.mpu6500, { _ in }),
  (.mpu9250, { _ in }),
  (.icm20689, { _ in }),
  (.icm20602, { _ in }),
  (.icm20608, { _ in }),
  (.lsm9ds1Inertial, { _ in }),
  (.lsm6ds3, { _ in }),
  (.lsm6dso, { _ in }),
  (.lsm6dsv, { _ in }),
  (.ism330dhcx, { _ in }),
  (.icm20948, { _ in }),
  (.bmi160, { $0.resetToI2C = (0x7E, 0xB6) }),
  (.icm42688p, { _ in }),
  (.icm42605, { _ in }),
  (.iim42652, { _ in }),
  (.icm42670p, { _ in }),
  (.icm45686, { _ in }),
  (
    .bmi270,
    {
      $0.hasDummyByte = true
      $0.resetToI2C = (0x7E, 0xB6)
    }
  ),
]

/// The same suite over an emulated SPI.
let spiCases: [ChipCase] = wiredChips.map { chip, wiring in
  var wires = EmulatedSPIWires()
  wiring(&wires)
  return chip.overSPI(wires)
}

extension ChipCase {
  fileprivate func overSPI(_ wires: EmulatedSPIWires) -> ChipCase {
    var chip = self
    chip.isOnSPI = true
    let (model, address) = (model, address)
    chip.driver = { bus, settings in
      let device = EmulatedSPI(bus, address: address, wires: wires)
      guard let framing = model.spi else { preconditionFailure("\(model) has no framing") }
      var settings = settings
      if model == .bmi270 { settings.image = EmulatedBMI270.image }
      return model.driver(
        bus: SPIRegisterBus(device: device, framing: framing), address: 0, settings: settings)
    }
    // It cannot be read before a write.
    if wires.fourWires != nil { chip.identity = nil }
    return chip
  }
}
