import CalibrationFit
import Quantities

extension SensorIdentity {
  init(_ fields: ProfileFields) throws(ProfileFault) {
    part = try fields.required(try fields.name("part"), "part")
    bus = try fields.name("bus")
    iioName = try fields.name("iioName")
    serial = try fields.name("serial")
    address = nil
    if let text = try fields.text("address") {
      guard text.hasPrefix("0x"), let number = Int(text.dropFirst(2), radix: 16),
        text == ProfileIdentity.hexadecimal(number)
      else {
        throw .unsound("'\(fields.place)address' is '\(text)', expected hexadecimal like 0x1e")
      }
      address = number
    }
  }

  var json: JSONValue {
    var object = JSONObject()
    object["part"] = .text(part)
    object["bus"] = bus.map { .text($0) }
    object["address"] = address.map { .text(ProfileIdentity.hexadecimal($0)) }
    object["iioName"] = iioName.map { .text($0) }
    object["serial"] = serial.map { .text($0) }
    return .object(object)
  }
}

extension CalibrationConditions {
  init(_ fields: ProfileFields) throws(ProfileFault) {
    origin = try fields.required(
      try fields.word("origin", CalibrationOrigin.self), "origin")
    method = try fields.word("method", CalibrationMethod.self)
    latitudeDegrees = try fields.number("latitude_deg", in: -90...90, unit: " degrees")
    longitudeDegrees = try fields.number("longitude_deg", in: -180...180, unit: " degrees")
    altitudeMetres = try fields.number("altitude_m", in: -12_000...1_000_000, unit: " m")
    temperatureCelsius = try fields.number("temperature_degC", in: -150...300, unit: " C")
    activity = try fields.text("activity")
    softwareVersion = try fields.text("software")
    modelField = try fields.earthField(horizontal: "modelHorizontal_uT", down: "modelDown_uT")
    // Redundant, for readers: the two must be consistent.
    if let dip = try fields.number("modelDip_deg", in: -90...90, unit: " degrees"), let modelField,
      abs(dip - modelField.dip.degrees) > 0.1
    {
      throw .unsound(
        "'\(fields.place)modelDip_deg' is \(dip), the field's parts give \(modelField.dip.degrees)")
    }
  }

  var json: JSONValue {
    var object = JSONObject()
    object["origin"] = .text(origin.rawValue)
    object["method"] = method.map { .text($0.rawValue) }
    object["latitude_deg"] = latitudeDegrees.map { .number($0) }
    object["longitude_deg"] = longitudeDegrees.map { .number($0) }
    object["altitude_m"] = altitudeMetres.map { .number($0) }
    object["modelHorizontal_uT"] = modelField.map { .number($0.horizontal) }
    object["modelDown_uT"] = modelField.map { .number($0.down) }
    object["modelDip_deg"] = modelField.map { .number($0.dip.degrees) }
    object["temperature_degC"] = temperatureCelsius.map { .number($0) }
    object["activity"] = activity.map { .text($0) }
    object["software"] = softwareVersion.map { .text($0) }
    return .object(object)
  }
}

extension StoredFit {
  static let keys = [
    "distortionCovariance", "fieldHorizontal_uT", "fieldDown_uT", "latency_s", "inlierShare",
    "observationCount",
  ]

  init(_ fields: ProfileFields) throws(ProfileFault) {
    covariance = nil
    let key = "distortionCovariance"
    if let elements = try fields.covariance(key, order: DistortionCovariance.order) {
      covariance = DistortionCovariance(elements: elements)
    }
    earthField = try fields.earthField(horizontal: "fieldHorizontal_uT", down: "fieldDown_uT")
    latencySeconds = try fields.number("latency_s", in: -10...10, unit: " s")
    inlierShare = try fields.number("inlierShare", in: 0...1, unit: "")
    observationCount = try fields.count("observationCount")
  }

