import CalibrationFit
import Quantities
import Storage

/// Values as JSON that is read back to the last bit. A number that is not finite is the text of its
/// bits.
extension JSONValue {
  package static func exact(_ value: Double) -> JSONValue {
    value.isFinite ? .number(value) : .text("0x" + String(value.bitPattern, radix: 16))
  }

  package static func exact(_ value: Double?) -> JSONValue? { value.map { .exact($0) } }

  package static func exact(_ values: [Double]) -> JSONValue { .array(values.map { .exact($0) }) }

  package static func exact(_ v: SIMD3<Double>) -> JSONValue { .exact([v.x, v.y, v.z]) }

  package static func exact(_ m: Matrix3) -> JSONValue {
    .exact([m.r0, m.r1, m.r2].flatMap { [$0.x, $0.y, $0.z] })
  }

  /// A whole number of 64 bits, which a double does not hold.
  package static func exact(_ time: UTCTime) -> JSONValue {
    .text(String(time.nanosecondsSince1970))
  }

  var double: Double? {
    switch self {
    case .number(let value): value
    case .text(let text) where text.hasPrefix("0x"):
      UInt64(text.dropFirst(2), radix: 16).map { Double(bitPattern: $0) }
    default: nil
    }
  }

  var doubles: [Double]? {
    guard case .array(let values) = self else { return nil }
    let numbers = values.compactMap(\.double)
    return numbers.count == values.count ? numbers : nil
  }

  var vector: SIMD3<Double>? {
    doubles.flatMap { $0.count == 3 ? SIMD3($0[0], $0[1], $0[2]) : nil }
  }

  var matrix: Matrix3? {
    guard let n = doubles, n.count == 9 else { return nil }
    return Matrix3(rows: SIMD3(n[0], n[1], n[2]), SIMD3(n[3], n[4], n[5]), SIMD3(n[6], n[7], n[8]))
  }

  var string: String? { if case .text(let text) = self { text } else { nil } }
  var flag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
  var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  var utc: UTCTime? {
    string.flatMap { Int64($0) }.map { UTCTime(nanosecondsSince1970: $0) }
  }
}

/// Why a recording's start state or calibration cannot be read.
package struct StartStateFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The key with its fault.
  package var description: String

  /// Makes a fault.
  package init(description: String) { self.description = description }
}

extension JSONObject {
  /// The value of a key.
  /// - Throws: A fault that names the key.
  package func required<Value>(
    _ key: String, _ value: (JSONValue) -> Value?
  ) throws(StartStateFault) -> Value {
    guard let member = self[key], let result = value(member) else {
      throw StartStateFault(description: "'\(key)' is missing or has an unexpected value")
    }
    return result
  }
}

extension MagnetometerCalibration {
  var exactJSON: JSONValue {
    var object = JSONObject()
    object["softIron"] = .exact(softIron)
    object["hardIron_uT"] = .exact(hardIron.components)
    object["quality"] = .text(quality.rawValue)
    object["predictedHeadingError_rad"] = .exact(predictedHeadingError?.radians)
    object["predictedLevelError_rad"] = .exact(predictedLevelError?.radians)
    if use != .anyAttitude { object["use"] = .text(use.rawValue) }
    return .object(object)
  }

  package init(exactly object: JSONObject) throws(StartStateFault) {
    self.init(
      softIron: try object.required("softIron", \.matrix),
      hardIron: MagneticField(microtesla: try object.required("hardIron_uT", \.vector)),
      quality: try object.required("quality") { $0.string.flatMap(CalibrationState.init) },
      predictedHeadingError: object["predictedHeadingError_rad"]?.double.map { Angle(radians: $0) },
      predictedLevelError: object["predictedLevelError_rad"]?.double.map { Angle(radians: $0) },
      use: object["use"]?.string.flatMap(CalibrationUse.init) ?? .anyAttitude)
  }
}

extension CalibrationChoice {
  var exactJSON: JSONValue {
    switch self {
    case .none: .text("none")
    case .assumed: .text("assumed")
    case .fitted(let calibration): calibration.exactJSON
    }
  }

  package init(exactly value: JSONValue) throws(StartStateFault) {
    switch value {
    case .text("none"): self = .none
    case .text("assumed"): self = .assumed
    case .object(let object): self = .fitted(try MagnetometerCalibration(exactly: object))
    default: throw StartStateFault(description: "'calibration' has an unexpected value")
    }
  }
}

extension DistortionEstimate {
  package var exactJSON: JSONValue {
    var object = JSONObject()
    object["method"] = .text(method.rawValue)
    object["shape"] = .exact(distortion.shape)
    object["offset_uT"] = .exact(distortion.offset)
    object["covariance"] = .exact(covariance.elements)
    object["earthField_uT"] = .exact([earthField.horizontal, earthField.down])
    object["latency_s"] = .exact(latencySeconds)
    object["residual_uT"] = .exact(residualMicrotesla)
    object["inlierShare"] = .exact(inlierShare)
    object["observations"] = .number(Double(observationCount))
    return .object(object)
  }

