/// A method of `CLLocationManagerDelegate`.
struct DelegateMethod: Sendable {
  /// The name before the parenthesis.
  var base: String
  /// The labels after the first, which is always `_`.
  var labels: [String]
  /// The types of the parameters after the first.
  var types: [String]
  /// The return type; empty for none.
  var result = ""

  /// As Swift writes it: `locationManager(_:didVisit:)`.
  var fullName: String {
    "\(base)(\((["_"] + labels).map { $0 + ":" }.joined()))"
  }

  /// As a declaration has it.
  var signature: String {
    let others = zip(labels, types).map { ", \($0): \($1)" }.joined()
    return "\(base)(_: CLLocationManager\(others))" + (result.isEmpty ? "" : " -> \(result)")
  }

  private static func of(_ labels: [String], _ types: [String]) -> DelegateMethod {
    DelegateMethod(base: "locationManager", labels: labels, types: types)
  }

  private static func alone(_ suffix: String, _ result: String = "") -> DelegateMethod {
    DelegateMethod(base: "locationManager" + suffix, labels: [], types: [], result: result)
  }

  /// All of them, as developer.apple.com/documentation/corelocation/cllocationmanagerdelegate lists
  /// them.
  static let all: [DelegateMethod] = [
    of(["didUpdateLocations"], ["[CLLocation]"]),
    of(["didUpdateTo", "from"], ["CLLocation", "CLLocation"]),
    of(["didFailWithError"], ["Error"]),
    alone("DidChangeAuthorization"),
    of(["didChangeAuthorization"], ["CLAuthorizationStatus"]),
    of(["didUpdateHeading"], ["CLHeading"]),
    alone("ShouldDisplayHeadingCalibration", "Bool"),
    alone("DidPauseLocationUpdates"), alone("DidResumeLocationUpdates"),
    of(["didFinishDeferredUpdatesWithError"], ["Error?"]),
    of(["didEnterRegion"], ["CLRegion"]), of(["didExitRegion"], ["CLRegion"]),
    of(["didDetermineState", "for"], ["CLRegionState", "CLRegion"]),
    of(["monitoringDidFailFor", "withError"], ["CLRegion?", "Error"]),
    of(["didStartMonitoringFor"], ["CLRegion"]),
    of(["didRange", "satisfying"], ["[CLBeacon]", "CLBeaconIdentityConstraint"]),
    of(["didFailRangingFor", "error"], ["CLBeaconIdentityConstraint", "Error"]),
    of(["didRangeBeacons", "in"], ["[CLBeacon]", "CLBeaconRegion"]),
    of(["rangingBeaconsDidFailFor", "withError"], ["CLBeaconRegion", "Error"]),
    of(["didVisit"], ["CLVisit"]),
  ]

  static let byName: [String: DelegateMethod] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.fullName, $0) })

  static let bases: Set<String> = Set(all.map(\.base))

  /// The labels of older Swift versions' imports, and common slips, with the method that is meant.
  private static let formerLabels: [String: String] = [
    "didUpdateLocation": "didUpdateLocations", "didUpdateToLocation": "didUpdateTo",
    "didUpdateToLocations": "didUpdateLocations",
    "didChangeAuthorizationStatus": "didChangeAuthorization", "didFailWith": "didFailWithError",
    "didFail": "didFailWithError", "didFailWithErrors": "didFailWithError",
    "didUpdate": "didUpdateLocations", "didUpdateNewHeading": "didUpdateHeading",
    "monitoringDidFailForRegion": "monitoringDidFailFor",
    "didStartMonitoringForRegion": "didStartMonitoringFor", "didEnter": "didEnterRegion",
    "didExit": "didExitRegion", "rangingBeaconsDidFailForRegion": "rangingBeaconsDidFailFor",
    "didFinishDeferredUpdatesWith": "didFinishDeferredUpdatesWithError",
    "didFinishDeferredUpdates": "didFinishDeferredUpdatesWithError",
    "didRangeBeaconsInRegion": "didRangeBeacons", "didVisitPlace": "didVisit",
  ]

  /// The method that a function of another name was probably meant to be.
  static func meant(by function: DeclaredFunction) -> DelegateMethod? {
    guard function.firstType == "CLLocationManager" else { return nil }
    let candidates = all.filter { $0.base == function.base }
    if candidates.count == 1 { return function.labels.count == 1 ? candidates.first : nil }
    guard function.labels.count >= 2 else { return nil }
    let label = function.labels[1]
    let wanted = formerLabels[label] ?? label
    return candidates.first { $0.labels.first == wanted }
      ?? candidates.first { $0.labels.first.map { isSlip(label, for: $0) } ?? false }
  }

  /// Equal except for case, or with one letter too many, too few, or wrong.
  private static func isSlip(_ label: String, for known: String) -> Bool {
    let (a, b) = (Array(label.lowercased().utf8), Array(known.lowercased().utf8))
    guard abs(a.count - b.count) <= 1 else { return false }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    return start + end >= max(a.count, b.count) - 1
  }
}
