public import Monitoring

extension SimulatedDay {
  /// A short text for an event: `+home`, `-home`, `arrived`, `departed`, `changed`, and so on.
  public static func word(_ event: MonitoringEvent) -> String {
    switch event.kind {
    case .entered(let region): "+\(region.identifier)"
    case .exited(let region): "-\(region.identifier)"
    case .visit(let visit): visit.departure == nil ? "arrived" : "departed"
    case .significantChange: "changed"
    case .regionState(let region, let state): "\(region.identifier)=\(state.rawValue)"
    case .regionStarted(let region): "started:\(region.identifier)"
    case .regionFailed(let region, let fault):
      "failed:\(region?.identifier ?? ""):\(fault.rawValue)"
    case .condition(let event): "\(event.monitor)/\(event.identifier)=\(event.state.rawValue)"
    }
  }

  /// The crossings of the day in words, in order.
  public static let crossingWords = [
    "-home", "+bridge", "-bridge", "+office", "-office", "+park", "-park", "+office", "-office",
    "+bridge", "-bridge", "+home",
  ]

  /// The visits of the day in words, in order.
  public static let visitWords = [
    "arrived", "departed", "arrived", "departed", "arrived", "departed", "arrived",
  ]
}
