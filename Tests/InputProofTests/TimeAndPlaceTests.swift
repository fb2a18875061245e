import InputProof
import Quantities
import Simulation
import Testing

@Suite("Proof of stamps, forward axis and barometer", .timeLimit(.minutes(30)))
struct TimeAndPlaceTests {
  private func rows(_ scenario: Scenario, seconds: Double) throws -> [SensorSamples] {
    var scenario = scenario
    scenario.durationSeconds = seconds
    let start = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    return try SimulatedWorld(scenario: scenario, seed: 3, startUTC: start).map { $0.row }
  }

  private func proof(
    _ rows: [SensorSamples], vehicleMounting: Rotation<SensorFrame, BodyFrame>? = nil
  ) -> InputProof {
    var proof = InputProof(hasSourcedMount: true, vehicleMounting: vehicleMounting)
    for row in rows { proof.add(row) }
    return proof
  }

  private func moved(_ t: Timestamp, by seconds: Double) -> Timestamp {
    t.advanced(bySeconds: seconds + 1)
  }

  /// The rows with the stamps of the magnetometer or of the inertial unit later, in order of time.
  private func late(
    _ rows: [SensorSamples], _ quantity: SampleQuantity, by seconds: Double
  ) -> [SensorSamples] {
    rows.flatMap { row -> [SensorSamples] in
      var field = SensorSamples(
        timestamp: moved(row.timestamp, by: quantity == .field ? seconds : 0))
      field.field = row.field.map { FieldSample(timestamp: field.timestamp, field: $0.field) }
      var force = SensorSamples(
        timestamp: moved(row.timestamp, by: quantity == .force ? seconds : 0))
      force.inertial = row.inertial?.specificForce.map {
        InertialSample(timestamp: force.timestamp, angularRate: nil, specificForce: $0)
      }
      var rate = SensorSamples(timestamp: moved(row.timestamp, by: quantity == .rate ? seconds : 0))
      rate.inertial = row.inertial?.angularRate.map {
        InertialSample(timestamp: rate.timestamp, angularRate: $0, specificForce: nil)
      }
      return [field, force, rate]
    }
    .sorted { $0.timestamp < $1.timestamp }
  }

  @Test(
    "late and early stamps of each sensor are named",
    arguments: [SampleQuantity.field, .rate, .force], [0.3, -0.25, 0.4])
  func delays(quantity: SampleQuantity, seconds: Double) throws {
    let rows = try rows(.handheldTumbling, seconds: 120)
    let verdicts = proof(late(rows, quantity, by: seconds)).verdicts
    guard case .delay(quantity, let found)? = verdicts.fault else {
      Issue.record("\(quantity) \(seconds): \(String(describing: verdicts.fault))")
      return
    }
    #expect(abs(found - seconds) < 0.08, "\(found)")
    #expect(verdicts.time == .contradicted)
  }

  @Test("right stamps are proven, and a delay widens the accuracy by what the board turns in it")
  func doubt() throws {
    let rows = try rows(.handheldTumbling, seconds: 120)
    let right = proof(late(rows, .field, by: 0))
    #expect(right.verdicts.time == .proven && right.verdicts.fault == nil && right.doubt == .zero)
    let wrong = proof(late(rows, .field, by: 0.3))
    #expect(wrong.doubt.degrees > 5 && wrong.doubt.degrees < 180)
    #expect(wrong.verdicts.headingFault == nil)
  }

  @Test("the direction in which a car drives is found, and only judged in a car")
  func forward() throws {
    let rows = try rows(.carDrive, seconds: 400)
    let standard = AxisMount.standard.rotation
    let right = proof(rows, vehicleMounting: standard)
    #expect(right.verdicts.forward == .proven && right.verdicts.fault == nil)
    for degrees in [90.0, 180, -120] {
      // A board that is turned to the right finds the drive to its left.
      let turn = Rotation<BodyFrame, BodyFrame>(
        rotationVector: SIMD3(0, 0, Angle(degrees: degrees).radians))
      let turned = proof(rows, vehicleMounting: turn * standard)
      guard case .forward(let angle)? = turned.verdicts.fault else {
        Issue.record("\(degrees): \(String(describing: turned.verdicts.fault))")
        continue
      }
      #expect(abs((angle - Angle(degrees: degrees)).wrappedToHalfTurn.degrees) < 15, "\(angle)")
      #expect(turned.doubt.degrees > min(abs(degrees), 179))
    }
    #expect(proof(rows).verdicts.forward == .unproven)
  }

