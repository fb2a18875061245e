import Chips
import Configuration
import Quantities

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
