import Board
import Chips
import Quantities
import TestSupport
import Testing

@Suite("Samples that are no measurements", .timeLimit(.minutes(30)))
struct SampleCheckTests {
  /// The finding after a time of samples of a field, and when it began.
  private func finding(
    hertz: Double, seconds: Double, _ check: inout SampleCheck, from begin: Double = 0,
    _ field: (Int) -> SIMD3<Double>?
  ) throws -> (text: String, at: Double)? {
    for index in 0..<Int(bounded: hertz * seconds) {
      let t = begin + Double(index) / hertz
      let instant = try #require(Timestamp(seconds: t))
      check.add(
        field(index).map { .value(MagneticField(microtesla: $0)) } ?? .saturated, at: instant)
      if let text = check.fault { return (text, t) }
    }
    return nil
  }

  /// A resting sensor's field with the given noise, in counts.
  private func rest(count: Double, noise: Double) -> (Int) -> SIMD3<Double> {
    var random = SeededGenerator(seed: 7)
    return { _ in
      // The sum of twelve even numbers is nearly normal.
      func axis(_ mean: Double) -> Double {
        let sum = (0..<12).reduce(0.0) { sum, _ in
          sum + Double.random(in: -0.5..<0.5, using: &random)
        }
        return ((mean / count + sum * noise).rounded()) * count
      }
      return SIMD3(axis(20), axis(-3), axis(44))
    }
  }

  @Test("a field of zero is one within half a second, and is accepted again after good samples")
  func zero() throws {
    var check = SampleCheck()
    let found = try #require(
      try finding(hertz: 80, seconds: 2, &check) { _ in SIMD3(0, 0, 0) })
    #expect(found.text.contains("zero") && found.at < 0.6)
    // A rig's emulated chip has a new constant field.
    #expect(try finding(hertz: 80, seconds: 0.1, &check, from: 2) { _ in SIMD3(0, 0, 0) } != nil)
    let field = SIMD3<Double>(20, 0, 40)
    for index in 0..<3 {
      let instant = try #require(Timestamp(seconds: 3 + Double(index) / 80))
      #expect(check.fault != nil)
      check.add(.value(MagneticField(microtesla: field)), at: instant)
    }
    #expect(check.fault == nil)
  }

  @Test(
    "a resting chip is none, with counts five times its noise too",
    arguments: [(0.15, 0.4), (0.3, 0.25), (0.09, 2), (0.6, 0.2)])
  func resting(count: Double, noise: Double) throws {
    var check = SampleCheck()
    let field = rest(count: count, noise: noise)
    #expect(try finding(hertz: 100, seconds: 1800, &check, field) == nil)
  }

  @Test("a constant field is one after a minute, of a slow chip after 600 samples")
  func constant() throws {
    for (hertz, limit) in [(100.0, 60.0), (10, 60), (1, 600)] {
      var check = SampleCheck()
      let found = try #require(
        try finding(hertz: hertz, seconds: 2 * limit, &check) { _ in SIMD3(20, -3, 44) })
      #expect(found.text.contains("has not changed"))
      #expect(found.at >= limit - 1 && found.at <= limit + 2, "\(hertz) Hz: \(found.at) s")
      // The first sample after a restart may differ.
      _ = try finding(hertz: hertz, seconds: 5 / hertz, &check, from: 3 * limit) {
        $0 == 0 ? SIMD3(0.15, 1, 1) : SIMD3(20, -3, 44)
      }
      #expect(check.fault != nil)
    }
  }

  @Test("a field that no place on Earth has, and a chip that is always saturated, are ones")
  func impossible() throws {
    var weak = SampleCheck()
    let small = try finding(hertz: 50, seconds: 20, &weak) { SIMD3(0.15 * Double($0 % 3), 0.15, 0) }
    #expect(try #require(small).text.contains("no field of the Earth"))
    var saturated = SampleCheck()
    let limit = try finding(hertz: 50, seconds: 20, &saturated) { _ in nil }
    let found = try #require(limit)
    #expect(found.text.contains("beyond its range") && abs(found.at - 5) < 0.1)
    // The strongest field of the recordings, with a car's holder beside the phone.
    var strong = SampleCheck()
    let holder = rest(count: 0.15, noise: 2)
    #expect(
      try finding(hertz: 50, seconds: 60, &strong) { holder($0) + SIMD3(1000, 800, 0) } == nil)
  }

  private func unitFinding(
    hertz: Double, seconds: Double, rate: (Int) -> SIMD3<Double>?, force: (Int) -> SIMD3<Double>?
  ) throws -> (text: String, at: Double)? {
    var check = SampleCheck()
    for index in 0..<Int(bounded: hertz * seconds) {
      let t = Double(index) / hertz
      check.add(
        InertialReading(
          angularRate: rate(index).map { .value(AngularRate(components: $0)) },
          specificForce: force(index).map { .value(SpecificForce(components: $0)) }),
        at: try #require(Timestamp(seconds: t)))
      if let text = check.fault { return (text, t) }
    }
    return nil
  }

  @Test("a unit whose acceleration is zero or whose samples never change is one")
  func unit() throws {
    let noisy: (Int) -> SIMD3<Double> = { SIMD3(0.01 * Double($0 % 5), 0.1, 9.8) }
    let constant: (Int) -> SIMD3<Double> = { _ in SIMD3(0.01, 0.1, 9.8) }
    let zero: (Int) -> SIMD3<Double> = { _ in SIMD3(0, 0, 0) }
    let weightless = try unitFinding(hertz: 100, seconds: 5, rate: noisy, force: zero)
    #expect(try #require(weightless).text.contains("acceleration of exactly zero"))
    let stuck = try #require(
      try unitFinding(hertz: 100, seconds: 30, rate: constant, force: constant))
    #expect(stuck.text.contains("neither") && abs(stuck.at - 10) < 0.1)
    let gyroscope = try #require(try unitFinding(hertz: 100, seconds: 90, rate: zero, force: noisy))
    #expect(gyroscope.text.contains("angular rate") && abs(gyroscope.at - 60) < 0.1)
    // Coarse counts at rest: without a gyroscope only ten minutes prove it.
    #expect(try unitFinding(hertz: 100, seconds: 590, rate: { _ in nil }, force: constant) == nil)
    #expect(try unitFinding(hertz: 100, seconds: 610, rate: { _ in nil }, force: constant) != nil)
    #expect(try unitFinding(hertz: 100, seconds: 90, rate: noisy, force: noisy) == nil)
  }

  @Test("a pressure that is not that of air is one")
  func pressure() {
    for hectopascal in [0, -4, 1300, .nan] {
      var check = SampleCheck()
      check.add(hectopascal: hectopascal)
      #expect(check.fault?.contains("pressure") == true)
      for _ in 0..<3 { check.add(hectopascal: 1013) }
      #expect(check.fault == nil)
    }
  }
}
