import Chips
import LinuxIO
import Quantities
import Testing

@Suite("The rate of a kernel's driver without a list of rates", .timeLimit(.minutes(30)))
struct IIORateTests {
  /// EINVAL and EACCES.
  private static let (invalid, forbidden): (Int32, Int32) = (22, 13)

  /// A driver that takes some numbers as rates of its own, and refuses others.
  private func settled(
    on requested: Double, from first: Double, _ take: (Double) -> Result<Double, Refusal>
  ) -> (rate: Double, writes: Int) {
    var (rate, writes) = (first, 0)
    IIORate.setNearest(requested, read: { rate }) { text in
      writes += 1
      guard let number = Double(text) else { return Self.invalid }
      switch take(number) {
      case .success(let taken):
        rate = taken
        return 0
      case .failure(let refusal): return refusal.code
      }
    }
    return (rate, writes)
  }

  private struct Refusal: Error { let code: Int32 }

  /// As Linux dps310.c: the power of two at or below a number, up to 128.
  private func powerOfTwo(_ number: Double) -> Result<Double, Refusal> {
    guard (1...128).contains(number) else { return .failure(Refusal(code: Self.invalid)) }
    var rate = 1.0
    while 2 * rate <= number { rate *= 2 }
    return .success(rate)
  }

  @Test(
    "the DPS310's driver, which rounds down to a power of two, gets a rate not below the requested one",
    arguments: [(1.0, 1.0), (25, 32), (16, 16), (12.5, 16), (100, 64), (128, 128), (200, 64)])
  func roundingDown(requested: Double, rate: Double) {
    #expect(settled(on: requested, from: 1, powerOfTwo).rate == rate)
  }

  @Test("a driver that takes the number is written once, and one that has it already not at all")
  func exact() {
    #expect(settled(on: 12.5, from: 1) { .success($0) } == (12.5, 1))
    #expect(settled(on: 25, from: 25) { .success($0) } == (25, 0))
    #expect(settled(on: 25, from: 1) { _ in .success(40) } == (40, 1))
  }

  @Test("whole numbers are written to a driver that refuses others")
  func whole() {
    let result = settled(on: 12.5, from: 1) {
      $0 == $0.rounded() ? .success($0) : .failure(Refusal(code: Self.invalid))
    }
    #expect(result == (13, 2))
  }

  @Test("a driver that refuses everything, or that this user may not write, stays as it is")
  func refusing() {
    #expect(settled(on: 25, from: 10) { _ in .failure(Refusal(code: Self.invalid)) }.rate == 10)
    let result = settled(on: 25, from: 10) { _ in .failure(Refusal(code: Self.forbidden)) }
    #expect(result == (10, 1))
  }

  @Test("the kernel's DPS310 is read at the rate that the board file requests")
  func barometer() throws {
    let tree = try IIOTree(driver: "dps310", address: 0x77)
    try tree.node(
      0,
      [
        "name": "dps310", "in_pressure_input": "101.325", "in_temp_input": "20000",
        "in_pressure_sampling_frequency": "1", "in_temp_sampling_frequency": "1",
      ])
    let device = try tree.found(address: 0x77)
    var driver = try #require(
      device.driver(for: .dps310, settings: ChipSettings(rateHertz: 32)) as? any Barometer)
    try driver.start()
    #expect(try tree.read("in_pressure_sampling_frequency") == "32")
    // Its driver waits for a temperature at each reading.
    #expect(try tree.read("in_temp_sampling_frequency") == "32")
    #expect(driver.rateHertz == 32)
  }
}
