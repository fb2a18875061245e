import BoardFile
import Chips
import Quantities

extension Board {
  /// The board that is simulated where no file says which: `Boards/simulated.yaml` is the same.
  public static var simulated: Board {
    var unit = Sensor(chip: .mpu9250)
    unit.settings.rateHertz = 100
    return Board(
      name: "Simulated board",
      sensors: [unit, Sensor(inPackage: .ak8963), Sensor(chip: .bmp280)],
      receiver: Receiver(port: "/dev/serial0"))
  }
}
