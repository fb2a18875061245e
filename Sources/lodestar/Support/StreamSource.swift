import Engine
import Foundation
import Quantities
import ServiceClient
import ServiceProtocol
import Simulation

/// Where a streaming command's estimates come from: a source of this process, or the daemon's.
struct StreamSource {
  let publisher: any EstimatePublisher
  /// The board, recording or simulation of this process; nil where the daemon has it.
  let player: EstimatePlayer?
  private let client: DaemonClient?
  private let observations: [Observation]

  /// A source of this process.
  init(_ player: EstimatePlayer) {
    (publisher, self.player, client, observations) = (player, player, nil, [])
  }

  /// The daemon's.
  init(_ client: DaemonClient, demand: EstimateDemand) {
    let daemon = client.publisher
    daemon.setDemand(demand)
    (publisher, player, self.client) = (daemon, nil, client)
    // A chip that is lost or comes back is worth a line wherever estimates go.
    observations = [
      client.observeNotices { StandardError.say($0) },
      client.observeConnection { StandardError.say($0.map { "\($0)" } ?? "the daemon is back") },
      client.observeSource { source in
        if let fault = source.fault { StandardError.say("the daemon waits: \(fault)") }
      },
    ]
    if let fault = client.source.fault { StandardError.say("the daemon waits: \(fault)") }
  }

  /// Starts it; who observes before misses nothing.
  func start() { player?.start() }

  /// Ends it.
  func stop() {
    player?.stop()
    client?.stop()
  }

  /// How it ended; nil while it goes on. The daemon's goes on until somebody ends this program.
  var end: EstimatePlayer.Outcome? { player?.end }

  /// What really is the case at an instant of a simulation; nil for anything else.
  var truth: (@Sendable (Timestamp) -> Truth)? { player?.truth }

  /// True where it is known what the source has: a daemon may still look for its sensors.
  var isKnown: Bool { client?.source.isOpen ?? true }
}
