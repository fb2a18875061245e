import JSON
import Quantities

/// The sensor samples of one instant as a JSON object, exact to the last bit. Missing samples are
/// absent, unknown keys are ignored. Units: nanoseconds, m/s², rad/s, microtesla, hectopascal,
/// degrees Celsius.
enum SampleCoding {
  /// Appends the object.
  static func append(_ samples: SensorSamples, to line: inout [UInt8]) {
    var json = JSONWriter(appendingTo: &line)
    json.add("timestamp", samples.timestamp)
    if let sample = samples.inertial {
      json.add("inertialTimestamp", sample.timestamp)
      if let force = sample.specificForce { json.add("force", force.components) }
      if let rate = sample.angularRate { json.add("rate", rate.components) }
    }
    if let sample = samples.field {
      json.add("fieldTimestamp", sample.timestamp)
      json.add("field", sample.field.components)
    }
    if let sample = samples.pressure {
      json.add("pressureTimestamp", sample.timestamp)
      json.add("pressure", exactly: sample.hectopascal)
      if let celsius = sample.celsius { json.add("celsius", exactly: celsius) }
    }
    json.close(into: &line)
  }

  /// Reads an object; nil if the reader has a fault. A sample without its own timestamp has that of
  /// the object.
  static func read(_ json: inout JSONReader) -> SensorSamples? {
    var parts = Parts()
    guard json.beginObject() else { return nil }
    while let key = json.nextKey() { parts.read(key, &json) }
    guard let timestamp = parts.timestamp else {
      json.refuse("expected a 'timestamp'")
      return nil
    }
    return json.isBroken ? nil : parts.samples(at: timestamp)
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

    mutating func read(_ key: JSONText, _ json: inout JSONReader) {
      if key.is("timestamp") {
        timestamp = json.timestamp()
      } else if key.is("inertialTimestamp") {
        inertial = json.timestamp()
      } else if key.is("force") {
        force = json.vector()
      } else if key.is("rate") {
        rate = json.vector()
      } else if key.is("fieldTimestamp") {
        fieldTime = json.timestamp()
      } else if key.is("field") {
        field = json.vector()
      } else if key.is("pressureTimestamp") {
        pressureTime = json.timestamp()
      } else if key.is("pressure") {
        pressure = json.exactNumber()
      } else if key.is("celsius") {
        celsius = json.exactNumber()
      } else {
        json.skip()
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

extension JSONWriter {
  fileprivate mutating func add(_ key: StaticString, _ timestamp: Timestamp) {
    add(key, unsigned: timestamp.nanoseconds)
  }

  fileprivate mutating func add(_ key: StaticString, _ vector: SIMD3<Double>) {
    add(key, exactly: [vector.x, vector.y, vector.z])
  }
}

extension JSONReader {
  mutating func timestamp() -> Timestamp? {
    uint64().map { Timestamp(nanoseconds: $0) }
  }

  fileprivate mutating func vector() -> SIMD3<Double>? {
    exactNumbers(3).map { SIMD3($0[0], $0[1], $0[2]) }
  }
}
