import Monitoring

extension MonitoringEvent {
  /// The event with cells in place of exact places, for an application of reduced accuracy.
  public var reduced: MonitoringEvent {
    var event = self
    event.fix = fix?.reduced
    switch kind {
    case .significantChange(let fix): event.kind = .significantChange(fix.reduced)
    case .visit(var visit):
      visit.position = ReducedAccuracyGrid.middle(ofCellAt: visit.position)
      visit.horizontalAccuracyMetres = max(
        ReducedAccuracyGrid.radiusMetres, visit.horizontalAccuracyMetres)
      event.kind = .visit(visit)
    case .regionStarted, .regionFailed, .regionState, .entered, .exited, .condition: break
    }
    return event
  }
}

extension PlaceFix {
  /// The middle of the fix's cell, with the time. Reducing a cell's middle returns the same place.
  public var reduced: PlaceFix {
    var reduced = PlaceFix(
      position: ReducedAccuracyGrid.middle(ofCellAt: position),
      horizontalAccuracyMetres: max(ReducedAccuracyGrid.radiusMetres, horizontalAccuracyMetres),
      time: time)
    reduced.isSimulated = isSimulated
    return reduced
  }
}
