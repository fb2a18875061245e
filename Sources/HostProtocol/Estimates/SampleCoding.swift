import Quantities

/// What sensors tell of one instant as a JSON object, exact to the last bit: what there is not is absent, an
/// unknown key is passed over. Times in nanoseconds, m/s², rad/s, microtesla, hectopascal, degrees Celsius.
enum SampleCoding {
  /// Appends the object.
  static func append(_ samples: SensorSamples, to line: inout [UInt8]) {
    line.append(ascii: "{\"timestamp\":")
    line.append(contentsOf: samples.timestamp.nanoseconds.description.utf8)
    if let sample = samples.inertial {
      line.append(",\"inertialTimestamp\":", sample.timestamp)
      if let force = sample.specificForce { line.append(",\"force\":", force.components) }
      if let rate = sample.angularRate { line.append(",\"rate\":", rate.components) }
    }
    if let sample = samples.field {
      line.append(",\"fieldTimestamp\":", sample.timestamp)
      line.append(",\"field\":", sample.field.components)
    }
    if let sample = samples.pressure {
      line.append(",\"pressureTimestamp\":", sample.timestamp)
      line.append(ascii: ",\"pressure\":")
      line.append(exactly: sample.hectopascal)
      if let celsius = sample.celsius {
        line.append(ascii: ",\"celsius\":")
        line.append(exactly: celsius)
      }
    }
    line.append(UInt8(ascii: "}"))
  }

  /// Reads an object; a sample without its timestamp is of the instant of the whole.
  static func read(_ json: inout JSONScanner) throws(JSONFault) -> SensorSamples {
    var parts = Parts()
    try json.expect(UInt8(ascii: "{"))
    if !json.takes(UInt8(ascii: "}")) {
      repeat {
        let key = try json.string()
        try json.expect(UInt8(ascii: ":"))
        try parts.take(key, &json)
      } while json.takes(UInt8(ascii: ","))
      try json.expect(UInt8(ascii: "}"))
    }
    guard let timestamp = parts.timestamp else { throw json.fault("a 'timestamp'") }
    return parts.samples(at: timestamp)
  }

  private struct Parts {
    var timestamp: Timestamp?
    var inertial: Timestamp?
    var force: SIMD3<Double>?
    var rate: SIMD3<Double>?
    var fieldTime: Timestamp?
    var field: SIMD3<Double>?
    var pressureTime: Timestamp?
    var pressure: Double?
    var celsius: Double?

    mutating func take(_ key: String, _ json: inout JSONScanner) throws(JSONFault) {
      switch key {
      case "timestamp": timestamp = try json.timestamp()
      case "inertialTimestamp": inertial = try json.timestamp()
      case "force": force = try json.vector()
      case "rate": rate = try json.vector()
      case "fieldTimestamp": fieldTime = try json.timestamp()
      case "field": field = try json.vector()
      case "pressureTimestamp": pressureTime = try json.timestamp()
      case "pressure": pressure = try json.double()
      case "celsius": celsius = try json.double()
      default: try json.skipValue()
      }
    }

    func samples(at timestamp: Timestamp) -> SensorSamples {
      var samples = SensorSamples(timestamp: timestamp)
      if force != nil || rate != nil {
        samples.inertial = InertialSample(
          timestamp: inertial ?? timestamp,
          angularRate: rate.map { AngularRate(radiansPerSecond: $0) },
          specificForce: force.map { SpecificForce(metresPerSecondSquared: $0) })
      }
      if let field {
        samples.field = FieldSample(
          timestamp: fieldTime ?? timestamp, field: MagneticField(microtesla: field))
      }
      if let pressure {
        samples.pressure = PressureSample(
          timestamp: pressureTime ?? timestamp, hectopascal: pressure, celsius: celsius)
      }
      return samples
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ key: StaticString, _ timestamp: Timestamp) {
    append(ascii: key)
    append(contentsOf: timestamp.nanoseconds.description.utf8)
  }

  fileprivate mutating func append(_ key: StaticString, _ vector: SIMD3<Double>) {
    append(ascii: key)
    append(exactly: [vector.x, vector.y, vector.z])
  }
}

extension JSONScanner {
  fileprivate mutating func timestamp() throws(JSONFault) -> Timestamp {
    Timestamp(nanoseconds: try integer(UInt64.self))
  }

  fileprivate mutating func vector() throws(JSONFault) -> SIMD3<Double> {
    let parts = try doubles(3)
    return SIMD3(parts[0], parts[1], parts[2])
  }
}
