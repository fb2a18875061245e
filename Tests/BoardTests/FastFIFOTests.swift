import Board
import Chips
import Configuration
import Formats
import Foundation
import Quantities
import Simulation
import Testing

/// Every inertial unit with a FIFO of 833 Hz or more, from the chip's registers to the stamped
/// samples.
@Suite("Fast FIFOs", .timeLimit(.minutes(30)))
struct FastFIFOTests {
  /// Emulated time, seconds. `LODESTAR_FIFO_SECONDS=3600 LODESTAR_FIFO_CHIP=BMI270` runs an hour of
  /// one chip, which takes minutes.
  private static let seconds = variable("SECONDS").flatMap { Double($0) } ?? 12

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["LODESTAR_FIFO_\(name)"]
  }

  /// Time until the oscillator's rate is learnt, seconds.
  private static let learning = 4.0
  /// Time in which a rate is counted, seconds.
  private static let window = 2.0

  static let units = ChipModel.allCases.filter { model in
    // The samples are numbered by the force, which a gyroscope by itself has not.
    guard model.quantity == .inertia, !model.addresses.isEmpty,
      settings(model).fullScale(of: model).metresPerSecondSquared != nil,
      variable("CHIP").map({ $0 == model.rawValue }) ?? true
    else { return false }
    let driver = model.driver(bus: NoBus(), address: model.addresses[0], settings: settings(model))
    return driver.rateHertz >= 800 && (driver as? any InertialUnit)?.keepsSamples == true
  }

  private static func settings(_ model: ChipModel) -> ChipSettings {
    var settings = ChipSettings(rateHertz: 833)
    if model == .bmi270 { settings.image = EmulatedBMI270.image }
    return settings
  }

  @Test("are those of all families")
  func families() {
    guard Self.variable("CHIP") == nil else { return }
    let expected: Set<ChipModel> = [
      .mpu6050, .mpu6500, .mpu9250, .lsm9ds1Inertial, .lsm6ds3, .lsm6dso, .lsm6dsv, .ism330dhcx,
      .icm20948, .bmi160, .bmi270, .icm42688p,
    ]
    #expect(Set(Self.units).isSuperset(of: expected))
  }

  @Test(
    "lose and double no sample with a thread that is late, and their stamps rise at the chip's own rate",
    arguments: units, [0.93, 1, 1.07])
  func everySample(_ model: ChipModel, oscillator: Double) throws {
    let (bus, surroundings) = (EmulatedBus(), CountingSurroundings())
    let address = model.addresses[0]
    let chip = SkewedChip(model.emulated(surroundings))
    bus.place(chip, at: address)
    var sensor = Board.Sensor(chip: model)
    sensor.settings = Self.settings(model)
    var runner = try #require(
      ChipRunner(
        sensor: sensor, now: { bus.now },
        makeDriver: { model.driver(bus: bus, address: address, settings: sensor.settings) }))
    runner.run { _ in }
    let nominal = try #require(runner.fault == nil ? runner.rateHertz : nil)
    chip.skew(by: oscillator, from: bus.now)
    surroundings.period = UInt64(bounded: 1e9 / nominal)
    let trueRate = oscillator * 1e9 / Double(surroundings.period)
    var random = RandomStream(seed: 7, stream: 1)
    var last: (number: Int, stamp: Timestamp)?
    var (count, jumps, falls) = (0, 0, 0)
    var begun: Timestamp?
    var worst = 0.0
    var opened: (count: Int, stamp: Timestamp)?
    while begun.map({ bus.now.seconds(since: $0) < Self.seconds }) ?? true {
      // A tenth of the visits is up to 20 ms late, the others up to 1 ms.
      let late = random.uniform() < 0.1 ? 20e6 : 1e6
      let visit = runner.due.advanced(byNanoseconds: UInt64(bounded: random.uniform() * late))
      if visit > bus.now { bus.wait(nanoseconds: visit.nanoseconds - bus.now.nanoseconds) }
      runner.run { row in
        let x = row.inertial?.specificForce.map(\.components.x) ?? -1
        let number = Int(bounded: (x / CountingSurroundings.step).rounded())
        if let last {
          if number != (last.number + 1) % CountingSurroundings.modulus { jumps += 1 }
          if row.timestamp <= last.stamp { falls += 1 }
        }
        last = (number, row.timestamp)
        count += 1
        let start = begun ?? row.timestamp
        begun = start
        guard row.timestamp.seconds(since: start) > Self.learning else { return }
        guard let from = opened else { return opened = (count, row.timestamp) }
        let time = row.timestamp.seconds(since: from.stamp)
        guard time >= Self.window else { return }
        worst = max(worst, abs(Double(count - from.count) / time / trueRate - 1))
        opened = (count, row.timestamp)
      }
      guard runner.fault == nil else { break }
    }
    #expect(runner.fault?.description == nil)
    #expect(jumps == 0 && falls == 0, "\(jumps) jumps, \(falls) stamps that do not rise")
    #expect(worst < 0.001, "the rate is wrong by \(worst * 100) %")
    #expect(Double(count) > 0.99 * Self.seconds * trueRate)
  }
}

/// A chip whose clock is faster than the bus's by a factor, from an instant on: the times of resets
/// are not of interest here.
private final class SkewedChip: EmulatedChip {
  private let chip: any EmulatedChip
  private var factor = 1.0
  private var origin = Timestamp(nanoseconds: 0)

  init(_ chip: any EmulatedChip) { self.chip = chip }

  func skew(by factor: Double, from origin: Timestamp) {
    (self.factor, self.origin) = (factor, origin)
  }

  private func own(_ instant: Timestamp) -> Timestamp {
    guard instant > origin else { return instant }
    return origin.advanced(bySeconds: instant.seconds(since: origin) * factor)
  }
  func read(_ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp) {
    chip.read(register, into: bytes, at: own(instant))
  }
  func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    chip.write(bytes, to: register, at: own(instant))
  }
  func losePower(at instant: Timestamp) { chip.losePower(at: own(instant)) }
}

/// A specific force that grows by a step in each sampling period, and begins again.
private final class CountingSurroundings: Surroundings {
  static let modulus = 512
  /// 8 mg: two counts or more of every chip with ±8 g.
  static let step = 8e-3 * 9.806_65
  var period: UInt64 = 1_000_000

  func specificForce(at instant: Timestamp) -> SIMD3<Double> {
    let number = (instant.nanoseconds / period) % UInt64(Self.modulus)
    return SIMD3(Double(number) * Self.step, 0, 9.8)
  }
  /// It changes: a rate that stays the same for a minute is a fault.
  func angularRate(at instant: Timestamp) -> SIMD3<Double> {
    SIMD3(0.1 * Double(instant.nanoseconds / period % 2), 0, 0)
  }
  func field(at instant: Timestamp) -> SIMD3<Double> { .zero }
  func hectopascal(at instant: Timestamp) -> Double { 1000 }
  func celsius(at instant: Timestamp) -> Double { 20 }
}
