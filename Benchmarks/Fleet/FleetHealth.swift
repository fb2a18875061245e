import Formats
import Foundation
import Quantities

/// The metrics of a fleet's boards, each in a file as the daemon serves it. Boards differ by their
/// number only: every seventh or so has a trouble of its own.
enum FleetHealth {
  /// Writes `board-NN.prom` for each board.
  static func write(_ count: Int, to folder: String) throws {
    for number in 0..<count {
      let text = MetricsText.text(
        estimate(number), isOpen: number % 29 != 28, viewers: 0, health: health(number))
      let name = "board-\(number < 10 ? "0" : "")\(number).prom"
      try Data(text).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  private static func health(_ number: Int) -> BoardHealth {
    var health = BoardHealth(
      version: number % 17 == 3 ? "1.0.0" : "1.1.0", uptimeSeconds: 3600 * Double(number * 7 % 720))
    health.source = number % 29 == 28 ? .none : .sensors
    health.isClockBelieved = number % 23 != 5
    health.clockErrorSeconds = number % 23 == 5 ? nil : 0.002 * Double(1 + number % 5)
    health.calibrationAgeSeconds = 86_400 * Double(number * 11 % 230)
    health.storageFault = number % 31 == 9 ? "the disk is full" : nil
    let size = 32e9
    health.disks = [
      BoardHealth.Disk(
        use: "state", freeBytes: number % 31 == 9 ? 0 : size * (0.2 + 0.012 * Double(number % 50)),
        sizeBytes: size)
    ]
    var bus = BoardHealth.Bus(name: "/dev/i2c-1")
    (bus.medianDelaySeconds, bus.worstDelaySeconds) = (0.000_09, 0.002 + 0.000_1 * Double(number))
    health.buses = [bus]
    health.devices = [
      device(
        .chip, "LIS3MDL at 0x1C of /dev/i2c-1", "/dev/i2c-1", number % 13 == 4 ? .lost : .live),
      device(
        .chip, "ICM-20948 at 0x68 of /dev/i2c-1", "/dev/i2c-1", number % 19 == 6 ? .late : .live),
      device(
        .receiver, "/dev/ttyAMA0", "/dev/ttyAMA0", number % 11 == 7 ? .contradicted : .live),
    ]
    health.troubles = health.devices.filter { $0.state != .live }.map {
      BoardHealth.Trouble(device: $0.name, text: "\($0.name) \($0.stateWord)")
    }
    return health
  }

  private static func device(
    _ kind: DeviceHealth.Kind, _ name: String, _ bus: String, _ state: SourceState
  ) -> DeviceHealth {
    var device = DeviceHealth(kind: kind, name: name, bus: bus, state: state)
    device.ageSeconds = [.live: 0.02, .late: 2, .lost: 300][state]
    (device.samples, device.errors) = (state == .lost ? 4000 : 100_000, state == .live ? 0 : 12)
    device.restarts = state == .late ? 3 : 0
    return device
  }

  private static func estimate(_ number: Int) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 1))
    estimate.headingState = number % 13 == 4 ? .lost : .live
    estimate.positionState = number % 11 == 7 ? .contradicted : .live
    if number % 13 != 4 {
      estimate.magneticHeading = MagneticHeading(Angle(degrees: Double(number * 37 % 360)))
      estimate.headingAccuracy = Angle(degrees: 1.5 + 0.1 * Double(number % 40))
    }
    estimate.calibration = number % 16 == 2 ? .poor : .good
    return estimate
  }
}
