import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct RandomStreamTests {
  @Test("The generator gives the sequence that its author published")
  func published() {
    // pcg32-demo of O'Neill's reference implementation, seed 42, stream 54.
    var stream = RandomStream(seed: 42, stream: 54)
    let bits = (0..<6).map { _ in stream.nextBits() }
    #expect(
      bits == [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e])
  }

  @Test(
    "The logarithm agrees with numpy",
    arguments: [
      (1e-300, -690.775_527_898_213_7), (0.1, -2.302_585_092_994_045_5),
      (0.5, -0.693_147_180_559_945_3), (0.7, -0.356_674_943_938_732_45),
      (0.999_999_999, -9.999_999_722_180_686e-10), (1.3, 0.262_364_264_467_491_06),
      (2, 0.693_147_180_559_945_3),
    ])
  func logarithm(x: Double, expected: Double) {
    #expect(abs(RandomStream.naturalLogarithm(x) - expected) <= 4e-16 * abs(expected))
  }

  @Test("Normal numbers have the mean, spread, symmetry and tails of the normal distribution")
  func normal() {
    var stream = RandomStream(seed: 7, stream: 1)
    let x = (0..<200_000).map { _ in stream.gaussian() }
    let (mean, deviation) = statistics(x)
    // Four standard errors: 4/sqrt(n), 4/sqrt(2n), 4 sqrt(6/n), 4 sqrt(24/n).
    #expect(abs(mean) < 0.009)
    #expect(abs(deviation - 1) < 0.0064)
    let skew = x.reduce(0) { $0 + $1 * $1 * $1 } / 200_000
    let kurtosis = x.reduce(0) { $0 + $1 * $1 * $1 * $1 } / 200_000
    #expect(abs(skew) < 0.022)
    #expect(abs(kurtosis - 3) < 0.05)
    // 0.27 % of a normal distribution lie beyond three sigma.
    let beyond = Double(x.filter { abs($0) > 3 }.count) / 200_000
    #expect(abs(beyond - 0.0027) < 0.0005)
  }

  @Test("Uniform numbers fill the unit interval and never reach its end")
  func uniform() {
    var stream = RandomStream(seed: 3, stream: 9)
    let x = (0..<100_000).map { _ in stream.uniform() }
    #expect(x.allSatisfy { $0 >= 0 && $0 < 1 })
    let (mean, deviation) = statistics(x)
    #expect(abs(mean - 0.5) < 0.004)
    #expect(abs(deviation - 0.288_675) < 0.003)
  }

  @Test("Two streams of one seed are independent")
  func independent() {
    var a = RandomStream(seed: 5, stream: 1)
    var b = RandomStream(seed: 5, stream: 2)
    let products = (0..<100_000).map { _ in a.gaussian() * b.gaussian() }
    #expect(abs(statistics(products).mean) < 0.013)
  }
}
