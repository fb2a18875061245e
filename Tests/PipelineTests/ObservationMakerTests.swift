import CalibrationFit
import Foundation
import Pipeline
import Quantities
import Testing

@Suite("Observations of a board", .timeLimit(.minutes(30)))
struct ObservationMakerTests {
  /// A board that spins about its vertical at a rate in rad/s, sampled by a gyroscope with a range,
  /// at 100 Hz.
  private func observations(
    _ maker: inout ObservationMaker, from begin: Double, to end: Double, range: Double,
    spin: (Double) -> Double
  ) -> [FieldObservation] {
    var result: [FieldObservation] = []
    var yaw = 0.0
    for i in Int(bounded: begin * 100)..<Int(bounded: end * 100) {
      let t = Double(i) / 100
      let rate = spin(t)
      yaw += rate / 100
      let at = Timestamp(nanoseconds: UInt64(i) * 10_000_000)
      maker.add(
        InertialSample<SensorFrame>(
          timestamp: at,
          angularRate: AngularRate(
            components: SIMD3(0.001 * sin(9 * t), 0, min(max(rate, -range), range))),
          specificForce: SpecificForce(components: SIMD3(0, 0.01 * sin(7 * t), -9.806_65))))
      let field = SIMD3(20 * cos(yaw), -20 * sin(yaw), 43)
      let sample = FieldSample<SensorFrame>(
        timestamp: at, field: MagneticField(components: field))
      if let o = maker.add(sample) { result.append(o) }
    }
    return result
  }

  @Test("a saturated gyroscope stops the observations, then yaw starts again")
  func beyondRange() {
    var maker = ObservationMaker()
    let observed = observations(&maker, from: 0, to: 30, range: 4.36) { t in
      t > 10 && t < 14 ? 9 : 0.3
    }
    #expect(observed.contains { $0.timestamp.seconds < 10 && $0.stretch == 0 })
    #expect(!observed.contains { (11..<15).contains($0.timestamp.seconds) })
    let after = observed.filter { $0.timestamp.seconds > 16 }
    #expect(!after.isEmpty && after.allSatisfy { $0.stretch > 0 })
    #expect(maker.checks.shareAtRateEnd > 0.3)
  }

  @Test("a range that the driver gives is used from the first sample")
  func given() {
    var maker = ObservationMaker(fullScale: SensorFullScale(radiansPerSecond: 4.36))
    let observed = observations(&maker, from: 0, to: 20, range: 4.36) { t in t > 10 ? 4.4 : 0.3 }
    #expect(!observed.contains { $0.timestamp.seconds > 10.5 })
    maker.forgetFaults()
    #expect(maker.checks.shareAtRateEnd == 0)
  }
}
