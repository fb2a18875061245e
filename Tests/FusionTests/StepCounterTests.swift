import Foundation
import Fusion
import LinuxIO
import Quantities
import TestSupport
import Testing

private func at(_ seconds: Double) -> Timestamp {
  Timestamp(nanoseconds: UInt64(nanosecondsIn: 10 + seconds))
}

/// The vertical force of one on foot, m/s², a board's z along it.
private func walk(_ hertz: Double, _ size: Double) -> (Double) -> SIMD3<Double> {
  { t in
    let phase = 2 * Double.pi * hertz * t
    return SIMD3(0, 0, 9.81 + size * (sin(phase) + 0.4 * sin(2 * phase)))
  }
}

private func rest(_: Double) -> SIMD3<Double> { SIMD3(0, 0, 9.81) }

@Suite("The step counter", .timeLimit(.minutes(30)))
struct StepCounterTests {
  /// The steps of a force over a time.
  private func steps(
    _ counter: inout StepCounter, from start: Double = 0, seconds: Double, hertz: Double = 100,
    _ force: (Double) -> SIMD3<Double>
  ) -> Double {
    var sum = 0.0
    for i in 0..<Int(bounded: seconds * hertz) {
      let t = start + Double(i) / hertz
      sum += counter.update(force(t), at: at(t))?.steps ?? 0
    }
    return sum
  }

  @Test(
    "a steady rhythm has its steps, at any sampling, however the board lies",
    arguments: [(1.2, 0.7, 100.0), (1.8, 1.6, 50), (1.8, 1.6, 30), (2.7, 7, 200)])
  func steady(rate: Double, size: Double, hertz: Double) {
    var (upright, turned) = (StepCounter(), StepCounter())
    let axis = SIMD3(0.6, -0.64, 0.48)
    let force = walk(rate, size)
    let up =
      steps(&upright, seconds: 60, hertz: hertz, force)
      + steps(
        &upright, from: 60, seconds: 4, hertz: hertz, rest)
    let along =
      steps(&turned, seconds: 60, hertz: hertz) { axis * force($0).z }
      + steps(
        &turned, from: 60, seconds: 4, hertz: hertz
      ) { _ in axis * 9.81 }
    // Those before the first full window are not seen.
    #expect(abs(up - 58 * rate) < 0.03 * 60 * rate, "\(up)")
    #expect(abs(along - up) < 2, "\(along)")
  }

  @Test("rest, a jolt, and a vehicle's vibration have no steps")
  func noSteps() {
    var counter = StepCounter()
    #expect(steps(&counter, seconds: 60, rest) == 0)
    #expect(steps(&counter, from: 60, seconds: 20) { SIMD3(0, $0 < 60.3 ? 8 : 0, 9.81) } == 0)
    let engine = steps(&counter, from: 80, seconds: 60) {
      SIMD3(0, 0, 9.81 + 1.2 * sin(2 * .pi * 9.3 * $0))
    }
    #expect(engine == 0)
    // A swell of 7 s.
    #expect(
      steps(&counter, from: 140, seconds: 60) {
        SIMD3(0, 0, 9.81 + 1.2 * sin(2 * .pi * $0 / 7))
      } == 0)
  }

  @Test("a gap, a clock that went back and forces that are no numbers count nothing and do no harm")
  func gaps() {
    var counter = StepCounter()
    let force = walk(1.8, 1.6)
    let before = steps(&counter, seconds: 20, force)
    let after = steps(&counter, from: 500, seconds: 20, force)
    let again = steps(&counter, from: 0, seconds: 20, force)
    #expect(abs(after - before) < 1 && abs(again - before) < 1, "\(before) \(after) \(again)")
    #expect(counter.update(SIMD3(.nan, 0, 0), at: at(30)) == nil)
    #expect(steps(&counter, from: 20, seconds: 20, force) > 30)
  }

  @Test("the cadence is that of the walk, and there is none after it")
  func cadence() {
    var counter = StepCounter()
    var last: StepCounter.Progress?
    let force = walk(1.7, 1.4)
    for i in 0..<2000 {
      last = counter.update(force(Double(i) / 100), at: at(Double(i) / 100)) ?? last
    }
    #expect(abs((last?.cadenceHertz ?? 0) - 1.7) < 0.05)
    #expect(last.map { at(20).seconds(since: $0.time) < 3 } ?? false)
    for i in 2000..<2500 {
      last = counter.update(SIMD3(0, 0, 9.81), at: at(Double(i) / 100)) ?? last
    }
    #expect(last != nil && last?.cadenceHertz == nil)
  }
}