  package init(exactly object: JSONObject) throws(StartStateFault) {
    let field = try object.required("earthField_uT") { value in
      value.doubles.flatMap { $0.count == 2 ? $0 : nil }
    }
    self.init(
      method: try object.required("method") { $0.string.flatMap(CalibrationMethod.init) },
      distortion: FieldDistortion(
        shape: try object.required("shape", \.matrix),
        offset: try object.required("offset_uT", \.vector)),
      covariance: try object.required("covariance") { value in
        value.doubles.flatMap { DistortionCovariance(elements: $0) }
      },
      earthField: EarthField(horizontal: field[0], down: field[1]),
      latencySeconds: object["latency_s"]?.double,
      residualMicrotesla: try object.required("residual_uT", \.double),
      inlierShare: try object.required("inlierShare", \.double),
      observationCount: Int(bounded: try object.required("observations", \.double)))
  }
}

extension ForwardSolution {
  package var exactJSON: JSONValue {
    var object = JSONObject()
    object["estimate"] = estimate.exactJSON
    object["yaw_rad"] = .exact(yaw.radians)
    object["rateScale"] = .exact(rateScale)
    object["latencySigma_s"] = .exact(latencySigma)
    object["cost"] = .exact(cost)
    return .object(object)
  }

  package init(exactly object: JSONObject) throws(StartStateFault) {
    self.init(
      estimate: try DistortionEstimate(exactly: try object.required("estimate", \.object)),
      yaw: Angle(radians: try object.required("yaw_rad", \.double)),
      rateScale: try object.required("rateScale", \.double),
      latencySigma: try object.required("latencySigma_s", \.double),
      cost: try object.required("cost", \.double))
  }
}

extension InertialCorrection {
  var exactJSON: JSONValue {
    var object = JSONObject()
    object["rateBias"] = .exact(rateBias)
    if let rateSlope {
      object["rateSlope"] = .exact(rateSlope.perKelvin)
      object["rateSlope_degC"] = .exact(rateSlope.celsius)
    }
    object["rateScale"] = .exact(rateScale)
    object["forceBias"] = .exact(forceBias)
    object["forceMatrix"] = .exact(forceMatrix)
    return .object(object)
  }

  package init(exactly object: JSONObject) throws(StartStateFault) {
    self.init()
    rateBias = try object.required("rateBias", \.vector)
    if let slope = object["rateSlope"]?.vector, let celsius = object["rateSlope_degC"]?.double {
      rateSlope = (slope, celsius)
    }
    rateScale = try object.required("rateScale", \.vector)
    forceBias = try object.required("forceBias", \.vector)
    forceMatrix = try object.required("forceMatrix", \.matrix)
  }
}

extension StoredDeviation {
  var exactJSON: JSONValue {
    var object = JSONObject()
    object["model"] = .text(model)
    object["coefficients"] = .exact(coefficients)
    object["covariance"] = .exact(covariance)
    object["coverage_deg"] = .exact(coverageDegrees)
    object["made"] = .exact(made)
    return .object(object)
  }

  package init(exactly object: JSONObject) throws(StartStateFault) {
    self.init(
      model: try object.required("model", \.string),
      coefficients: try object.required("coefficients", \.doubles),
      covariance: try object.required("covariance", \.doubles),
      coverageDegrees: try object.required("coverage_deg", \.double),
      made: try object.required("made", \.utc))
  }
}

extension GivenCalibration {
  package var exactJSON: JSONValue {
    var object = JSONObject()
    object["calibration"] = choice.exactJSON
    object["estimate"] = estimate?.exactJSON
    if let parts {
      var others = JSONObject()
      others["inertialCorrection"] = parts.inertialCorrection?.exactJSON
      others["deviation"] = parts.deviation?.exactJSON
      others["load_uT"] = parts.loadMicroteslaPerUnit.map { .exact($0) }
      object["parts"] = .object(others)
    }
    return .object(object)
  }

  package init(exactly object: JSONObject) throws(StartStateFault) {
    let choice = try object.required("calibration") { $0 }
    self.init(try CalibrationChoice(exactly: choice))
    if let estimate = object["estimate"]?.object {
      self.estimate = try DistortionEstimate(exactly: estimate)
    }
    guard let others = object["parts"]?.object else { return }
    var parts = Parts()
    if let correction = others["inertialCorrection"]?.object {
      parts.inertialCorrection = try InertialCorrection(exactly: correction)
    }
    if let deviation = others["deviation"]?.object {
      parts.deviation = try StoredDeviation(exactly: deviation)
    }
    parts.loadMicroteslaPerUnit = others["load_uT"]?.vector
    self.parts = parts
  }
}
