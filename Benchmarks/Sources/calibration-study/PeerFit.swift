import CalibrationFit
import Foundation
import Quantities
import Study

/// A line of another program's output: its fit of one draw.
struct PeerFit: Decodable {
  let method: String
  let id: String
  /// Rows first, and microtesla: measured = shape * field + offset.
  let shape: [[Double]]
  let offset: [Double]
  let milliseconds: Double

  /// Reads lines of JSON.
  static func list(path: String) throws -> [PeerFit] {
    guard let text = FileManager.default.contents(atPath: path) else {
      throw StudyError("--fits \(path): cannot be read")
    }
    return try text.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(PeerFit.self, from: Data($0))
    }
  }

  var found: TimedFit {
    get throws {
      guard shape.count == 3, shape.allSatisfy({ $0.count == 3 }), offset.count == 3 else {
        throw StudyError("\(method), \(id): expected three rows of three, and three")
      }
      let rows = shape.map { SIMD3($0[0], $0[1], $0[2]) }
      return TimedFit(
        distortion: FieldDistortion(
          shape: Matrix3(rows: rows[0], rows[1], rows[2]),
          offset: SIMD3(offset[0], offset[1], offset[2])),
        milliseconds: milliseconds)
    }
  }
}

/// A fit and its duration.
struct TimedFit: Sendable {
  /// nil where the fit was refused.
  let distortion: FieldDistortion?
  let milliseconds: Double

  init(distortion: FieldDistortion?, milliseconds: Double) {
    (self.distortion, self.milliseconds) = (distortion, milliseconds)
  }

  /// Fits and looks at the clock.
  init(_ fit: () throws(CalibrationFitError) -> FieldDistortion) {
    let start = DispatchTime.now().uptimeNanoseconds
    var distortion: FieldDistortion?
    do { distortion = try fit() } catch { distortion = nil }
    self.init(
      distortion: distortion,
      milliseconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
  }
}
