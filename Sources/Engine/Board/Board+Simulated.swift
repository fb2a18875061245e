import BoardFile
import Chips
import Quantities

extension Board {
  /// The board that is simulated where no file says which: `Boards/simulated.yaml` is the same.
  public static var simulated: Board {
    var compass = Sensor(chip: .ak8963)
    // - Source: TDK PS-MPU-9250A-01 revision 1.1, section 9.1: the magnetometer's x along the
    //   accelerometer's y, its y along the accelerometer's x, its z against the accelerometer's.
    compass.mount = AxisMount(x: .left, y: .forward, z: .down).map { .axes($0) } ?? .standard
    var unit = Sensor(chip: .mpu9250)
    unit.settings.rateHertz = 100
    return Board(
      name: "Simulated board",
      sensors: [unit, compass, Sensor(chip: .bmp280)],
      receiver: Receiver(port: "/dev/serial0"))
  }
}
