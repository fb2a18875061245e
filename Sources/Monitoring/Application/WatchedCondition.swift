import Quantities

/// A watched region or condition with its state.
struct WatchedCondition: Codable, Sendable {
  /// The monitor that it belongs to; nil for a region.
  let monitor: String?
  let identifier: String
  var condition: MonitoredCondition
  var area = AreaWatch()
  var beacon = BeaconWatch()
  /// The start of the present state.
  var since: UTCTime?
  /// Computed from the condition at the first use.
  private var shape: AreaShape?

  #if !hasFeature(Embedded)
    private enum CodingKeys: String, CodingKey {
      case monitor, identifier, condition, area, beacon, since
    }
  #endif

  init(monitor: String?, identifier: String, condition: MonitoredCondition) {
    (self.monitor, self.identifier, self.condition) = (monitor, identifier, condition)
  }

  #if !hasFeature(Embedded)
    /// Reads a watch; a state that cannot be decoded becomes unknown.
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      monitor = try values.decodeIfPresent(String.self, forKey: .monitor)
      identifier = try values.decode(String.self, forKey: .identifier)
      condition = try values.decode(MonitoredCondition.self, forKey: .condition)
      area = values.decode(.area, or: AreaWatch())
      beacon = values.decode(.beacon, or: BeaconWatch())
      since = values.decode(.since, or: nil)
    }
  #endif

  var isBeacon: Bool { pattern != nil }

  var pattern: BeaconPattern? {
    if case .beacon(let pattern) = condition { pattern } else { nil }
  }

  var state: ConditionState { isBeacon ? beacon.state : area.state }

  /// The detected beacon, where it is more specific than the pattern.
  var refinement: MonitoredCondition? {
    guard let pattern, beacon.state == .satisfied, let newest = beacon.newest, newest != pattern
    else { return nil }
    return .beacon(newest)
  }

  /// The outline; nil for a beacon.
  mutating func outline(_ tuning: MonitoringConfiguration) -> AreaShape? {
    if let shape { return shape }
    guard !isBeacon else { return nil }
    do throws(MonitoringFault) {
      shape = try AreaShape(condition, largestRadiusMetres: tuning.maximumRegionRadiusMetres)
    } catch {
      // Only possible where the radius limit was lowered after the registration: it is then not
      // evaluated.
      shape = nil
    }
    return shape
  }

  mutating func process(
    _ fix: MonitoredFix, _ tuning: MonitoringConfiguration
  ) -> [AreaWatch.Change] {
    guard let shape = outline(tuning) else { return [] }
    let changes = area.process(fix, shape, tuning)
    if let last = changes.last { since = last.since }
    return changes
  }

  /// Uses only reports of its own pattern. A beacon that matches several patterns is reported for
  /// each, and for a pattern that is not scanned for any more no departure is reported.
  mutating func process(_ report: BeaconReport, at time: UTCTime) -> AreaWatch.Change? {
    guard let pattern, pattern.isSame(as: report.pattern) else { return nil }
    if report.isUnavailable {
      return recordingStart(beacon.suspend(isRegion: monitor == nil, at: time))
    }
    return recordingStart(beacon.process(report, at: time))
  }

  mutating func advance(
    to time: UTCTime, _ tuning: MonitoringConfiguration
  ) -> AreaWatch.Change? {
    isBeacon ? recordingStart(beacon.advance(to: time, tuning)) : nil
  }

  private mutating func recordingStart(_ change: AreaWatch.Change?) -> AreaWatch.Change? {
    if let change { since = change.since }
    return change
  }

  /// Regions first, then monitors by name; within them by identifier: the order of events of one
  /// fix.
  static func precedes(_ a: WatchedCondition, _ b: WatchedCondition) -> Bool {
    switch (a.monitor, b.monitor) {
    case (nil, nil): a.identifier < b.identifier
    case (nil, _?): true
    case (_?, nil): false
    case (let x?, let y?): x == y ? a.identifier < b.identifier : x < y
    }
  }
}
