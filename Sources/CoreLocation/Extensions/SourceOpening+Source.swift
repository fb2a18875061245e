internal import Board
internal import LocationHost
internal import Pipeline
internal import Quantities

extension SourceOpening {
  /// The opening of a source that the program named. A receiver is opened alone, without access to
  /// a bus or to another receiver.
  init(source: CLLocationSource) {
    self.init(isLive: source.kind != .replay && source.kind != .simulation) {
      () throws(SourceError) in
      let player = try Self.player(of: source)
      var opened = OpenedSource(player)
      if source.leverArm != .zero {
        opened.publisher = ReferencePointPublisher(player, source.leverArm)
      }
      return opened
    }
    hasRecordedTimes = source.kind != .replay
  }

  private static func player(of source: CLLocationSource) throws(SourceError) -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    switch source.kind {
    case .simulation: return try SourceChoice.simulation.open(configuration)
    case .replay:
      let path = source.id.hasPrefix(CLLocationSource.replayPrefix)
      let name = source.id.dropFirst(path ? CLLocationSource.replayPrefix.count : 0)
      return try SourceChoice.replay(path: String(name)).open(configuration)
    case .fused:
      configuration.onlineCalibration = true
      return try SourceChoice.attached.open(configuration)
    case .gnss: return try SourceChoice.openReceiver(at: source.id, configuration)
    case .wifi: throw .unknownChoice(source.id)
    }
  }
}
