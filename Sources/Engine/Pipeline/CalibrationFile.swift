import Foundation
import Quantities

/// Why a calibration was refused. The description is one line that names the file and the reason.
public enum CalibrationFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// The file is not a calibration.
  case refused(path: String, reason: String)

  /// One line for people.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .refused(let path, let reason):
      "\(path): not a calibration: \(reason); expected JSON with softIron (3x3) and hardIron "
        + "(3 values in microtesla)"
    }
  }
}

extension MagnetometerCalibration {
  /// Reads a calibration: JSON with `softIron` 3x3 and `hardIron` µT, `quality` and
  /// `predictedHeadingError_deg` where it has them.
  public init(path: String) throws(CalibrationFileError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      let exists = FileManager.default.fileExists(atPath: path)
      throw .unreadable(path: path, reason: exists ? "it cannot be opened" : "no such file")
    }
    let stored: StoredCalibration
    do {
      stored = try JSONDecoder().decode(StoredCalibration.self, from: data)
    } catch DecodingError.keyNotFound(let key, _) {
      throw .refused(path: path, reason: "the key '\(key.stringValue)' is missing")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw .refused(path: path, reason: "'\(place)' has the wrong type")
    } catch {
      throw .refused(path: path, reason: "it is not valid JSON")
    }
    try self.init(stored, path)
  }

  private init(_ stored: StoredCalibration, _ path: String) throws(CalibrationFileError) {
    func vector(_ values: [Double], _ name: String) throws(CalibrationFileError) -> SIMD3<Double> {
      guard values.count == 3, values.allSatisfy(\.isFinite) else {
        throw .refused(path: path, reason: "'\(name)' does not hold three numbers")
      }
      return SIMD3(values[0], values[1], values[2])
    }
    guard stored.softIron.count == 3 else {
      throw .refused(path: path, reason: "'softIron' does not hold three rows")
    }
    let softIron = Matrix3(
      rows: try vector(stored.softIron[0], "softIron"), try vector(stored.softIron[1], "softIron"),
      try vector(stored.softIron[2], "softIron"))
    // Iron bends a field by tenths of it; a matrix far from 1 has other units or is no calibration.
    guard (0.05...20).contains(softIron.determinant) else {
      throw .refused(
        path: path, reason: "'softIron' has determinant \(softIron.determinant), far from 1")
    }
    var quality = CalibrationState.fair
    if let word = stored.quality {
      guard let known = CalibrationState(rawValue: word) else {
        throw .refused(path: path, reason: "unknown quality '\(word)'")
      }
      quality = known
    }
    self.init(
      softIron: softIron,
      hardIron: MagneticField(microtesla: try vector(stored.hardIron, "hardIron")),
      quality: quality,
      predictedHeadingError: stored.predictedHeadingError_deg.map { Angle(degrees: $0) })
  }
}

/// The file's keys.
private struct StoredCalibration: Decodable {
  var softIron: [[Double]]
  var hardIron: [Double]
  var quality: String?
  var predictedHeadingError_deg: Double?
}