  func write(to object: inout JSONObject) {
    object["fieldHorizontal_uT"] = earthField.map { .number($0.horizontal) }
    object["fieldDown_uT"] = earthField.map { .number($0.down) }
    object["latency_s"] = latencySeconds.map { .number($0) }
    object["inlierShare"] = inlierShare.map { .number($0) }
    object["observationCount"] = observationCount.map { .number(Double($0)) }
    object["distortionCovariance"] = covariance.map { .square($0.elements) }
  }
}

extension ProfileFields {
  /// A field of two keys: both or neither.
  func earthField(horizontal: String, down: String) throws(ProfileFault) -> EarthField? {
    // The strongest field of the earth is 70 uT; that of a fit scales with its shape.
    let h = try number(horizontal, in: 0...1000, unit: " uT")
    let d = try number(down, in: -1000...1000, unit: " uT")
    if h == nil && d == nil { return nil }
    return EarthField(horizontal: try required(h, horizontal), down: try required(d, down))
  }
}

extension StoredGyroscope {
  init(_ fields: ProfileFields) throws(ProfileFault) {
    biasRadiansPerSecond = try fields.required(
      try fields.vector("bias_rad_s", below: 10, unit: " rad/s"), "bias_rad_s")
    scale = try fields.required(try fields.vector("scale", below: 2, unit: ""), "scale")
    for n in 0..<3 where scale[n] < 0.5 {
      throw .unsound("'\(fields.place)scale' holds \(scale[n]), expected 0.5 to 2")
    }
    biasSlopeRadiansPerSecondKelvin = try fields.vector(
      "biasSlope_rad_s_K", below: 1, unit: " rad/s/K")
    referenceTemperatureCelsius = try fields.number(
      "referenceTemperature_degC", in: -150...300, unit: " C")
  }

  var json: JSONValue {
    var object = JSONObject()
    object["bias_rad_s"] = .vector(biasRadiansPerSecond)
    object["scale"] = .vector(scale)
    object["biasSlope_rad_s_K"] = biasSlopeRadiansPerSecondKelvin.map { .vector($0) }
    object["referenceTemperature_degC"] = referenceTemperatureCelsius.map { .number($0) }
    return .object(object)
  }
}

extension StoredAccelerometer {
  init(_ fields: ProfileFields) throws(ProfileFault) {
    biasMetresPerSecondSquared = try fields.required(
      try fields.vector("bias_m_s2", below: 50, unit: " m/s2"), "bias_m_s2")
    matrix = try fields.required(try fields.matrix3("matrix", mayMirror: false), "matrix")
  }

  var json: JSONValue {
    var object = JSONObject()
    object["bias_m_s2"] = .vector(biasMetresPerSecondSquared)
    object["matrix"] = .matrix(matrix)
    return .object(object)
  }
}

extension StoredLoad {
  init(_ fields: ProfileFields) throws(ProfileFault) {
    load = try fields.required(try fields.name("load"), "load")
    unit = try fields.required(try fields.name("unit"), "unit")
    fieldMicroteslaPerUnit = try fields.required(
      try fields.vector("field_uT_per_unit", below: 1e5, unit: " uT"), "field_uT_per_unit")
  }

  var json: JSONValue {
    var object = JSONObject()
    object["load"] = .text(load)
    object["unit"] = .text(unit)
    object["field_uT_per_unit"] = .vector(fieldMicroteslaPerUnit)
    return .object(object)
  }
}

extension StoredDeviation {
  init(_ fields: ProfileFields) throws(ProfileFault) {
    model = try fields.required(try fields.name("model"), "model")
    coefficients = try fields.numbers(
      try fields.required(try fields.array("coefficients"), "coefficients"), "coefficients")
    covariance = try fields.required(try fields.covariance("covariance", order: nil), "covariance")
    coverageDegrees = try fields.required(
      try fields.number("coverage_deg", in: 0...360, unit: " degrees"), "coverage_deg")
    made = try fields.required(try fields.time("made"), "made")
  }

  var json: JSONValue {
    var object = JSONObject()
    object["model"] = .text(model)
    object["coefficients"] = .numbers(coefficients)
    object["covariance"] = .square(covariance)
    object["coverage_deg"] = .number(coverageDegrees)
    object["made"] = .text(made.text())
    return .object(object)
  }
}
