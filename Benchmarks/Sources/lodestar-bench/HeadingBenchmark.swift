import Foundation
import Fusion
import Quantities

/// A trial of `../shared/data/broad` as samples in memory.
struct Trial {
  var inertial: [InertialSample<BodyFrame>] = []
  var field: [FieldSample<BodyFrame>] = []

  /// Format: `trial.py` of the reference data's tools.
  init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path), data.count > 32,
      data.prefix(6) == Data("BROAD1".utf8)
    else { throw BenchmarkError("\(path): not a trial; expected a .bin file of data/broad") }
    data.withUnsafeBytes { bytes in
      let rows = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      let columns = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      let hertz = bytes.loadUnaligned(fromByteOffset: 16, as: Double.self)
      let mount = AxisMount.standard.rotation
      for row in 0..<rows {
        func vector(_ first: Int) -> SIMD3<Double> {
          func cell(_ c: Int) -> Double {
            Double(
              bytes.loadUnaligned(
                fromByteOffset: 32 + 4 * (row * columns + first + c), as: Float.self))
          }
          return SIMD3(cell(0), cell(1), cell(2))
        }
        let at = Timestamp(nanoseconds: UInt64((Double(row) / hertz * 1e9).rounded()))
        inertial.append(
          InertialSample(
            timestamp: at, angularRate: AngularRate(components: mount.rotate(vector(1))),
            specificForce: SpecificForce(components: mount.rotate(vector(4)))))
        field.append(
          FieldSample(timestamp: at, field: MagneticField(components: mount.rotate(vector(7)))))
      }
    }
  }
}

func benchmarkHeading(_ path: String) throws {
  let trial = try Trial(path: path)
  let measurement = Measurement(rounds: 15) {
    var filter = StrapdownFilter()
    for i in trial.inertial.indices {
      filter.update(trial.inertial[i])
      filter.update(trial.field[i])
    }
    precondition(filter.solution != nil)
    return trial.inertial.count
  }
  try measurement.report()
}
