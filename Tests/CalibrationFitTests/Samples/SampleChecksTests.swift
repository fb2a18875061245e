import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("Checks of raw samples")
struct SampleChecksTests {
  /// What the checks say of a board's samples, each of which may be changed.
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

  @Test("a magnetometer that hangs is one while the board turns")
  func frozenMagnetometer() {
    let hang = { (s: inout SimulatedBoard.Sample) in
      s.field = s.field.map { _ in SIMD3(20, 5, -40) }
    }
    #expect(fault(.free, change: hang) == .frozenMagnetometer)
    #expect(fault(.level, change: hang) == .frozenMagnetometer)
    #expect(fault(.rest, change: hang) == nil)
  }

  @Test("a gyroscope that hangs is one while the board turns, at zero too", arguments: [0, 0.3])
  func frozenGyroscope(value: Double) {
    let hang = { (s: inout SimulatedBoard.Sample) in s.rate = SIMD3(repeating: value) }
    #expect(fault(.free, change: hang) == .frozenInertialUnit("gyroscope"))
    #expect(fault(.level, change: hang) == .frozenInertialUnit("gyroscope"))
  }

  @Test("an accelerometer that hangs is one while the board turns")
  func frozenAccelerometer() {
    let hang = { (s: inout SimulatedBoard.Sample) in s.force = SIMD3(0, 0, -9.81) }
    #expect(fault(.free, change: hang) == .frozenInertialUnit("accelerometer"))
    #expect(fault(.leaning, change: hang) == .frozenInertialUnit("accelerometer"))
  }

  @Test("a field that stands at the end of the range is saturated, with its share")
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

  @Test("every error is one plain sentence that says what to do")
  func sentences() {
    let errors: [CalibrationFitError] = [
      .tooFewSamples(found: 3, needed: 20), .tooLittleMotion("turn it"), .frozenMagnetometer,
      .frozenInertialUnit("gyroscope"), .saturated(share: 0.2), .inconsistent(share: 0.31),
      .notSolvable,
    ]
    for error in errors {
      let text = error.description
      #expect(text.count > 20 && !text.contains("\n") && !text.contains("CalibrationFit"))
      #expect(text.first?.isUppercase == false && text.last != ".")
    }
    #expect(errors[0].description.contains("3") && errors[0].description.contains("20"))
    #expect(errors[4].description.contains("20 %") && errors[5].description.contains("31 %"))
    #expect(errors[3].description.contains("gyroscope"))
  }
}
