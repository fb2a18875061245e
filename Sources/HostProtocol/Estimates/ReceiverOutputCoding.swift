internal import Board
import FoundationEssentials
import JSON
import Quantities
internal import ReceiverProtocols

/// A receiver's output as a JSON object with one of the keys `sky`, `bytes` (base 64), `time` and
/// `pulse`. Missing values are absent, unknown keys are ignored. Units: nanoseconds, degrees,
/// dB-Hz, seconds.
enum ReceiverOutputCoding {
  /// Appends the object.
  static func append(_ output: ReceiverOutput, to line: inout [UInt8]) {
    var json = JSONWriter(appendingTo: &line)
    switch output {
    case .sky(let sky): json.add("sky", object: JSONWriter.object { add(sky, to: &$0) })
    case .bytes(let bytes): json.add("bytes", Data(bytes).base64EncodedString())
    case .time(let time):
      json.add(
        "time",
        object: JSONWriter.object { json in
          json.add("utc", integer: time.utc.nanosecondsSince1970)
          json.add("arrival", unsigned: time.arrival.nanoseconds)
          json.add("systemUTC", integer: time.systemUTC.nanosecondsSince1970)
          json.add("hasFix", time.hasFix)
          if let isResolved = time.isResolved { json.add("isResolved", isResolved) }
        })
    case .pulse(let report): json.add("pulse", object: JSONWriter.object { add(report, to: &$0) })
    }
    json.close(into: &line)
  }

  private static func add(_ sky: SkyReport, to json: inout JSONWriter) {
    json.add("timestamp", unsigned: sky.timestamp.nanoseconds)
    if let utc = sky.utc { json.add("utc", integer: utc.nanosecondsSince1970) }
    if let value = sky.horizontalDilution { json.add("horizontalDilution", exactly: value) }
    if let value = sky.verticalDilution { json.add("verticalDilution", exactly: value) }
    if let value = sky.positionDilution { json.add("positionDilution", exactly: value) }
    if let value = sky.geometricDilution { json.add("geometricDilution", exactly: value) }
    if let value = sky.timeDilution { json.add("timeDilution", exactly: value) }
    json.add("satellites", sky.satellites) { satellite, json in
      json.add("system", Int(satellite.id.constellation.rawValue))
      json.add("number", Int(satellite.id.number))
      if let value = satellite.elevationDegrees { json.add("elevation", exactly: value) }
      if let value = satellite.azimuthDegrees { json.add("azimuth", exactly: value) }
      if let value = satellite.signalDecibelHertz { json.add("signal", exactly: value) }
      json.add("isUsed", satellite.isUsed)
      if let isHealthy = satellite.isHealthy { json.add("isHealthy", isHealthy) }
    }
  }

  private static func add(_ report: PulseReport, to json: inout JSONWriter) {
    json.add("instant", unsigned: report.pulse.instant.nanoseconds)
    if let second = report.pulse.second {
      json.add("second", integer: second.nanosecondsSince1970)
    }
    if let utc = report.pulse.systemUTC {
      json.add("systemUTC", integer: utc.nanosecondsSince1970)
    }
    json.add("quantisationError", report.pulse.quantisationErrorPicoseconds.map { Int($0) })
    json.add("isPaired", report.isPaired)
    if let jitter = report.jitterSeconds { json.add("jitter", exactly: jitter) }
  }

  /// Reads an object. The inner nil is another kind of output; the outer one is a fault of the
  /// reader.
  static func read(_ json: inout JSONReader) -> ReceiverOutput?? {
    var output: ReceiverOutput?
    guard json.beginObject() else { return nil }
    while let key = json.nextKey() {
      if key.is("sky") {
        output = sky(&json).map { .sky($0) }
      } else if key.is("bytes") {
        output = bytes(&json).map { .bytes($0) }
      } else if key.is("time") {
        output = time(&json).map { .time($0) }
      } else if key.is("pulse") {
        output = pulse(&json).map { .pulse($0) }
      } else {
        json.skip()
      }
    }
    return json.isBroken ? nil : .some(output)
  }

  private static func bytes(_ json: inout JSONReader) -> [UInt8]? {
    guard let text = json.string() else { return nil }
    guard let data = Data(base64Encoded: text) else {
      json.refuse("expected bytes in base 64")
      return nil
    }
    return Array(data)
  }

