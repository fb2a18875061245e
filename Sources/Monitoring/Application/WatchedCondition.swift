import Quantities

/// A region or condition under watch, with what is known of its state.
struct WatchedCondition: Codable, Sendable {
  /// The monitor that it belongs to; nil for a region.
  let monitor: String?
  let identifier: String
  var condition: MonitoredCondition
  var area = AreaWatch()
  var beacon = BeaconWatch()
  /// When it came to its state.
  var since: UTCTime?
  /// Worked out from the condition when it is needed first.
  private var shape: AreaShape?

  private enum CodingKeys: String, CodingKey {
    case monitor, identifier, condition, area, beacon, since
  }

  init(monitor: String?, identifier: String, condition: MonitoredCondition) {
    (self.monitor, self.identifier, self.condition) = (monitor, identifier, condition)
  }

  /// Reads what is watched; what is known of it begins anew where another program's version wrote it.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    monitor = try values.decodeIfPresent(String.self, forKey: .monitor)
    identifier = try values.decode(String.self, forKey: .identifier)
    condition = try values.decode(MonitoredCondition.self, forKey: .condition)
    area = values.decode(.area, or: AreaWatch())
    beacon = values.decode(.beacon, or: BeaconWatch())
    since = values.decode(.since, or: nil)
  }

  var isBeacon: Bool { pattern != nil }

  var pattern: BeaconPattern? {
    if case .beacon(let pattern) = condition { pattern } else { nil }
  }

  var state: ConditionState { isBeacon ? beacon.state : area.state }

  /// What a pattern turned out to be.
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
      // Was refused when it was registered, unless the limit is another since: then it waits.
      shape = nil
    }
    return shape
  }

  mutating func process(
    _ fix: MonitoredFix, _ tuning: MonitoringConfiguration
  ) -> AreaWatch.Change? {
    guard let shape = outline(tuning) else { return nil }
    return noted(area.process(fix, shape, tuning))
  }

  /// Takes only what is said of its own pattern: what matches is told of its own as well, and of another
  /// one nobody tells the end once that is not listened for any more.
  mutating func process(_ report: BeaconReport, at time: UTCTime) -> AreaWatch.Change? {
    guard let pattern, pattern.isSame(as: report.pattern) else { return nil }
    return noted(beacon.process(report, at: time))
  }

  mutating func advance(
    to time: UTCTime, _ tuning: MonitoringConfiguration
  ) -> AreaWatch.Change? {
    isBeacon ? noted(beacon.advance(to: time, tuning)) : nil
  }

  private mutating func noted(_ change: AreaWatch.Change?) -> AreaWatch.Change? {
    if let change { since = change.since }
    return change
  }

  /// Regions first, then monitors by name; within them by identifier: the order of events of one fix.
  static func precedes(_ a: WatchedCondition, _ b: WatchedCondition) -> Bool {
    switch (a.monitor, b.monitor) {
    case (nil, nil): a.identifier < b.identifier
    case (nil, _?): true
    case (_?, nil): false
    case (let x?, let y?): x == y ? a.identifier < b.identifier : x < y
    }
  }
}
