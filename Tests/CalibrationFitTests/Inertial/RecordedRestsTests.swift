import CalibrationFit
import Foundation
import Quantities
import TestSupport
import Testing

/// Rests of a real MEMS unit: the trials of BROAD (doi 10.3390/data6070072) begin and end lying
/// still.
@Suite(
  .enabled(if: SharedData.path("data/broad") != nil, "no reference data"), .timeLimit(.minutes(30)))
struct RecordedRestsTests {
  static let trials = ["02_undisturbed_slow_rotation_B", "12_undisturbed_slow_translation_C"]

  /// The rests of a trial.
  static func rests(_ trial: String) throws -> RestPositions {
    let bytes = try #require(SharedData.bytes("data/broad/\(trial).bin"))
    var positions = RestPositions()
    bytes.withUnsafeBytes { bytes in
      let rows = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      let columns = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      let hertz = bytes.loadUnaligned(fromByteOffset: 16, as: Double.self)
      for row in 0..<rows {
        func cell(_ column: Int) -> Double {
          Double(
            bytes.loadUnaligned(fromByteOffset: 32 + 4 * (row * columns + column), as: Float.self))
        }
        positions.update(
          rate: SIMD3(cell(1), cell(2), cell(3)), force: SIMD3(cell(4), cell(5), cell(6)),
          seconds: 1 / hertz)
      }
    }
    return positions
  }

  @Test(
    "rests before and after a motion agree on the bias within its sigma",
    arguments: trials)
  func agree(trial: String) throws {
    let positions = try Self.rests(trial)
    #expect(positions.rests.count >= 2)
    #expect(positions.rests.map(\.seconds).reduce(0, +) > 40)
    var (before, after) = (GyroscopeBiasEstimator(), GyroscopeBiasEstimator())
    try before.add(try #require(positions.rests.first))
    try after.add(try #require(positions.rests.last))
    let (a, b) = (try before.estimate(), try after.estimate())
    for axis in 0..<3 {
      let sigma = (a.sigma[axis] * a.sigma[axis] + b.sigma[axis] * b.sigma[axis]).squareRoot()
      #expect(within(3, a.bias[axis], b.bias[axis], sigma))
      #expect(a.sigma[axis] < 0.02 * degree)
    }
    #expect(a.bias.length > 0.1 * degree)
  }

  @Test(
    "the rests have gravity, and the missing sides are named", arguments: trials)
  func gravity(trial: String) throws {
    let positions = try Self.rests(trial)
    let force = try #require(positions.positions.first?.force)
    #expect(abs(force.length - 9.81) < 0.1)
    #expect(AccelerometerFit().missing(positions.positions).count == 5)
    #expect(throws: InertialFitError.self) { _ = try AccelerometerFit()(positions.positions) }
  }
}
