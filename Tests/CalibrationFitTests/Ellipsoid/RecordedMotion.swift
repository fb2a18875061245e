import CalibrationFit
import Quantities
import TestSupport
import Testing

/// A trial of BROAD as `trial.py` of the reference data describes it: what was measured along the
/// sensor's axes, and the optical truth.
struct RecordedMotion {
  enum OpticalFrame: Frame {}

  var hertz: Double
  var force: [SIMD3<Double>] = []
  var field: [SIMD3<Double>] = []
  /// Sensor to x east, y magnetic north, z up; nil where the cameras saw nothing.
  var truth: [Matrix3?] = []
  var isMoving: [Bool] = []

  init(_ name: String) throws {
    let bytes = try #require(SharedData.bytes("data/broad/" + name))
    func number<T>(_ at: Int, _: T.Type) -> T {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: T.self) }
    }
    let rows = Int(number(8, UInt32.self))
    hertz = number(16, Double.self)
    for row in 0..<rows {
      func cells(_ first: Int) -> SIMD3<Double> {
        let at = 32 + 4 * (14 * row + first)
        let (a, b, c) = (
          number(at, Float.self), number(at + 4, Float.self), number(at + 8, Float.self)
        )
        return SIMD3(Double(a), Double(b), Double(c))
      }
      force.append(cells(4))
      field.append(cells(7))
      let imaginary = cells(11)
      let turn = Rotation<SensorFrame, OpticalFrame>(
        w: cells(10).x, x: imaginary.x, y: imaginary.y, z: imaginary.z)
      truth.append(turn.map { Matrix3($0) })
      isMoving.append(bytes[32 + 56 * rows + row] != 0)
    }
  }

  /// Mean field of 20 ms five times a second; with gravity where the 0.6 s about it were calm.
  func observations(_ distortion: FieldDistortion) -> [FieldObservation] {
    let gravity = 9.81
    let (step, half, wide) = (
      Int(bounded: 0.2 * hertz), Int(bounded: 0.01 * hertz), Int(bounded: 0.3 * hertz)
    )
    return stride(from: wide, to: field.count - wide, by: step).filter { isMoving[$0] }.map { i in
      let samples = field[(i - half)...(i + half)].filter { $0.isFinite }
      let total = samples.reduce(SIMD3<Double>.zero) { $0 + $1 }
      let mean = total / Double(samples.count)
      let forces = force[(i - wide)...(i + wide)]
      let pull = forces.reduce(SIMD3<Double>.zero) { $0 + $1 }
      let up = pull / Double(forces.count)
      var square = 0.0
      for f in forces { square += (f.length - gravity) * (f.length - gravity) }
      let rough = (square / Double(forces.count)).squareRoot()
      let isCalm = rough < 0.6 && abs(up.length - gravity) < 0.3
      let down = up / -up.length
      return FieldObservation(
        timestamp: Timestamp(nanoseconds: UInt64(bounded: Double(i) / hertz * 1e9)),
        field: distortion.shape * mean + distortion.offset,
        axes: isCalm ? ReferenceAxes(x: .zero, y: .zero, down: down, isYawCarried: false) : nil)
    }
  }

  /// Root mean square heading error against the undistorted field, degrees, while moving and tilted
  /// less than 45 degrees. As `score_calibration.py` of the reference data scores it.
  func headingError(_ found: FieldDistortion, of distortion: FieldDistortion) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    let rest = force[0]
    var (sum, count) = (0.0, 0.0)
    for i in stride(from: 0, to: field.count, by: 20) where isMoving[i] {
      guard let turn = truth[i], field[i].isFinite else { continue }
      let up = turn.transposed * SIMD3(0, 0, 1)
      guard up.dot(rest) / rest.length > 0.5.squareRoot() else { continue }
      let measured = distortion.shape * field[i] + distortion.offset
      let a = turn * (inverse * (measured - found.offset))
      let b = turn * field[i]
      let difference = NumberSequence.atan2(a.x, a.y) - NumberSequence.atan2(b.x, b.y)
      let error = Angle(radians: difference).wrappedToHalfTurn.degrees
      sum += error * error
      count += 1
    }
    return (sum / max(1, count)).squareRoot()
  }
}
