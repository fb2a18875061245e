import ArgumentParser
import Foundation
import Quantities
import Simulation
import Study

/// Simulated worlds with wrong axes, units and scales.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Wrong axes, units and scales of simulated boards, 90 s each.")

  @Option(help: "Seeds of each world.")
  var seeds: UInt64 = 20

  /// The motions, with what is asked of them: a turn about one axis shows a part of the axes.
  static let motions: [(String, Scenario)] = [
    ("hand", .handheldTumbling), ("hand, iron 30 to 60 uT", .calibrationByHand),
    ("boat", .sailingBoat), ("car", .carDrive), ("walk", .acceptance),
  ]

  /// Ten units and four scales.
  private static let scales: [(String, SampleQuantity, Double)] = [
    ("milligauss", .field, 10), ("gauss", .field, 0.01), ("nanotesla", .field, 1000),
    ("tesla", .field, 1e-6), ("degrees/s", .rate, 180 / .pi), ("mrad/s", .rate, 1000),
    ("g", .force, 1 / 9.806_65), ("mg", .force, 1000 / 9.806_65), ("kPa", .pressure, 0.1),
    ("inHg", .pressure, 0.029_53), ("field x 0.25", .field, 0.25), ("rate x 2", .rate, 2),
    ("force x 0.5", .force, 0.5), ("force x 2", .force, 2),
  ]

  func run() throws {
    let start = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    for (name, scenario) in Self.motions {
      let worlds = try (1...seeds).map { seed -> Samples in
        var world = scenario
        if scenario.calibration == .assumed, seed % 2 == 0 {
          world.magnetometer?.hardIron = MagneticField(
            microtesla: SIMD3(
              Double(seed % 7) * 6 - 18, Double(seed % 5) * 8 - 16, Double(seed % 3) * 10 - 10))
        }
        return try Samples(world, seed: seed, seconds: 90, startUTC: start)
      }
      for sensor in Tally.sensors {
        let tally = Tally.ofAxes(sensor.quantity, in: worlds, hasGyroscope: sensor.hasGyroscope)
        print("\(name), \(sensor.name): \(tally.text)")
      }
      for (label, quantity, factor) in Self.scales {
        let tallies = parallel(worlds.count) { n in
          var tally = Tally()
          let mistake = Mistake(
            quantity: quantity, matrix: Matrix3.identity * factor, axes: nil)
          tally.add(Answer(worlds[n], mistake), mistake)
          return tally
        }
        print("\(name), \(label): \(Tally.sum(tallies).text)")
      }
    }
  }
}

/// Right boards for hours.
struct HoursCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hours",
    abstract:
      "False alarms of right boards, with noise, iron, disturbances and sensors at their limits.")

  @Option(help: "Hours of each kind of motion.")
  var hours = 100

  @Option(help: "Only the motion of this name.")
  var only: String?

  func run() throws {
    let start = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    for (name, scenario) in SimulateCommand.motions where only == nil || only == name {
      for hasGyroscope in [true, false] {
        let answers = parallel(hours) { n -> Answer? in
          var world = scenario
          var random = SplitMix(UInt64(n) &* 7919 &+ 3)
          // From minus `size` to `size`.
          func draw(_ size: Double) -> Double {
            (Double(random.next() >> 11) / 4_503_599_627_370_496 - 1) * size
          }
          world.magnetometer?.hardIron = MagneticField(
            microtesla: SIMD3(draw(60), draw(60), draw(60)))
          if n % 3 == 1 {
            world.disturbances = (0..<6).map { k in
              let from = Double(k) * 600 + 60
              return .laidDown(
                fromSeconds: from, toSeconds: from + 120 + draw(100),
                field: MagneticField(microtesla: SIMD3(draw(40), draw(40), draw(40))))
            }
          }
          guard
            var samples = try? Samples(world, seed: UInt64(n), seconds: 3600, startUTC: start)
          else { return nil }
          if n % 3 == 2 {
            samples = samples.clipped(
              rate: 3 + draw(2.5), force: 16 + draw(5), field: 80 + draw(40))
          }
          return Answer(
            samples, named: "\(n)", hasGyroscope: hasGyroscope,
            mounting: name == "car" ? AxisMount.standard.rotation : nil)
        }.compactMap { $0 }
        let alarms = answers.filter { $0.found != nil }
        print(
          "\(name)\(hasGyroscope ? "" : ", no gyroscope"): \(answers.count) h, false alarms \(alarms.count)"
            + alarms.prefix(3).map {
              "; in hour \($0.name), after \($0.found ?? 0) s: \($0.first.map { "\($0)" } ?? "")"
            }.joined())
      }
    }
  }
}
