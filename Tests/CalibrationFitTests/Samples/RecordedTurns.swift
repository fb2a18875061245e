import CalibrationFit
import Foundation
import Fusion
import Quantities
import TestSupport

/// A trial of BROAD as `trial.py` of the reference data describes it, every third sample: the
/// inertial unit's, the magnetometer's, and the optical truth.
struct RecordedTurns: Sendable {
  enum OpticalFrame: Frame {}

  var seconds: [Double] = []
  var rate: [SIMD3<Double>] = []
  var force: [SIMD3<Double>] = []
  var field: [SIMD3<Double>] = []
  /// Sensor to x east, y magnetic north, z up; nil where the cameras saw nothing.
  var truth: [Rotation<SensorFrame, OpticalFrame>?] = []
  var isMoving: [Bool] = []

  /// All that are here, by their number.
  static let all: [String: RecordedTurns] = {
    var trials: [String: RecordedTurns] = [:]
    guard let folder = SharedData.path("data/broad"),
      let files = FileManager.default.enumerator(atPath: folder)
    else { return trials }
    for case let name as String in files where name.hasSuffix(".bin") {
      guard let bytes = SharedData.bytes("data/broad/" + name) else { continue }
      trials[String(name.prefix(2))] = RecordedTurns(bytes)
    }
    return trials
  }()

  private init(_ bytes: [UInt8]) {
    func number<T>(_ at: Int, _: T.Type) -> T {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: T.self) }
    }
    let rows = Int(number(8, UInt32.self))
    let hertz = number(16, Double.self)
    for row in stride(from: 0, to: rows, by: 3) {
      func cell(_ column: Int) -> Double {
        Double(number(32 + 4 * (14 * row + column), Float.self))
      }
      func three(_ first: Int) -> SIMD3<Double> {
        SIMD3(cell(first), cell(first + 1), cell(first + 2))
      }
      seconds.append(Double(row) / hertz)
      rate.append(three(1))
      force.append(three(4))
      field.append(three(7))
      let imaginary = three(11)
      truth.append(
        Rotation(w: cell(10), x: imaginary.x, y: imaginary.y, z: imaginary.z))
      isMoving.append(bytes[32 + 56 * rows + row] != 0)
    }
  }

  /// Gravity along the sensor's axes during the rest at the start.
  var down: SIMD3<Double> {
    let sum = zip(seconds, force).reduce(SIMD3<Double>.zero) { $1.0 < 3 ? $0 - $1.1 : $0 }
    return sum / sum.length
  }

  /// When the motion that counts begins, s.
  var begin: Double { zip(seconds, isMoving).first { $0.1 }?.0 ?? 0 }

  /// The input of the fits without distortion; the distortion is linear and may be applied later.
  /// The gyroscope reads `rateScale` for one radian.
  func observations(
    from: Double = 0, to end: Double = .infinity, rateScale: Double = 1
  ) -> [FieldObservation] {
    var orientation = InertialOrientation()
    var observer = FieldObserver()
    var result: [FieldObservation] = []
    for i in seconds.indices where seconds[i] >= from - 6 && seconds[i] <= end {
      let at = Timestamp(nanoseconds: UInt64(bounded: seconds[i] * 1e9))
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: at, angularRate: AngularRate(components: rate[i] * rateScale),
          specificForce: SpecificForce(components: force[i])))
      guard seconds[i] >= from, field[i].isFinite, let attitude = orientation.attitude else {
        continue
      }
      if let o = observer.add(field: field[i], at: at, attitude: attitude, rate: orientation.rate) {
        result.append(o)
      }
    }
    return result
  }

  /// Root mean square heading error against the undistorted field, degrees, while moving and tilted
  /// less than 45 degrees. As `score_calibration.py` of the reference data scores it.
  func headingError(_ found: FieldDistortion, of distortion: FieldDistortion) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    let up = down * -1
    var (sum, count) = (0.0, 0.0)
    for i in stride(from: 0, to: field.count, by: 7) where isMoving[i] {
      guard let turn = truth[i], field[i].isFinite,
        turn.inverse.rotate(SIMD3(0, 0, 1)).dot(up) > 0.5.squareRoot()
      else { continue }
      let measured = distortion.shape * field[i] + distortion.offset
      let (a, b) = (turn.rotate(inverse * (measured - found.offset)), turn.rotate(field[i]))
      let apart = Angle(radians: atan2(a.x, a.y) - atan2(b.x, b.y)).wrappedToHalfTurn.degrees
      sum += apart * apart
      count += 1
    }
    return (sum / max(1, count)).squareRoot()
  }
}

extension [FieldObservation] {
  /// The same through iron.
  func distorted(_ distortion: FieldDistortion) -> [FieldObservation] {
    map { o in
      var o = o
      o.field = distortion.shape * o.field + distortion.offset
      return o
    }
  }
}
