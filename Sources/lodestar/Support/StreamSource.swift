import HostClient
import HostProtocol
import LinuxIO
import Observers
import Pipeline
import Quantities
import Simulation

/// The source of a streaming command's estimates: of this process, or the daemon.
struct StreamSource {
  /// Time until the code that only the start needs is removed from memory, seconds.
  private static let startTime = 5.0

  let publisher: any EstimatePublisher
  /// The board, recording or simulation of this process; nil with the daemon.
  let player: EstimatePlayer?
  private let client: HostClient?
  private let observations: [Observation]
  private let lost: Locked<String?>

  /// A source of this process.
  init(_ player: EstimatePlayer) {
    (publisher, self.player, client, observations) = (player, player, nil, [])
    lost = Locked(nil)
  }

  /// The daemon as the source.
  init(_ client: HostClient, demand: EstimateDemand) {
    let daemon = client.publisher
    daemon.setDemand(demand)
    let lost = Locked<String?>(nil)
    self.lost = lost
    (publisher, player, self.client) = (daemon, nil, client)
    // A chip that is lost or returns is reported in every output format.
    observations = [
      client.observeNotices { StandardError.say($0) },
      client.observeConnection { error in
        lost.withLock { $0 = error.map { "\($0)" } }
        StandardError.say(error.map { "\($0)" } ?? "reconnected to the daemon")
      },
      client.observeSource { [reported = Locked(client.source)] source in
        let before = reported.withLock { reported in
          defer { reported = source }
          return reported
        }
        Self.say(source, after: before)
      },
    ]
    Self.say(client.source, after: SourceDescription())
  }

  /// Writes what the daemon waits for, and what it does not store.
  private static func say(_ source: SourceDescription, after before: SourceDescription) {
    if let fault = source.fault {
      StandardError.say(
        "the daemon waits: \(fault); see 'lodestar doctor', or give --simulate for the simulated board"
      )
    }
    guard source.storageFault != before.storageFault else { return }
    StandardError.say(
      source.storageFault.map { "the daemon does not store its state, or a part of it: \($0)" }
        ?? "the daemon stores its state again")
  }

  /// Starts the source; observers that are registered before receive every estimate.
  func start() {
    player?.start()
    ProcessMemory.releaseCode(after: Self.startTime)
  }

  /// Ends the source.
  func stop() {
    player?.stop()
    client?.stop()
  }

  /// How long `stop` may wait for a receiver that is restored, seconds.
  var undoSeconds: @Sendable () -> Double { { [player] in player?.undoSeconds ?? 0 } }

  /// How the source ended; nil while it runs. The daemon's never ends.
  var end: EstimatePlayer.Outcome? { player?.end }

  /// Why there is no connection to the daemon; nil while there is one, and for a source of this
  /// process.
  var connectionFault: String? { lost.withLock { $0 } }

  /// Why the daemon has no source; nil while it has one, and for a source of this process.
  var sourceFault: String? {
    guard let source = client?.source, !source.isOpen else { return nil }
    return source.fault
  }

  /// The true state at an instant of a simulation; nil for other sources.
  var truth: (@Sendable (Timestamp) -> Truth)? { player?.truth }

  /// True if the sensors of the source are known: a daemon may still search for them.
  var isKnown: Bool { client?.source.isOpen ?? true }
}
