import Foundation
import Quantities
import Recording

/// Plays rows at their own pace on a thread of its own and publishes what the pipeline makes of them:
/// the live face of a recording and of the simulated board. It plays until it is stopped or released.
public final class EstimatePlayer: EstimatePublisher {
  /// True where a magnetometer stands behind the estimates.
  public let hasMagnetometer: Bool
  /// True where a receiver stands behind the estimates.
  public let hasReceiver: Bool
  /// True where no sensor stands behind the estimates.
  public let isSimulated: Bool

  // The thread holds only this, so that releasing the player ends the thread.
  private let broadcast = Broadcast()

  /// How the playing ended.
  public enum Outcome: Equatable, Sendable {
    /// Every row was played.
    case complete
    /// The recording has a fault; what came before it was played.
    case fault(RecordingError)
  }

  /// Makes a player; nothing is played before `start`.
  public init(hasMagnetometer: Bool, hasReceiver: Bool, isSimulated: Bool) {
    self.hasMagnetometer = hasMagnetometer
    self.hasReceiver = hasReceiver
    self.isSimulated = isSimulated
  }

  deinit { broadcast.stop() }

  /// The newest estimate; nil before the first.
  public var latest: Estimate? { broadcast.latest }

  /// How the playing ended; nil while it goes on.
  public var end: Outcome? { broadcast.end }

  /// Calls `body` for every estimate from now on, on the player's thread.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let key = broadcast.add(body)
    return Observation { [weak broadcast] in broadcast?.remove(key) }
  }

  /// Starts the thread. The rows belong to it from now on.
  public func start(rows source: any RowSource, pipeline: PipelineConfiguration) {
    let handover = Handover(source)
    let thread = Thread { [broadcast] in
      var playback = Playback(
        rows: handover.source, pipeline: Pipeline(configuration: pipeline), broadcast: broadcast)
      broadcast.finish(playback.run())
    }
    thread.name = "lodestar-player"
    thread.start()
  }

  /// Ends the thread at its next row.
  public func stop() { broadcast.stop() }
}

/// Carries rows into the thread that will own them; nobody else holds them.
private final class Handover: @unchecked Sendable {
  let source: any RowSource
  init(_ source: any RowSource) { self.source = source }
}
