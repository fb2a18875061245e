import CalibrationFit
import LinuxIO
import Quantities

/// The reason why a calibration file was refused.
public enum CalibrationFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// The file is not a calibration.
  case refused(path: String, reason: String)

  /// One line: the file and the reason.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .refused(let path, let reason):
      "\(path): not a calibration: \(reason); expected JSON with softIron (3x3) and hardIron "
        + "(3 values in microtesla)"
    }
  }
}

/// A calibration with the uncertainty from its fit: the content of a plain file or of a profile.
public struct CalibrationFile: Equatable, Sendable {
  /// The calibration.
  public var result: CalibrationResult
  /// The uncertainty, as far as the file has it.
  public var fit: StoredFit
  /// The vehicle's deviation that belongs to the calibration; only a profile has one.
  public private(set) var deviation: StoredDeviation?

  /// Makes the content of a file.
  public init(result: CalibrationResult, fit: StoredFit = StoredFit()) {
    (self.result, self.fit) = (result, fit)
  }

  /// Reads a calibration file: a plain one, or a profile with a check of its version and checksum.
  /// - Parameters:
  ///   - path: The file.
  ///   - isChecked: False to accept a profile with a wrong checksum, as after a manual edit.
  /// - Throws: An error where the file cannot be read or is no calibration.
  public init(path: String, isChecked: Bool = true) throws(CalibrationFileError) {
    let bytes: [UInt8]
    do {
      bytes = try LinuxFiles().content(of: path)
    } catch {
      throw .unreadable(path: path, reason: error.isAbsence ? "no such file" : error.reason)
    }
    do {
      try self.init(json: bytes, isChecked: isChecked)
    } catch {
      throw .refused(path: path, reason: error.description)
    }
  }

  /// Reads the content of a calibration file.
  /// - Parameters:
  ///   - bytes: The content.
  ///   - isChecked: False to accept a profile with a wrong checksum, as after a manual edit.
  /// - Throws: The reason where it is no calibration.
  public init(json bytes: [UInt8], isChecked: Bool = true) throws(ProfileFault) {
    guard case .object(let object) = try JSONValue(json: bytes) else {
      throw .unsound("the JSON is not an object")
    }
    if ProfileSeal.isClaimed(by: object) { _ = try ProfileSeal.check(object, isChecked: isChecked) }
    let fields = ProfileFields(object: object)
    self.init(result: try CalibrationResult(fields), fit: try StoredFit(fields))
    if let section = try fields.section("deviation") { deviation = try .init(section) }
  }

  /// The plain file, ending in a line feed.
  public var json: String { record(at: nil) }

  /// The content of the plain file as a record.
  /// - Parameter time: When the calibration was made; nil if it is not known.
  /// - Returns: JSON, ending in a line feed.
  public func record(at time: UTCTime?) -> String {
    var object = JSONObject()
    object["time"] = time.map { .text($0.recordText) }
    result.write(to: &object)
    fit.write(to: &object)
    return JSONValue.object(object).readableText + "\n"
  }

  /// The estimate of the calibration; nil for a file without uncertainty.
  public var estimate: DistortionEstimate? { estimate(method: .forward) }

  func estimate(method: CalibrationMethod) -> DistortionEstimate? {
    guard let covariance = fit.covariance, let shape = result.softIron.inverse,
      let field = fit.earthField
    else { return nil }
    return DistortionEstimate(
      method: method,
      distortion: FieldDistortion(shape: shape, offset: result.hardIronMicrotesla),
      covariance: covariance, earthField: field, latencySeconds: fit.latencySeconds,
      residualMicrotesla: result.residualMicrotesla ?? 1, inlierShare: fit.inlierShare ?? 1,
      observationCount: fit.observationCount ?? 0)
  }
}

extension CalibrationProfile {
  /// The estimate of the calibration; nil for a profile without uncertainty.
  public var estimate: DistortionEstimate? {
    CalibrationFile(result: result, fit: fit).estimate(method: conditions.method ?? .forward)
  }
}

extension CalibrationResult {
  /// Reads the content of a calibration file; see `CalibrationFile`.
  public init(json bytes: [UInt8], isChecked: Bool = true) throws(ProfileFault) {
    self = try CalibrationFile(json: bytes, isChecked: isChecked).result
  }

  /// Reads a calibration file; see `CalibrationFile`.
  public init(path: String, isChecked: Bool = true) throws(CalibrationFileError) {
    self = try CalibrationFile(path: path, isChecked: isChecked).result
  }
}

extension MagnetometerCalibration {
  /// Reads a calibration: JSON with `softIron` 3x3 and `hardIron` µT, optionally `quality` and
  /// `predictedHeadingError_deg`; also a profile of the store.
  /// - Parameter path: The file.
  /// - Throws: An error where the file cannot be read or is no calibration.
  public init(path: String) throws(CalibrationFileError) {
    self = try CalibrationFile(path: path).result.calibration
  }
}
