import Quantities

// Registrations have to outlive programs newer and older than the one that wrote them: what else is absent, or
// means nothing to this one, begins anew.
extension ApplicationMonitor: Codable {
  enum CodingKeys: String, CodingKey {
    case registrations, pending, droppedEvents, lastFix, revision, now, clock, sequence, watched
    case requests, track, rest, visits, significant
  }

  /// Reads what was kept; the tuning is the default, as it is not kept.
  /// - Throws: `DecodingError` where there are no registrations.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    registrations = try values.decode(MonitoringRegistrations.self, forKey: .registrations)
    let events = values.decode(.pending, or: [Readable<MonitoringEvent>]())
    pending = events.compactMap(\.value)
    droppedEvents = values.decode(.droppedEvents, or: 0) + events.count - pending.count
    lastFix = values.decode(.lastFix, or: nil)
    revision = values.decode(.revision, or: 0)
    now = values.decode(.now, or: nil)
    clock = values.decode(.clock, or: nil)
    sequence = max(values.decode(.sequence, or: 0), pending.last?.sequence ?? 0)
    watched = values.decode(.watched, or: [Readable<WatchedCondition>]()).compactMap(\.value)
    requests = values.decode(.requests, or: [])
    track = values.decode(.track, or: PlausibleTrack())
    rest = values.decode(.rest, or: nil)
    if registrations.visits { visits = values.decode(.visits, or: nil) ?? VisitDetector() }
    if registrations.significantChanges {
      significant = values.decode(.significant, or: nil) ?? SignificantChanges()
    }
    watchWhatIsRegistered()
  }

  /// Writes all but the tuning.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(registrations, forKey: .registrations)
    try values.encode(pending, forKey: .pending)
    try values.encode(droppedEvents, forKey: .droppedEvents)
    try values.encodeIfPresent(lastFix, forKey: .lastFix)
    try values.encode(revision, forKey: .revision)
    try values.encodeIfPresent(now, forKey: .now)
    try values.encodeIfPresent(clock, forKey: .clock)
    try values.encode(sequence, forKey: .sequence)
    try values.encode(watched, forKey: .watched)
    try values.encode(requests, forKey: .requests)
    try values.encode(track, forKey: .track)
    try values.encodeIfPresent(rest, forKey: .rest)
    try values.encodeIfPresent(visits, forKey: .visits)
    try values.encodeIfPresent(significant, forKey: .significant)
  }

  /// Brings the watches to the registrations, where a watch could not be read.
  private mutating func watchWhatIsRegistered() {
    func isWatched(_ monitor: String?, _ identifier: String) -> Bool {
      watched.contains { $0.monitor == monitor && $0.identifier == identifier }
    }
    for region in registrations.regions.values where !isWatched(nil, region.identifier) {
      watch(fresh(nil, region.identifier, region.condition))
    }
    for (monitor, records) in registrations.monitors {
      for (identifier, record) in records
      where record.fault == nil && !isWatched(monitor, identifier) {
        watch(fresh(monitor, identifier, record.condition))
      }
    }
  }
}

extension MonitoringRegistrations {
  // Not private: a debug build's compiler loses what the synthesised encoder in the type's own file needs of it.
  enum CodingKeys: String, CodingKey {
    case regions, visits, significantChanges, monitors
  }

  /// Reads what was kept; a region or condition of a kind that this program does not know is passed over.
  /// - Throws: `DecodingError` where there are none at all.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    visits = values.decode(.visits, or: false)
    significantChanges = values.decode(.significantChanges, or: false)
    regions = try values.decode([String: Readable<MonitoredRegion>].self, forKey: .regions)
      .compactMapValues(\.value)
    let all = values.decode(.monitors, or: [String: [String: Readable<ConditionRecord>]]())
    monitors = all.mapValues { $0.compactMapValues(\.value) }
  }
}

/// Something that may be of another program's version.
struct Readable<Value: Decodable & Sendable>: Decodable, Sendable {
  /// nil where it is.
  let value: Value?

  init(from decoder: any Decoder) throws {
    do {
      value = try Value(from: decoder)
    } catch {
      value = nil
    }
  }
}

extension KeyedDecodingContainer {
  /// What is there; `other` where nothing is, or what another program's version wrote.
  func decode<Value: Decodable>(_ key: Key, or other: Value) -> Value {
    do {
      return try decodeIfPresent(Value.self, forKey: key) ?? other
    } catch {
      return other
    }
  }
}
