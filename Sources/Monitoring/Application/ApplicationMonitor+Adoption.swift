public import Quantities

extension ApplicationMonitor {
  /// Adds what an earlier monitor of the application had: its registrations that this one lacks,
  /// and its events, with new numbers above all earlier ones.
  /// - Parameters:
  ///   - earlier: The earlier monitor, as it was stored.
  ///   - time: The present.
  public mutating func adopt(_ earlier: ApplicationMonitor, at time: UTCTime) {
    sequence = max(sequence, earlier.sequence)
    let known = registrations
    for (identifier, region) in earlier.registrations.regions.sorted(by: { $0.key < $1.key })
    where known.regions[identifier] == nil {
      perform(.startRegion(region), at: time)
    }
    if earlier.registrations.visits { perform(.startVisits, at: time) }
    if earlier.registrations.significantChanges { perform(.startSignificantChanges, at: time) }
    for (monitor, records) in earlier.registrations.monitors.sorted(by: { $0.key < $1.key }) {
      if records.isEmpty { perform(.openMonitor(name: monitor), at: time) }
      for (identifier, record) in records.sorted(by: { $0.key < $1.key })
      where known.monitors[monitor]?[identifier] == nil {
        perform(
          .addCondition(
            monitor: monitor, identifier: identifier, condition: record.condition,
            assuming: record.lastEvent.state), at: time)
      }
    }
    for event in earlier.pending {
      emit(event.kind, at: event.time, since: event.since, fix: event.fix)
    }
    revision += 1
  }
}
