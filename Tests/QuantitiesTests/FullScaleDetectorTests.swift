import Foundation
import Quantities
import Testing

@Suite("The end of a sensor's range", .timeLimit(.minutes(30)))
struct FullScaleDetectorTests {
  /// Samples of a swing about x at 100 Hz, cut off at a limit, and which of them were found at it.
  private func found(
    amplitude: Double, limit: Double, range: Double? = nil, seconds: Double = 10,
    gain: (Double) -> Double = { _ in 1 }
  ) -> (detector: FullScaleDetector, atEnd: [Bool], isCut: [Bool]) {
    var detector = FullScaleDetector(fullScale: range, least: FullScaleDetector.leastRate)
    var (atEnd, isCut): ([Bool], [Bool]) = ([], [])
    for i in 0..<Int(bounded: 100 * seconds) {
      let t = Double(i) / 100
      let rate = amplitude * sin(2 * .pi * 0.9 * t)
      let reported = min(max(rate, -limit), limit) * gain(t)
      let side = detector.add(SIMD3(reported, 0.3 * cos(3 * t), 0.1))
      atEnd.append(side == SIMD3(reported < 0 ? -1 : 1, 0, 0))
      isCut.append(abs(rate) > limit)
    }
    return (detector, atEnd, isCut)
  }

  @Test("flat tops are detected from the second swing, and nothing else")
  func flatTop() {
    let (detector, atEnd, isCut) = found(amplitude: 9, limit: 4.36)
    #expect(abs(detector.limit - 4.36) < 0.05)
    let later = 120..<atEnd.count
    #expect(later.allSatisfy { !isCut[$0] || atEnd[$0] })
    // The last two hundredths below the limit count as at it.
    let falseAlarms = later.count { atEnd[$0] && !isCut[$0] }
    #expect(Double(falseAlarms) < 0.05 * Double(later.count))
  }

  @Test("a drifting flat top of a calibrated sensor is detected too")
  func driftingTop() {
    let (detector, atEnd, isCut) = found(amplitude: 9, limit: 4.36) { 1 + 0.0005 * $0 }
    #expect(detector.limit.isFinite)
    let cut = (120..<atEnd.count).filter { isCut[$0] }
    #expect(cut.allSatisfy { atEnd[$0] })
  }

  @Test("the crest of a fast motion is not a limit", arguments: [4.0, 9, 25])
  func crest(amplitude: Double) {
    let (detector, atEnd, _) = found(amplitude: amplitude, limit: 100)
    #expect(detector.limit == .infinity && !atEnd.contains(true))
  }

  @Test("a given range applies from the first sample")
  func given() {
    let (detector, atEnd, isCut) = found(amplitude: 9, limit: 4.36, range: 4.36)
    #expect(detector.limit == 4.36)
    #expect(atEnd.indices.allSatisfy { !isCut[$0] || atEnd[$0] })
  }

  @Test("a larger value shows that a flat top was not the limit")
  func further() {
    var detector = FullScaleDetector(least: FullScaleDetector.leastRate)
    for x in [0, 2, 4, 5, 5, 5, 5] as [Double] { _ = detector.add(SIMD3(x, 0, 0)) }
    #expect(detector.limit == 5)
    #expect(detector.add(SIMD3(7, 0, 0)) == .zero && detector.limit == .infinity)
  }

  @Test("a step across a gap is not a corner")
  func gap() {
    var detector = FullScaleDetector(least: FullScaleDetector.leastRate)
    _ = detector.add(SIMD3(1, 0, 0))
    detector.interrupt()
    for _ in 0..<10 { #expect(detector.add(SIMD3(5, 0, 0)) == .zero) }
  }
}
