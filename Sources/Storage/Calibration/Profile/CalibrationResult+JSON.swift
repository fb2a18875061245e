import CalibrationFit
import Quantities

extension CalibrationResult {
  static let keys = [
    "softIron", "hardIron", "quality", "coverage", "residual_uT", "predictedHeadingError_deg",
    "predictedLevelError_deg", "use", "mount",
  ]

  /// Reads a plain calibration from an object's keys.
  init(_ fields: ProfileFields) throws(ProfileFault) {
    mount = nil
    if let words = try fields.text("mount") {
      guard let known = SensorMount(text: words) else {
        throw .unsound("'mount' is '\(words)', expected three axis words like forward,left,up")
      }
      mount = known
    }
    let mayMirror = mount?.isMirrored ?? false
    softIron = try fields.required(try fields.matrix3("softIron", mayMirror: mayMirror), "softIron")
    hardIronMicrotesla = try fields.required(
      try fields.vector("hardIron", below: 1e5, unit: " uT"), "hardIron")
    // Absent in a file of another program: usable, with unknown quality.
    quality = try Self.quality(fields)
    coverage = try fields.number("coverage", in: 0...1, unit: "")
    residualMicrotesla = try fields.number("residual_uT", in: 0...1e5, unit: " uT")
    predictedHeadingErrorDegrees = try fields.number(
      "predictedHeadingError_deg", in: 0...360, unit: " degrees")
    predictedLevelErrorDegrees = try fields.number(
      "predictedLevelError_deg", in: 0...360, unit: " degrees")
    use = try fields.word("use", CalibrationUse.self) ?? .anyAttitude
  }

  /// The word for a calibration of unknown quality.
  private static let unknown = "unknown"

  private static func quality(_ fields: ProfileFields) throws(ProfileFault) -> CalibrationState {
    if try fields.text("quality") == unknown { return .uncalibrated }
    return try fields.word("quality", CalibrationState.self) ?? .fair
  }

  /// Writes the plain calibration's keys.
  func write(to object: inout JSONObject) {
    object["softIron"] = .matrix(softIron)
    object["hardIron"] = .vector(hardIronMicrotesla)
    object["quality"] = .text(quality == .uncalibrated ? Self.unknown : quality.rawValue)
    object["coverage"] = coverage.map { .number($0) }
    object["residual_uT"] = residualMicrotesla.map { .number($0) }
    object["predictedHeadingError_deg"] = predictedHeadingErrorDegrees.map { .number($0) }
    object["predictedLevelError_deg"] = predictedLevelErrorDegrees.map { .number($0) }
    // Absent in files for any attitude, as before.
    object["use"] = use == .anyAttitude ? nil : .text(use.rawValue)
    object["mount"] = mount.map { .text($0.description) }
  }

  /// The plain calibration file of the result, ending in a line feed.
  public var json: String {
    var object = JSONObject()
    write(to: &object)
    return JSONValue.object(object).readableText + "\n"
  }
}

extension JSONValue {
  package static func vector(_ v: SIMD3<Double>) -> JSONValue { .numbers([v.x, v.y, v.z]) }

  static func matrix(_ m: Matrix3) -> JSONValue {
    .array([.vector(m.r0), .vector(m.r1), .vector(m.r2)])
  }

  /// The rows of a square matrix; a flat array, which every reader refuses, where it is not square.
  static func square(_ elements: [Double]) -> JSONValue {
    var n = 0
    while n * n < elements.count { n += 1 }
    guard n * n == elements.count else { return .numbers(elements) }
    return .array((0..<n).map { .numbers(Array(elements[$0 * n..<$0 * n + n])) })
  }
}
