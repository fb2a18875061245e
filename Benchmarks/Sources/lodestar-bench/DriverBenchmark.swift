import Bus
import CAllocationCounter
import Chips
import Foundation
import Quantities
import Simulation

/// Heap blocks a sample of every driver in its steady state, those of the emulated chip behind it taken out.
func benchmarkDrivers() throws {
  for model in ChipModel.allCases { try print(DriverReport(model)) }
}

/// An emulated bus that keeps count of what its own work takes.
private final class CountingBus: RegisterBus {
  let bus: EmulatedBus
  private(set) var ownBlocks: UInt64 = 0

  init(_ bus: EmulatedBus) { self.bus = bus }

  var name: String { bus.name }
  var now: Timestamp { bus.now }
  func wait(nanoseconds: UInt64) { bus.wait(nanoseconds: nanoseconds) }

  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    let before = allocation_count()
    defer { ownBlocks += allocation_count() - before }
    try bus.read(register, of: address, into: bytes)
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    let before = allocation_count()
    defer { ownBlocks += allocation_count() - before }
    try bus.write(bytes, to: register, of: address)
  }

  func receive(from address: UInt8) throws(BusError) -> UInt8 { try bus.receive(from: address) }
}

/// One chip's line.
private struct DriverReport: CustomStringConvertible {
  private static let samples = 5000
  let description: String

  init(_ model: ChipModel) throws {
    let board = try EmulatedBoard(
      scenario: .tableTop, seed: 1,
      startUTC: UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000),
      hasReceiver: false)
    let bus = CountingBus(board.bus(named: "bench"))
    let address = model.addresses[0]
    let settings = ChipSettings()
    let driver = model.driver(bus: bus, address: address, settings: settings)
    board.place(
      EmulatedBoard.Placement(
        model: model, bus: "bench", address: address,
        bodyToChip: AxisMount.standard.rotation.inverse, rateHertz: driver.rateHertz,
        latencySeconds: 0))
    var magnetometer = driver as? any Magnetometer
    var unit = driver as? any InertialUnit
    var barometer = driver as? any Barometer
    try magnetometer?.start()
    try unit?.start()
    try barometer?.start()
    // A fifth of a period a call: most calls find nothing, as in the field.
    let step = UInt64(0.2e9 / driver.rateHertz)
    var count = 0
    func read() throws {
      bus.wait(nanoseconds: step)
      if try magnetometer?.readField() != nil { count += 1 }
      _ = try unit?.readInertia { _ in count += 1 }
      if try barometer?.readPressure() != nil { count += 1 }
    }
    while count < 500 { try read() }
    count = 0
    let (before, own) = (allocation_count(), bus.ownBlocks)
    while count < Self.samples { try read() }
    let blocks = allocation_count() - before - (bus.ownBlocks - own)
    let each = Double(blocks) / Double(count)
    description = "{\"allocations\":\(each),\"chip\":\"\(model.rawValue)\",\"samples\":\(count)}"
  }
}