  /// Pressures at heights of a climb, with a receiver.
  private func climb(
    _ change: (inout PressureSample, Int) -> Void = { _, _ in },
    stamps: (Double) -> Double = { $0 }
  ) -> InputVerdicts {
    var proof = InputProof()
    for i in 0..<600 {
      let t = Timestamp(nanoseconds: UInt64(nanosecondsIn: 1 + stamps(Double(i))))
      let height = 100 + Double(i % 300)
      var row = SensorSamples(timestamp: t)
      var sample = PressureSample(
        timestamp: t, hectopascal: 1013.25 * Self.power(1 - 2.25577e-5 * height), celsius: 20)
      change(&sample, i)
      row.pressure = sample
      var fix = Fix(timestamp: t, kind: .threeDimensional)
      fix.altitudeMetres = height
      fix.speedMetresPerSecond = 3
      fix.utc = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000 + Int64(i) * 1_000_000_000)
      row.fix = fix
      proof.add(row)
    }
    return proof.verdicts
  }

  private static func power(_ x: Double) -> Double {
    var result = 1.0
    for _ in 0..<5 { result *= x }
    // x to the power of 0.25588 is nearly linear beside 1.
    return result * (1 + 0.25588 * (x - 1))
  }

  @Test("a barometer that follows a receiver's height is proven")
  func barometer() {
    let verdicts = climb()
    #expect(verdicts.pressure == .proven && verdicts.fault == nil)
  }

  @Test("two barometers, a wrong thermometer and a closed box are named")
  func barometerFaults() {
    let apart = twoBarometers(apart: 9)
    guard case .pressure(.two(let found))? = apart.fault else {
      Issue.record("\(String(describing: apart.fault))")
      return
    }
    #expect(abs(found - 9) < 1)
    #expect(twoBarometers(apart: 2).fault == nil)
    let hot = climb({ sample, _ in sample.celsius = 131 })
    #expect(hot.fault == .pressure(.thermometer(celsius: 131)))
    let closed = climb({ sample, _ in sample.hectopascal = 990 })
    guard case .pressure(.fall)? = closed.fault else {
      Issue.record("\(String(describing: closed.fault))")
      return
    }
    #expect(closed.headingFault == nil && closed.pressure == .contradicted)
  }

  @Test("a garbled sample, spikes and the weather of a slow climb contradict no barometer")
  func rightBarometers() {
    let garbled = climb({ sample, i in if i == 4 { sample.hectopascal = 250 } })
    #expect(garbled.fault == nil && garbled.pressure == .proven)
    var spikes = InputProof()
    for i in 0..<(25 * 60) {
      let t = Timestamp(nanoseconds: 1_000_000_000 + UInt64(i) * 40_000_000)
      var row = SensorSamples(timestamp: t)
      row.pressure = PressureSample(
        timestamp: t, hectopascal: i % 100 == 50 ? 1010 : 1000, celsius: 20)
      spikes.add(row)
    }
    #expect(spikes.verdicts.fault == nil)
    // 90 m in eight hours, while the weather falls by 6 hPa.
    var slow = InputProof()
    for i in 0..<(8 * 360) {
      let (t, share) = (
        Timestamp(nanoseconds: UInt64(1 + i * 10) * 1_000_000_000), Double(i) / 2880
      )
      var row = SensorSamples(timestamp: t)
      row.pressure = PressureSample(
        timestamp: t,
        hectopascal: 1013.25 * Self.power(1 - 2.25577e-5 * (100 + 90 * share)) - 6 * share,
        celsius: 20)
      var fix = Fix(timestamp: t, kind: .threeDimensional)
      fix.altitudeMetres = 100 + 90 * share
      row.fix = fix
      slow.add(row)
    }
    #expect(slow.verdicts.fault == nil && slow.verdicts.pressure == .proven)
  }

  private func twoBarometers(apart: Double) -> InputVerdicts {
    var proof = InputProof()
    for i in 0..<200 {
      let t = Timestamp(nanoseconds: 1_000_000_000 + UInt64(i) * 50_000_000)
      var row = SensorSamples(timestamp: t)
      row.pressure = PressureSample(
        timestamp: t, hectopascal: 1000 + (i % 2 == 0 ? 0 : apart), celsius: 20)
      proof.add(row)
    }
    return proof.verdicts
  }

  @Test("a clock of stamps that runs at another rate is found by a receiver's time")
  func clock() {
    let right = climb()
    #expect(right.time != .contradicted)
    let slow = climb(stamps: { $0 * 0.9 })
    guard case .clock(let factor)? = slow.fault else {
      Issue.record("\(String(describing: slow.fault))")
      return
    }
    #expect(abs(factor - 1 / 0.9) < 0.01)
    #expect(slow.time == .contradicted)
  }
}
