import Quantities

#if !hasFeature(Embedded)
  // Registrations must stay readable by newer and older program versions. Any other field that is
  // absent or cannot be decoded gets its initial value.
  extension ApplicationMonitor: Codable {
    enum CodingKeys: String, CodingKey {
      case registrations, pending, droppedEvents, lastFix, revision, now, clock, sequence, watched
      case requests, track, motion, rest, visits, significant
    }

    /// Reads the stored state. The tuning is not stored and gets its default.
    /// - Throws: `DecodingError` without registrations.
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
      motion = values.decode(.motion, or: TrackMotion())
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
      try values.encode(motion, forKey: .motion)
      try values.encodeIfPresent(rest, forKey: .rest)
      try values.encodeIfPresent(visits, forKey: .visits)
      try values.encodeIfPresent(significant, forKey: .significant)
    }

    /// Adds a watch for each registration whose watch could not be read.
    private mutating func watchWhatIsRegistered() {
      func isWatched(_ monitor: String?, _ identifier: String) -> Bool {
        watched.contains { $0.monitor == monitor && $0.identifier == identifier }
      }
      for region in registrations.regions.values where !isWatched(nil, region.identifier) {
        watch(newWatch(nil, region.identifier, region.condition))
      }
      for (monitor, records) in registrations.monitors {
        for (identifier, record) in records
        where record.fault == nil && !isWatched(monitor, identifier) {
          watch(newWatch(monitor, identifier, record.condition))
        }
      }
    }
  }

  extension MonitoringRegistrations {
    // Not private: in debug builds the synthesised encoder, which is in another file, needs access.
    enum CodingKeys: String, CodingKey {
      case regions, visits, significantChanges, monitors
    }

    /// Reads the stored registrations; a region or condition of an unknown kind is skipped.
    /// - Throws: `DecodingError` without the key `regions`.
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

  /// A value that another program version may have written in another form.
  struct Readable<Value: Decodable & Sendable>: Decodable, Sendable {
    /// nil where it cannot be decoded.
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
    /// The decoded value; `other` where the key is absent or its value cannot be decoded.
    func decode<Value: Decodable>(_ key: Key, or other: Value) -> Value {
      do {
        return try decodeIfPresent(Value.self, forKey: key) ?? other
      } catch {
        return other
      }
    }
  }
#endif
