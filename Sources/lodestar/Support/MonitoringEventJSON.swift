import JSON
import Monitoring
import Quantities

/// An event as one JSON object, with the names of Core Location's callbacks. The format is
/// documented in `Documentation/RegionsAndEvents.md`.
struct MonitoringEventJSON {
  /// Converts a time of an event to seconds on the recording's clock.
  let seconds: (UTCTime) -> Double
  /// False if the recording has no civil time.
  let isCivil: Bool

  /// The object; nil for kinds that a replay does not report.
  func object(_ event: MonitoringEvent) -> [UInt8]? {
    var line: [UInt8] = []
    var json = JSONWriter(appendingTo: &line)
    switch event.kind {
    case .regionStarted, .condition: return nil
    case .entered(let region):
      json.add("event", "didEnterRegion")
      json.add("region", region.identifier)
    case .exited(let region):
      json.add("event", "didExitRegion")
      json.add("region", region.identifier)
    case .regionState(let region, let state):
      json.add("event", "didDetermineState")
      json.add("region", region.identifier)
      json.add("state", Self.word(state))
    case .regionFailed(let region, let fault):
      json.add("event", "monitoringDidFailForRegion")
      json.add("region", region?.identifier)
      json.add("error", fault.rawValue)
    case .visit: json.add("event", "didVisit")
    case .significantChange:
      json.add("event", "didUpdateLocations")
      json.add("service", "significantLocationChange")
    }
    add("time", "t", event.time, to: &json)
    if let since = event.since { add("sinceTime", "since", since, to: &json) }
    addPlace(event, to: &json)
    json.close(into: &line)
    return line
  }

  private func addPlace(_ event: MonitoringEvent, to json: inout JSONWriter) {
    var (position, accuracy) = (event.fix?.position, event.fix?.horizontalAccuracyMetres)
    if case .visit(let visit) = event.kind {
      (position, accuracy) = (visit.position, visit.horizontalAccuracyMetres)
      if let arrival = visit.arrival { add("arrivalDate", "arrival", arrival, to: &json) }
      if let departure = visit.departure { add("departureDate", "departure", departure, to: &json) }
    }
    json.add("latitude", position?.latitude.degrees, decimals: 7)
    json.add("longitude", position?.longitude.degrees, decimals: 7)
    json.add("horizontalAccuracy", accuracy, decimals: 2)
  }

  private func add(
    _ name: StaticString, _ secondsName: StaticString, _ time: UTCTime, to json: inout JSONWriter
  ) {
    if isCivil { json.add(name, time) }
    json.add(secondsName, seconds(time), decimals: 3)
  }

  private static func word(_ state: ConditionState) -> String {
    switch state {
    case .satisfied: "inside"
    case .unsatisfied: "outside"
    case .unknown, .unmonitored: "unknown"
    }
  }
}
