import Formats
import JSON
import Pipeline
import Quantities

/// The counts of a replay and its final state.
struct ReplaySummary {
  private var instants = 0
  private var inertial = 0
  private var field = 0
  private var pressure = 0
  private var fixes = 0
  private var first: Timestamp?
  private var newest: Timestamp?
  /// The comparison with the recorded estimates; nil without one.
  var comparison: EstimateComparison?
  /// The pipeline after the last instant; its estimate is computed on demand.
  var last: Pipeline?

  mutating func count(_ row: SensorSamples) {
    instants += 1
    if row.inertial != nil { inertial += 1 }
    if row.field != nil { field += 1 }
    if row.pressure != nil { pressure += 1 }
    if row.fix?.position != nil { fixes += 1 }
    first = first ?? row.timestamp
    newest = row.timestamp
  }

  /// True if no sample, fix or heading was read.
  var isEmpty: Bool { instants == 0 }

  /// True if the last true heading uses a magnetic model outside its validity.
  var isDeclinationOutOfDate: Bool { last?.estimate.isDeclinationOutOfDate ?? false }

  /// What a witness outside the filters contradicts at the end.
  var contradictions: [StandardError.Contradiction] {
    last.map { StandardError.contradictions(in: $0.estimate) } ?? []
  }

  private var seconds: Double {
    guard let first, let newest else { return 0 }
    return newest.seconds(since: first)
  }

  func text(named input: String) -> [String] {
    var lines = [
      "\(input): \(instants) instants over \(FieldText.fixed(seconds, 1)) s: \(inertial) inertial, "
        + "\(field) field, \(pressure) pressure, \(fixes) fixes"
    ]
    guard let estimate = last?.estimate, instants > 0 else { return lines }
    var words: [String] = []
    if let heading = estimate.magneticHeading {
      words.append("magnetic heading \(FieldText.fixed(heading.angle.degrees, 1))°")
      if let truth = estimate.trueHeading {
        words.append("true \(FieldText.fixed(truth.angle.degrees, 1))°")
      }
      words.append(
        estimate.headingAccuracy.map { "±\(FieldText.fixed($0.degrees, 1))°" }
          ?? "accuracy not known")
    }
    if let position = estimate.position {
      words.append(
        "\(FieldText.fixed(position.latitude.degrees, 6)) \(FieldText.fixed(position.longitude.degrees, 6))"
      )
    }
    if let altitude = estimate.altitudeMetres {
      words.append("altitude \(FieldText.fixed(altitude, 1)) m")
    }
    if let state = estimate.calibration { words.append(state.rawValue) }
    if let state = estimate.disturbance { words.append(state.rawValue) }
    if !words.isEmpty { lines.append("at the end: " + words.joined(separator: ", ")) }
    if let comparison { lines.append(comparison.text) }
    return lines
  }

  func appendJSON(to line: inout [UInt8]) {
    var json = JSONWriter(appendingTo: &line)
    json.add(time: last?.estimate.utc)
    json.add("instants", instants)
    json.add("seconds", seconds, decimals: 6)
    json.add("inertial", inertial)
    json.add("field", field)
    json.add("pressure", pressure)
    json.add("fixes", fixes)
    if let comparison {
      json.add("recordedEstimates", comparison.count)
      json.add("equalEstimates", comparison.equal)
      json.add("firstDifference", comparison.first)
    }
    if let estimate = last?.estimate { json.add("last", object: EstimateJSON.object(estimate)) }
    json.close(into: &line)
  }
}