  private static func time(_ json: inout JSONReader) -> ReceiverTime? {
    var (utc, arrival, systemUTC): (UTCTime?, Timestamp?, UTCTime?)
    var (hasFix, isResolved): (Bool, Bool?) = (false, nil)
    guard json.beginObject() else { return nil }
    while let key = json.nextKey() {
      if key.is("utc") {
        utc = json.utc()
      } else if key.is("arrival") {
        arrival = json.timestamp()
      } else if key.is("systemUTC") {
        systemUTC = json.utc()
      } else if key.is("hasFix") {
        hasFix = json.flag() ?? false
      } else if key.is("isResolved") {
        isResolved = json.flag()
      } else {
        json.skip()
      }
    }
    guard let utc, let arrival, let systemUTC else {
      json.refuse("expected 'utc', 'arrival' and 'systemUTC'")
      return nil
    }
    return ReceiverTime(
      utc: utc, arrival: arrival, systemUTC: systemUTC, hasFix: hasFix, isResolved: isResolved)
  }

  private static func pulse(_ json: inout JSONReader) -> PulseReport? {
    var pulse = MarkedPulse(instant: Timestamp(nanoseconds: 0))
    var (instant, isPaired, jitter): (Timestamp?, Bool, Double?) = (nil, false, nil)
    guard json.beginObject() else { return nil }
    while let key = json.nextKey() {
      if key.is("instant") {
        instant = json.timestamp()
      } else if key.is("second") {
        pulse.second = json.utc()
      } else if key.is("systemUTC") {
        pulse.systemUTC = json.utc()
      } else if key.is("quantisationError") {
        pulse.quantisationErrorPicoseconds = json.whole()
      } else if key.is("isPaired") {
        isPaired = json.flag() ?? false
      } else if key.is("jitter") {
        jitter = json.exactNumber()
      } else {
        json.skip()
      }
    }
    guard let instant else {
      json.refuse("expected an 'instant'")
      return nil
    }
    pulse.instant = instant
    return PulseReport(pulse, isPaired: isPaired, jitterSeconds: jitter)
  }

  private static func sky(_ json: inout JSONReader) -> SkyReport? {
    var sky = SkyReport(timestamp: Timestamp(nanoseconds: 0), satellites: [])
    var timestamp: Timestamp?
    guard json.beginObject() else { return nil }
    while let key = json.nextKey() {
      if key.is("timestamp") {
        timestamp = json.timestamp()
      } else if key.is("utc") {
        sky.utc = json.utc()
      } else if key.is("horizontalDilution") {
        sky.horizontalDilution = json.exactNumber()
      } else if key.is("verticalDilution") {
        sky.verticalDilution = json.exactNumber()
      } else if key.is("positionDilution") {
        sky.positionDilution = json.exactNumber()
      } else if key.is("geometricDilution") {
        sky.geometricDilution = json.exactNumber()
      } else if key.is("timeDilution") {
        sky.timeDilution = json.exactNumber()
      } else if key.is("satellites") {
        guard json.beginArray() else { return nil }
        sky.satellites = []
        while json.nextElement() {
          if let satellite = satellite(&json) { sky.satellites.append(satellite) }
        }
      } else {
        json.skip()
      }
    }
    guard let timestamp else {
      json.refuse("expected a 'timestamp'")
      return nil
    }
    sky.timestamp = timestamp
    return sky
  }

  /// Reads a satellite; nil for one of a system that this version does not know.
  private static func satellite(_ json: inout JSONReader) -> SkyView.Satellite? {
    var (system, number): (UInt8?, UInt16?)
    var satellite = SkyView.Satellite(id: SatelliteID(constellation: .gps, number: 0))
    guard json.beginObject() else { return nil }
    while let key = json.nextKey() {
      if key.is("system") {
        system = json.whole()
      } else if key.is("number") {
        number = json.whole()
      } else if key.is("elevation") {
        satellite.elevationDegrees = json.exactNumber()
      } else if key.is("azimuth") {
        satellite.azimuthDegrees = json.exactNumber()
      } else if key.is("signal") {
        satellite.signalDecibelHertz = json.exactNumber()
      } else if key.is("isUsed") {
        satellite.isUsed = json.flag() ?? false
      } else if key.is("isHealthy") {
        satellite.isHealthy = json.flag()
      } else {
        json.skip()
      }
    }
    guard let system, let number else {
      json.refuse("expected 'system' and 'number'")
      return nil
    }
    guard let constellation = Constellation(rawValue: system) else { return nil }
    satellite.id = SatelliteID(constellation: constellation, number: number)
    return satellite
  }
}

extension JSONReader {
  fileprivate mutating func utc() -> UTCTime? {
    int64().map { UTCTime(nanosecondsSince1970: $0) }
  }

  /// Reads a whole number of a type's range.
  fileprivate mutating func whole<Number: FixedWidthInteger>() -> Number? {
    guard let value = int64() else { return nil }
    if let number = Number(exactly: value) { return number }
    refuse("expected a number within \(Number.min) to \(Number.max)")
    return nil
  }
}
