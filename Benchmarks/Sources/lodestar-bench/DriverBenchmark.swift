import Chips
import Foundation
import Quantities
import Simulation

/// A driver in steady state, whatever its chip measures.
struct SteadyDriver {
  // One of them is there; apart, so that each is changed in its place.
  private var magnetometer: (any Magnetometer)?
  private var unit: (any InertialUnit)?
  private var barometer: (any Barometer)?

  init(_ driver: any SensorChip) {
    magnetometer = driver as? any Magnetometer
    unit = driver as? any InertialUnit
    barometer = driver as? any Barometer
  }

  mutating func start() throws(ChipError) {
    try magnetometer?.start()
    try unit?.start()
    try barometer?.start()
  }

  /// Reads once; returns the number of samples.
  mutating func read() throws(ChipError) -> Int {
    var count = 0
    if try magnetometer?.readField() != nil { count += 1 }
    _ = try unit?.readInertia { _ in count += 1 }
    if try barometer?.readPressure() != nil { count += 1 }
    return count
  }
}

/// Prints each chip's driver, one JSON object a line: nanoseconds and heap blocks a sample, and how
/// long it takes to copy the same bytes and scale them.
/// - Throws: What the last chip that cannot be measured has, after the others.
func benchmarkDrivers() throws {
  var last: (any Error)?
  for model in ChipModel.allCases {
    do {
      var benchmark = try DriverBenchmark(model)
      try benchmark.report()
    } catch {
      FileHandle.standardError.write(Data("lodestar-bench: \(model.rawValue): \(error)\n".utf8))
      last = error
    }
  }
  if let last { throw last }
}

struct DriverBenchmark {
  private static var samples: Int { 20_000 }
  private static var rounds: Int { 15 }
  /// Enough for every chip to have given samples, the MS5611's temperature and pressure in turn.
  private static var recordedCalls: Int { 32 }

  private let model: ChipModel
  private let source: any FrozenSource
  private let period: UInt64
  private var driver: SteadyDriver

  init(_ model: ChipModel) throws {
    self.model = model
    let driver: any SensorChip
    if let address = model.addresses.first {
      (driver, source) = try Self.recorded(model, at: address)
    } else {
      let port = RepeatingPort()
      var settings = ChipSettings()
      settings.rateHertz = RepeatingPort.hertz
      guard let module = model.driver(port: port, settings: settings) else {
        throw BenchmarkError("\(model.rawValue): has neither an address nor a serial port")
      }
      (driver, source) = (module, port)
    }
    // A nanosecond more than a period, for drivers that refuse a sample before its time.
    period = UInt64(1e9 / driver.rateHertz) + 1
    self.driver = SteadyDriver(driver)
    try self.driver.start()
    guard let bus = source as? FrozenBus else { return }
    bus.endCall(gaveSample: false)
    for _ in 0..<Self.recordedCalls {
      bus.beginCall(after: period)
      let count = try self.driver.read()
      bus.endCall(gaveSample: count > 0)
    }
    bus.freeze()
  }

  /// The driver of an emulated chip, on a bus that records the chip's answers.
  private static func recorded(
    _ model: ChipModel, at address: UInt8
  ) throws -> (any SensorChip, FrozenBus) {
    let board = try EmulatedBoard(
      scenario: .tableTop, seed: 1, startUTC: UTCTime(nanosecondsSince1970: 0), hasReceiver: false)
    let bus = FrozenBus(board.bus(named: model.rawValue))
    var settings = ChipSettings()
    // The emulated BMI270 accepts no other.
    settings.image = EmulatedBoard.image
    let driver = model.driver(bus: bus, address: address, settings: settings)
    board.place(
      EmulatedBoard.Placement(
        model: model, bus: model.rawValue, address: address, bodyToChip: .identity,
        rateHertz: driver.rateHertz, latencySeconds: driver.latencySeconds))
    return (driver, bus)
  }

  mutating func report() throws {
    let measurement = try Measurement(rounds: Self.rounds) { try read() }
    // The first round, which is not counted, is one of them.
    let handedOut = Double(measurement.units * (Self.rounds + 1))
    let bytes = Double(source.bytesRead) / handedOut
    try DriverReport(
      chip: model.rawValue, bytes: bytes, reads: Double(source.reads) / handedOut,
      nanoseconds: measurement.nanosecondsFastest, allocations: measurement.allocations,
      copyNanoseconds: Self.copying(bytes: Int(bytes.rounded(.up))).nanosecondsFastest
    ).print()
  }

  /// Calls until so many samples came, a period apart.
  private mutating func read() throws -> Int {
    var count = 0
    var idle = 0
    while count < Self.samples {
      source.beginCall(after: period)
      let new = try driver.read()
      count += new
      idle = new > 0 ? 0 : idle + 1
      guard idle < 100 else { throw BenchmarkError("\(model.rawValue): gives no sample") }
    }
    return count
  }

  /// The minimum work of any driver: the same bytes are copied, and each two of them scaled.
  private static func copying(bytes count: Int) -> Measurement {
    let source = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { copy.deallocate() }
    var sum = 0.0
    let measurement = Measurement(rounds: rounds) {
      for index in 0..<samples {
        copy.copyBytes(from: source)
        // Another byte each time, so that no round's work can be left out.
        copy[index % count] = UInt8(truncatingIfNeeded: index)
        for place in stride(from: 0, to: count - 1, by: 2) {
          sum += 0.15 * Double(copy.loadUnaligned(fromByteOffset: place, as: Int16.self))
        }
      }
      return samples
    }
    precondition(sum.isFinite)
    return measurement
  }
}
