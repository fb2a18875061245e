import Chips
import Configuration
import Quantities

/// The clock of the thread that reads a chip through its kernel driver, which has the bus.
final class KernelsBus: RegisterBus {
  let name: String
  private let hardware: any BoardHardware

  init(name: String, hardware: any BoardHardware) {
    (self.name, self.hardware) = (name, hardware)
  }

  var now: Timestamp { hardware.now }
  func wait(nanoseconds: UInt64) {}
  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) { throw BusError(.ownedByKernel, device: name) }
  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) { throw BusError(.ownedByKernel, device: name) }
  func receive(from address: UInt8) throws(BusError) -> UInt8 {
    throw BusError(.ownedByKernel, device: name)
  }
}

/// A chip of the board file that no kernel driver has now: each start looks for it again.
struct AbsentKernelChip: Magnetometer, InertialUnit, Barometer {
  let model: ChipModel
  let address: UInt8
  let rateHertz = 0.0
  let latencySeconds = 0.0
  private let bus: String

  init(_ sensor: Board.Sensor) {
    (model, address, bus) = (sensor.chip, sensor.address, sensor.bus)
  }

  private var missing: ChipError {
    let error = BusError(
      .failed(
        "finding the kernel's device '\(model.rawValue)' with \(model.quantity.rawValue), which "
          + "'lodestar probe' lists where a driver is bound,"), device: bus)
    return ChipError(.bus(error), model: model, bus: bus, address: address)
  }

  func start() throws(ChipError) { throw missing }
  func holdsConfiguration() throws(ChipError) -> Bool { throw missing }
  func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? { throw missing }
  func readInertia(_ take: (InertialReading) -> Void) throws(ChipError) -> Int { throw missing }
  func readPressure() throws(ChipError) -> PressureReading? { throw missing }
}
