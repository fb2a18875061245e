import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("Checks of raw samples", .timeLimit(.minutes(30)))
struct SampleChecksTests {
  /// The checks' result for a board's samples after `change` was applied to each.
  private func fault(
    _ kind: SimulatedMotion.Kind, seconds: Double = 20,
    change: (inout SimulatedBoard.Sample) -> Void = { _ in }
  ) -> CalibrationFitError? {
    let board = SimulatedBoard(seed: 2)
    var checks = SampleChecks()
    for sample in board.samples(SimulatedMotion(kind, seed: 2), seconds: seconds) {
      var s = sample
      change(&s)
      checks.add(rate: s.rate, force: s.force, at: s.timestamp)
      if let m = s.field { checks.add(field: m) }
    }
    return checks.fault
  }

  private func rounded(_ v: SIMD3<Double>, to step: Double) -> SIMD3<Double> {
    (v / step).rounded(.toNearestOrEven) * step
  }

  @Test("healthy sensors have no fault, turned or not", arguments: SimulatedMotion.Kind.allCases)
  func healthy(kind: SimulatedMotion.Kind) {
    #expect(fault(kind) == nil)
    // Coarse chips and ones that are read twice as often as they measure.
    #expect(
      fault(kind) { s in
        s.field = s.field.map { rounded($0, to: 0.3) }
        s.rate = rounded(s.rate, to: 0.002)
        s.force = rounded(s.force, to: 0.02)
      } == nil)
    #expect(SampleChecks().fault == nil)
  }

  @Test("a frozen magnetometer is detected while the board turns")
  func frozenMagnetometer() {
    let hang = { (s: inout SimulatedBoard.Sample) in
      s.field = s.field.map { _ in SIMD3(20, 5, -40) }
    }
    #expect(fault(.free, change: hang) == .frozenMagnetometer)
    #expect(fault(.level, change: hang) == .frozenMagnetometer)
    #expect(fault(.rest, change: hang) == nil)
  }

  @Test("a frozen gyroscope is detected while the board turns, at zero too", arguments: [0, 0.3])
  func frozenGyroscope(value: Double) {
    let hang = { (s: inout SimulatedBoard.Sample) in s.rate = SIMD3(repeating: value) }
    #expect(fault(.free, change: hang) == .frozenInertialUnit("gyroscope"))
    #expect(fault(.level, change: hang) == .frozenInertialUnit("gyroscope"))
  }

  @Test("a frozen accelerometer is detected while the board turns")
  func frozenAccelerometer() {
    let hang = { (s: inout SimulatedBoard.Sample) in s.force = SIMD3(0, 0, -9.81) }
    #expect(fault(.free, change: hang) == .frozenInertialUnit("accelerometer"))
    #expect(fault(.leaning, change: hang) == .frozenInertialUnit("accelerometer"))
  }

  @Test("a field at the limit of the range is reported as saturated with its share")
  func saturated() throws {
    let found = fault(.free) { s in
      s.field = s.field.map {
        $0.clamped(lowerBound: SIMD3(-999, -999, -30), upperBound: SIMD3(20, 999, 999))
      }
    }
    guard case .saturated(let share) = try #require(found) else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(share > 0.03 && share < 0.9)
    // One sample at an extreme is every motion's.
    #expect(fault(.free) { s in s.field = s.field.map { rounded($0, to: 0.3) } } == nil)
  }

  /// The samples with one axis of the gyroscope in a range that is too narrow.
  private func clip(_ s: inout SimulatedBoard.Sample, faster: Double, range: Double) {
    s.rate = (s.rate * faster).clamped(
      lowerBound: SIMD3(repeating: -range), upperBound: SIMD3(repeating: range))
  }

  @Test("a gyroscope often at its limit during turns is reported with its share")
  func gyroscopeAtLimit() throws {
    let found = fault(.free) { s in clip(&s, faster: 6, range: 4.36) }
    guard case .gyroscopeAtLimit(let share) = try #require(found) else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(share > 0.1 && share < 0.9)
    // The same turning within the range is none.
    #expect(fault(.free) { s in clip(&s, faster: 6, range: 35) } == nil)
  }

  @Test("an accelerometer often at its limit is reported with its share")
  func accelerometerAtLimit() throws {
    let found = fault(.free) { s in
      let push = 40 * sin(2 * .pi * 2 * s.seconds)
      s.force = (s.force + SIMD3(push, 0, 0)).clamped(
        lowerBound: SIMD3(repeating: -19.6), upperBound: SIMD3(repeating: 19.6))
    }
    guard case .accelerometerAtLimit(let share) = try #require(found) else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(share > 0.25 && share < 0.9)
  }

  @Test("a sample that makes the orientation unreliable is reported, a short flat top is not")
  func loss() {
    var checks = SampleChecks(
      fullScale: SensorFullScale(radiansPerSecond: 4.36, metresPerSecondSquared: 19.6))
    var losses: [OrientationLoss?] = []
    for i in 0..<100 {
      let at = Timestamp(nanoseconds: UInt64(i) * 2_000_000)
      // Two hundredths of a second, then a tenth.
      let isFast = (20..<25).contains(i) || i >= 50
      losses.append(
        checks.add(rate: SIMD3(isFast ? 4.36 : 0.2, 0, 0), force: SIMD3(0, 0, -9.81), at: at))
    }
    #expect(losses[..<50].allSatisfy { $0 == nil })
    #expect(losses[75] == .yaw)
    let late = Timestamp(nanoseconds: 300_000_000)
    losses = [checks.add(rate: nil, force: SIMD3(19.6, 0, 0), at: late)]
    #expect(losses == [.level])
    // The ranges are the sensors' and stay.
    checks.forget()
    #expect(checks.shareAtRateEnd == 0)
    losses = [checks.add(rate: nil, force: SIMD3(19.6, 0, 0), at: late)]
    #expect(losses == [.level])
  }

  @Test("every error message is one line with what to do")
  func sentences() {
    let errors: [CalibrationFitError] = [
      .tooFewSamples(found: 3, needed: 20), .tooLittleMotion("turn it"), .frozenMagnetometer,
      .frozenInertialUnit("gyroscope"), .saturated(share: 0.2), .inconsistent(share: 0.31),
      .notSolvable, .gyroscopeAtLimit(share: 0.23), .accelerometerAtLimit(share: 0.31),
      .lagging(seconds: 0.15),
    ]
    for error in errors {
      let text = error.description
      #expect(text.count > 20 && !text.contains("\n") && !text.contains("CalibrationFit"))
      #expect(text.first?.isUppercase == false && text.last != ".")
    }
    #expect(errors[0].description.contains("3") && errors[0].description.contains("20"))
    #expect(errors[4].description.contains("20 %") && errors[5].description.contains("31 %"))
    #expect(errors[3].description.contains("gyroscope"))
    #expect(errors[7].description.contains("23 %") && errors[8].description.contains("31 %"))
    #expect(errors[9].description.contains("150 ms later"))
  }
}
