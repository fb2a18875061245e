import Fusion
import Quantities
import Testing

@Suite("Attitude by the available sensors", .timeLimit(.minutes(30)))
struct AttitudeEstimatorTests {
  @Test("lost and regained sensors change the mode without a heading jump")
  func modes() throws {
    var filter = AttitudeEstimator()
    var bench = Bench(gyroscopeBias: SIMD3(0.01, 0, -0.01))
    let still = { (t: Double) in degrees(100 + t, 3 * wave(t / 7), 6 * wave(t / 5)) }
    typealias Sensors = (gyroscope: Bool, accelerometer: Bool, field: Bool)
    let course: [(Sensors, AttitudeMode)] = [
      ((true, true, true), .nineAxis), ((true, true, false), .gyroscopeAndAccelerometer),
      ((true, true, true), .nineAxis), ((false, true, true), .accelerometerAndMagnetometer),
      ((true, true, true), .nineAxis), ((false, false, true), .magnetometer),
      ((true, true, true), .nineAxis),
    ]
    var t = 0.0
    var last: Angle?
    for (sensors, mode) in course {
      bench.hasGyroscope = sensors.gyroscope
      bench.hasAccelerometer = sensors.accelerometer
      for _ in 0..<200 {
        _ = bench.run(
          &filter, from: t, seconds: 0.1, check: 0, hasField: sensors.field, motion: still)
        t += 0.1
        let heading = try #require(filter.solution).attitude.attitudeAngles.heading
        if let last {
          // Level assumed in a body that rolls by six degrees bends heading by as much, smoothly.
          let jump = (heading - last).wrappedToHalfTurn.degrees
          #expect(abs(jump) < 3, "at \(t) s, \(mode), \(String(describing: filter.solution?.mode))")
        }
        last = heading
      }
      #expect(filter.solution?.mode == mode)
    }
    let truth = still(t).heading
    let error = (try #require(last) - truth).wrappedToHalfTurn.degrees
    #expect(abs(error) < 3)
  }

  @Test(
    "rotating the sensor's axes rotates the result and nothing else",
    arguments: 1...8 as ClosedRange<UInt64>)
  func equivariance(seed: UInt64) throws {
    var noise = Noise(seed: seed)
    let axes = try #require(
      Rotation<BodyFrame, BodyFrame>(
        w: noise.next(), x: noise.next(), y: noise.next(), z: noise.next()))
    var (plain, turned) = (AttitudeEstimator(), AttitudeEstimator())
    var bench = Bench(gyroscopeBias: SIMD3(0.01, -0.02, 0.01))
    var other = bench
    other.axes = axes
    for part in 0..<4 {
      let iron = part == 2 ? SIMD3<Double>(12, -20, 7) : .zero
      _ = bench.run(
        &plain, from: 15 * Double(part), seconds: 15, check: 1, extraField: iron, motion: boat)
      _ = other.run(
        &turned, from: 15 * Double(part), seconds: 15, check: 1, extraField: iron, motion: boat)
      let (a, b) = (try #require(plain.solution), try #require(turned.solution))
      #expect((b.attitude * axes * a.attitude.inverse).angle.degrees < 1e-6)
      #expect(
        abs(try #require(a.headingAccuracy).degrees - #require(b.headingAccuracy).degrees) < 1e-6)
    }
  }

  @Test("a restored state gives identical results to the bit", arguments: [0.0, 0.35, 12, 70])
  func saved(seconds: Double) throws {
    var first = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&first, seconds: seconds, check: 0, motion: boat)
    let words = first.saved()
    #expect(words.count * 8 < 8192)
    var second = AttitudeEstimator()
    #expect(second.restore(words) == true)
    #expect(second.saved() == words)
    var again = bench
    for step in 0..<5 {
      let from = seconds + 3 * Double(step)
      _ = bench.run(&first, from: from, seconds: 3, check: 0, motion: boat)
      _ = again.run(&second, from: from, seconds: 3, check: 0, motion: boat)
      #expect(first.solution == second.solution)
    }
    #expect(first.saved() == second.saved())
  }

  @Test("a state that is cut, longer or of another version is rejected without a change")
  func brokenState() {
    var filter = AttitudeEstimator()
    var bench = Bench()
    _ = bench.run(&filter, seconds: 5, check: 0, motion: boat)
    let words = filter.saved()
    var other = AttitudeEstimator()
    let faults: [[UInt64]] = [
      [], Array(words.dropLast()), words + [0], [words[0] ^ 1] + words.dropFirst(),
      words.map { _ in 3 },
    ]
    for broken in faults {
      #expect(other.restore(broken) == false && other.solution == nil)
    }
  }

  @Test(
    "heading holds at any rate, with a slow magnetometer, lost samples and jitter",
    arguments: [(20.0, 1, 0), (50, 5, 0), (100, 10, 3), (400, 40, 5), (1000, 10, 0)])
  func rates(hertz: Double, everyField: Int, lostOfTen: Int) throws {
    var filter = Uneven(every: everyField, lost: lostOfTen)
    var bench = Bench(rate: hertz)
    let error = bench.run(&filter, seconds: 60, check: 30, motion: boat)
    #expect(error.heading < 3 && error.tilt < 1.5)
  }
}

/// Passes on a part of the samples, with stamps that tremble.
private struct Uneven: AttitudeFilter {
  var filter = AttitudeEstimator()
  let every: Int
  let lost: Int
  var count = 0

  var solution: AttitudeSolution? { filter.solution }

  init(every: Int, lost: Int) {
    self.every = every
    self.lost = lost
  }

  mutating func update(_ sample: InertialSample<BodyFrame>) {
    count += 1
    guard (count &* 7) % 10 >= lost else { return }
    var late = sample
    late.timestamp = Timestamp(
      nanoseconds: sample.timestamp.nanoseconds + UInt64((count &* 7919) % 300) * 1000)
    filter.update(late)
  }

  mutating func update(_ sample: FieldSample<BodyFrame>) {
    if count % every == 0 { filter.update(sample) }
  }
}
