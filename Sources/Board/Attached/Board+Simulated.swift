import Chips
import Configuration
import Quantities

extension Board.Sensor {
  /// The chip that is emulated in its place: one on SPI has its address of I2C, by which its random
  /// numbers are chosen, and a chip of the kernel is replaced by one of the catalogue.
  var emulated: Board.Sensor {
    if Board.isSPI(bus) { return Board.Sensor(chip: chip, bus: bus) }
    guard chip.isOfKernel else { return self }
    let model: ChipModel =
      switch chip.quantity {
      case .field: .lis3mdl
      case .inertia: .lsm6dso
      case .pressure: .bmp388
      }
    return Board.Sensor(chip: model, bus: thread)
  }
}

extension Board {
  /// The simulated board used without a board file; the same as `Boards/simulated.yaml`.
  public static var simulated: Board {
    var unit = Sensor(chip: .mpu9250)
    unit.settings.rateHertz = 100
    return Board(
      name: "Simulated board",
      sensors: [unit, Sensor(inPackage: .ak8963), Sensor(chip: .bmp280)],
      receiver: Receiver(port: "/dev/serial0"))
  }
}