/// Recorded walks against counts that do not come from this code: `Benchmarks/steps` computes them
/// from the gyroscope's rhythm of strides, from a ridge of the whole spectrogram, from the peaks of
/// the vertical displacement, from the force without the part that the rotation explains, and from
/// the shocks. Force and gyroscope are taken for pockets and runs, force and displacement for hands
/// and ears, the last two for arms, which do not swing in step with the legs.
@Suite(
  "Recorded steps",
  .enabled(if: SharedData.path("data/phones") != nil, "the recorded walks are absent"),
  .timeLimit(.minutes(30)))
struct RecordedStepsTests {
  private static let walks: [String: [Double]] = [
    // Nexus 5, iPhone 4S, iPhone 5.
    "Dist_FrontPocket": [177.7, 161.8, 178.9],
    "NoDist_FrontPocket": [193.2, 192.4, 203.8],
    "Dist_Texting": [128.2, 125.1, 128.9],
    "NoDist_Texting": [135.0, 127.5, 138.5],
    "Dist_Phoning": [142.1, 116.6, 146.6],
    "NoDist_RunningHand": [328.6, 321.9, 306.6],
    "NoDist_RunningPocket": [329.9, 327.0, 313.4],
    "NoDist_Swinging": [158.3, 195.7, 205.7],
  ]
  private static let phones = ["Nexus5", "iPhone4S", "iPhone5"]

  @Test(
    "each group's sum of steps is within its limit",
    arguments: [
      ("FrontPocket", 0.03, 0.03), ("Texting", 0.03, 0.06), ("Phoning", 0.03, 0.07),
      ("Running", 0.02, 0.03), ("Swinging", 0.05, 0.08),
    ])
  func walks(group: String, ofSum: Double, ofEach: Double) throws {
    var (sum, truth) = (0.0, 0.0)
    for (carried, references) in Self.walks where carried.contains(group) {
      for (phone, reference) in zip(Self.phones, references) {
        let name = "Guillaume_\(phone)_\(carried)"
        let steps = try Self.steps("phones/\(name).csv.gz")
        #expect(abs(steps / reference - 1) < ofEach, "\(name): \(steps), not \(reference)")
        sum += steps
        truth += reference
      }
    }
    #expect(abs(sum / truth - 1) < ofSum, "\(group): \(sum), not \(truth)")
  }

  @Test(
    "cars and copters have no step, a plane few",
    arguments: [
      "car_compass", "car_position_only", "circles_car", "circles_car2", "copter", "copter_calm",
      "copter_low", "highway_with_compass", "plane_position_only",
    ])
  func vehicles(name: String) throws {
    let steps = try Self.steps("vehicles/\(name).csv")
    #expect(steps <= (name.hasPrefix("plane") ? 15 : 0), "\(steps)")
  }

  @Test(
    "a board that a hand turns, taps or lays down has no steps",
    arguments: [
      "broad/02_undisturbed_slow_rotation_B", "broad/04_undisturbed_slow_rotation_with_breaks_A",
      "broad/24_disturbed_tapping_A",
      "broad/26_disturbed_phone_vibration_A", "broad/28_disturbed_stationary_magnet_A",
      "tstick/TStick_Test02_Trial1", "tstick/TStick_Test05_Trial1",
    ])
  func hands(name: String) throws {
    let trial = try #require(BinaryTrial("data/\(name).bin"))
    var counter = StepCounter()
    var steps = 0.0
    for row in 0..<trial.rows {
      steps += counter.update(trial.force(row), at: at(Double(row) / trial.hertz))?.steps ?? 0
    }
    #expect(steps <= 5, "\(steps)")
  }

  /// The steps of a CSV, packed or not; at its end the board rests for 3 s.
  private static func steps(_ path: String) throws -> Double {
    let path = try #require(SharedData.path("data/" + path))
    let unpack = ChildProcess()
    unpack.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    unpack.arguments = ["gzip", "-dcf", path]
    let pipe = Pipe()
    unpack.standardOutput = pipe
    try unpack.start()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    unpack.waitOrKill()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let names = try #require(lines.first).split(separator: ",")
    let columns = try ["t", "ax", "ay", "az"].map { name in
      try #require(names.firstIndex { $0 == name })
    }
    var counter = StepCounter()
    var steps = 0.0
    var (last, mean) = (0.0, SIMD3<Double>.zero)
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = columns.compactMap { Double(cells[$0]) }
      guard numbers.count == 4 else { continue }
      let force = SIMD3(numbers[1], numbers[2], numbers[3])
      steps += counter.update(force, at: at(numbers[0]))?.steps ?? 0
      (last, mean) = (numbers[0], mean + (force - mean) * 0.02)
    }
    for i in 1...75 {
      steps += counter.update(mean, at: at(last + 0.04 * Double(i)))?.steps ?? 0
    }
    return steps
  }
}
