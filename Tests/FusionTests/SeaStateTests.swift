import Fusion
import Quantities
import RealModule
import Testing

@Suite("The state of the sea", .timeLimit(.minutes(30)))
struct SeaStateTests {
  /// One wave of a series.
  private struct Wave {
    var amplitude: Double
    var hertz: Double
    var phase: Double
  }

  /// A sea of sixty waves with a peak at 8 s.
  private static let waves: [Wave] = (1...60).map { number in
    let k = Double(number)
    let hertz = 0.05 + 0.006 * k + 0.0011 * Double.sin(k)
    let x = hertz * 8
    let density = Double.pow(x, -5) * Double.exp(-1.25 * Double.pow(x, -4))
    let turns = k * k * 0.618034
    return Wave(
      amplitude: 0.35 * density.squareRoot(), hertz: hertz,
      phase: 2 * .pi * (turns - turns.rounded(.down)))
  }

  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
  }

  /// The state after so many seconds of waves that run into a direction, of a body that follows the
  /// surface. An estimator without a high-pass.
  private func analysed(
    _ waves: [Wave], seconds: Int = 1153, into direction: Double = 0, hasNorth: Bool = true,
    lost: Range<Int> = 0..<0
  ) -> SeaState? {
    var sea = SeaStateEstimator(longestPeriod: .infinity)
    for i in 0..<seconds * 4 where !lost.contains(i / 4) {
      let t = Double(i) / 4
      var (height, forward) = (0.0, 0.0)
      for wave in waves {
        let w = 2 * Double.pi * wave.hertz
        height += wave.amplitude * Double.cos(w * t + wave.phase)
        forward -= w * w * wave.amplitude * Double.sin(w * t + wave.phase)
      }
      sea.update(
        heightMetres: height, north: forward * Double.cos(direction * .pi / 180),
        east: forward * Double.sin(direction * .pi / 180), hasNorth: hasNorth, at: time(t))
    }
    return sea.state
  }

  /// oceanlyz 2.0 (PyPI) computes of the same series Hm0 1.990 m, Tm02 6.018 s and a peak of 7.31 s
  /// by spectra, and by upward crossings a significant height of 1.898 m and a mean period of 6.12
  /// s.
  @Test("height and periods of a series are those of a second program, by spectra and by crossings")
  func secondProgram() throws {
    let state = try #require(analysed(Self.waves))
    let peak = try #require(state.peakPeriodSeconds)
    let mean = try #require(state.meanPeriodSeconds)
    // The means of a quarter of a second weaken short waves; they are corrected for it.
    #expect(abs(state.significantHeightMetres / 1.990 - 1) < 0.05, "\(state)")
    #expect(abs(mean / 6.018 - 1) < 0.05, "\(mean)")
    #expect(abs(peak / 7.31 - 1) < 0.1, "\(peak)")
    #expect(abs(state.significantHeightMetres / 1.898 - 1) < 0.1)
    #expect(abs(mean / 6.12 - 1) < 0.06)
  }

  @Test("one sine has its height, period and direction", arguments: [0.0, 45, 100, 200, 275])
  func sine(into direction: Double) throws {
    let wave = Wave(amplitude: 1, hertz: 0.125, phase: 0.3)
    let state = try #require(analysed([wave], into: direction))
    #expect(abs(state.significantHeightMetres - 4 * 0.5.squareRoot()) < 0.06)
    #expect(abs((state.peakPeriodSeconds ?? 0) - 8) < 0.05)
    #expect(abs((state.meanPeriodSeconds ?? 0) - 8) < 0.2)
    let from = try #require(state.direction)
    let error = (from - Angle(degrees: direction + 180)).wrappedToHalfTurn.degrees
    #expect(abs(error) < 1, "\(from.degrees)")
  }

  @Test("there is none before eleven minutes, after a gap, and no direction without a heading")
  func absent() {
    #expect(analysed(Self.waves, seconds: 600) == nil)
    #expect(analysed(Self.waves, seconds: 900, lost: 500..<510) == nil)
    #expect(analysed(Self.waves, seconds: 900, hasNorth: false)?.direction == nil)
    #expect(analysed(Self.waves, seconds: 900)?.direction != nil)
    var calm = Self.waves
    for i in calm.indices { calm[i].amplitude /= 100 }
    let state = analysed(calm, seconds: 900)
    #expect(state?.peakPeriodSeconds == nil && state?.direction == nil)
    #expect((state?.significantHeightMetres ?? 1) < 0.05)
  }

  @Test("waves that run across each other at random have no direction")
  func confused() {
    var sea = SeaStateEstimator(longestPeriod: .infinity)
    var random = SeededNoise(state: 7)
    for i in 0..<4000 {
      sea.update(
        heightMetres: random.next(), north: random.next(), east: random.next(), hasNorth: true,
        at: time(Double(i) / 4))
    }
    #expect(sea.state != nil && sea.state?.direction == nil)
  }
}

/// Evenly distributed noise of -1 to 1, the same on every machine.
private struct SeededNoise {
  var state: UInt64
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / 4_503_599_627_370_496 - 1
  }
}
